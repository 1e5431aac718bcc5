#!/usr/bin/env bash
# Holds the Parquet files of sweeps to another reader than the library that wrote them:
# DuckDB reads sweep.parquet, sweep.jsonl and sweep.csv of a sweep of each kind, and has
# to find the same columns and, to the digit, the same rows in all three; avsim has to
# read back what DuckDB writes of them.
#
# Needs Go and npm (Debian's nodejs and npm, which it installs where they are missing);
# DuckDB comes as the npm package @duckdb/node-api, into a temporary folder.
set -euo pipefail
cd "$(dirname "$0")/.."
say() { printf '== %s\n' "$*"; }

if ! command -v npm >/dev/null; then
	say "installing nodejs and npm"
	apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends nodejs npm
fi
dir=$(mktemp -d /tmp/avsim-parquet.XXXXXX)
trap '[ -n "${KEEP:-}" ] || rm -rf "$dir"' EXIT

say "sweeps"
go build -o "$dir/avsim" ./cmd/avsim
formats=(--quiet --format parquet,jsonl)
"$dir/avsim" sweep --tables 20,100,1000 --workers 1,10 --replications 2 --set autovacuum_naptime=1s,5s --choice freshness=10ms,none \
	--seed 18446744073709551615 "${formats[@]}" -o "$dir/contest" >/dev/null
"$dir/avsim" sweep --tables 20 --workers 1..3 --replications 1 --host-set 'worker.sort={base: 1us, per_entry: 2ns},{base: 2us, per_entry: 2ns}' \
	"${formats[@]}" -o "$dir/one" >/dev/null
"$dir/avsim" sweep onap-cps --for 10m --pg 14,16 --set 'databases[cpsdb].tables[fragment].fillfactor=70,100' --replications 3 \
	"${formats[@]}" -o "$dir/runs" >/dev/null
"$dir/avsim" sweep idle --for 2m --set autovacuum_naptime=10s,20s --replications 1 "${formats[@]}" -o "$dir/idle" >/dev/null

say "DuckDB"
(cd "$dir" && npm init -y >/dev/null && npm install --silent --no-audit --no-fund @duckdb/node-api@1.5.6-r.1)
cat >"$dir/check.mjs" <<'JS'
import { DuckDBInstance } from '@duckdb/node-api';
const folder = process.argv[2];
const db = await DuckDBInstance.create(':memory:');
const c = await db.connect();
const rows = async (sql) => (await c.runAndReadAll(sql)).getRowsJson();
const columns = await rows(`describe select * from '${folder}/sweep.parquet'`);
const types = '{' + columns.map(([name, type]) => `'${name}': '${type}'`).join(', ') + '}';
const other = {
  csv: `read_csv('${folder}/sweep.csv', header = true, nullstr = '', columns = ${types})`,
  jsonl: `read_json('${folder}/sweep.jsonl', format = 'newline_delimited', columns = ${types})`,
};
const header = (await import('node:fs')).readFileSync(`${folder}/sweep.csv`, 'utf8').split('\n')[0].split(',');
let bad = 0;
if (JSON.stringify(header) !== JSON.stringify(columns.map((x) => x[0]))) { console.log('other columns'); bad++; }
// Texts are empty in Parquet and JSON where CSV has nothing.
const plain = columns.map(([name, type]) => type === 'VARCHAR' ? `coalesce("${name}", '') as "${name}"` : `"${name}"`).join(', ');
for (const [what, from] of Object.entries(other)) {
  const a = `select ${plain} from '${folder}/sweep.parquet'`, b = `select ${plain} from ${from}`;
  const [[n, m, k]] = await rows(`select (select count(*) from ((${a}) except all (${b}))), (select count(*) from ((${b}) except all (${a}))), (select count(*) from (${a}))`);
  console.log(`${folder.split('/').pop()}: ${k} rows of ${columns.length} columns; not in ${what}: ${n}, in ${what} alone: ${m}`);
  if (n != 0 || m != 0 || k == 0) bad++;
}
await c.run(`copy (select * from '${folder}/sweep.parquet') to '${folder}/again.parquet' (format parquet, compression zstd)`);
process.exit(bad ? 1 : 0);
JS
for kind in contest one runs idle; do
	(cd "$dir" && node check.mjs "$dir/$kind")
	"$dir/avsim" compare "$dir/$kind/sweep.csv" "$dir/$kind/again.parquet" --quiet >"$dir/compared"
	grep -E '^[0-9]+ points?: .* 0 (slower|lower), 0 not significant, ' "$dir/compared"
done
say "PASSED"
