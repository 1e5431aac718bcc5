#!/usr/bin/env bash
# Runs examples/slurm on a Slurm of one node, started here for the purpose: munge,
# slurmctld and slurmd on loopback, in a temporary folder. An array of 8 tasks, one
# of which is killed and requeues itself, and the merge that waits for them; the
# result has to be that of a local run, to the byte.
#
# Needs Go, and Debian's slurm-wlm and munge, which it installs where they are
# missing. Run it as root, as slurmd has to be.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || { echo "test-slurm.sh: slurmd needs root"; exit 1; }

say() { printf '== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*"; tail -n 20 "$dir"/*.log 2>/dev/null; exit 1; }

if ! command -v slurmctld >/dev/null || ! command -v munged >/dev/null; then
	say "installing slurm-wlm and munge"
	apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends slurm-wlm munge
fi

dir=$(mktemp -d /tmp/avsim-slurm.XXXXXX)
pids=()
# Slurm's helpers, slurmstepd among them, are children of what was started here.
cleanup() {
	scancel --user=root 2>/dev/null || true
	for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
	for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
	[ -n "${KEEP:-}" ] || rm -rf "$dir"
}
trap cleanup EXIT

say "munge, slurmctld and slurmd in $dir"
host=$(hostname -s)
# A port is free if no one answers there.
free() { local p; for p in $(seq "$1" $(($1 + 50))); do (exec 3<>"/dev/tcp/127.0.0.1/$p") 2>/dev/null || { echo "$p"; return; }; done; }
ctld_port=$(free 16817)
d_port=$(free 16918)
chmod 755 "$dir"
mkdir -p "$dir/munge" "$dir/state" "$dir/spool"
chmod 700 "$dir/munge"
(umask 077 && dd if=/dev/urandom bs=1 count=1024 of="$dir/munge/key" status=none)
cat >"$dir/slurm.conf" <<EOF
ClusterName=avsim
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$ctld_port
SlurmdPort=$d_port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
CryptoType=crypto/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=2
ReturnToService=2
MpiDefault=none
KillWait=2
JobRequeue=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=test Nodes=$host Default=YES MaxTime=INFINITE State=UP
EOF
echo "CgroupPlugin=autodetect" >"$dir/cgroup.conf"
export SLURM_CONF=$dir/slurm.conf

munged --foreground --force --socket="$dir/munge/socket" --key-file="$dir/munge/key" --pid-file="$dir/munge/pid" \
	--log-file="$dir/munged.log" --seed-file="$dir/munge/seed" >"$dir/munged.out.log" 2>&1 & pids+=($!)
for _ in $(seq 50); do [ -S "$dir/munge/socket" ] && break; sleep 0.1; done
slurmctld -D -f "$SLURM_CONF" >"$dir/slurmctld.out.log" 2>&1 & pids+=($!)
slurmd -D -f "$SLURM_CONF" -N "$host" >"$dir/slurmd.out.log" 2>&1 & pids+=($!)
for _ in $(seq 100); do sinfo -h -o %t 2>/dev/null | grep -qx idle && break; sleep 0.2; done
sinfo -h -o %t | grep -qx idle || fail "no idle node: $(sinfo 2>&1)"

say "the sweep, run locally"
go build -o "$dir/avsim" ./cmd/avsim
export AVSIM=$dir/avsim
# Tasks of some seconds, so that one can be killed in the midst of its work.
flags=(--tables 100..20000/1-2-5 --workers 1,3,10,30 --replications 25)
"$AVSIM" sweep "${flags[@]}" --quiet -o "$dir/local" >/dev/null

say "an array of 8 tasks, and the merge"
examples/slurm/submit.sh "$dir/out" 8 "${flags[@]}"
# Kill the third task once it has finished a point, but not all.
journal=$dir/out/shards/sweep.3-of-8.journal
for _ in $(seq 600); do [ "$(cat "$journal" 2>/dev/null | wc -l)" -ge 2 ] && break; sleep 0.1; done
victim=
for p in $(pgrep -x avsim || true); do
	[ "$(readlink "/proc/$p/exe")" = "$AVSIM" ] && tr '\0' '\n' <"/proc/$p/environ" | grep -qx SLURM_ARRAY_TASK_ID=3 && victim=$p
done
[ -n "$victim" ] || fail "the third task was not caught at its work"
kill -9 "$victim"
say "task 3 was killed with $(($(wc -l <"$journal") - 1)) points finished"

say "waiting (Slurm lets two minutes pass before it runs a requeued task again)"
for _ in $(seq 1800); do [ -z "$(squeue -h)" ] && break; sleep 0.2; done
[ -z "$(squeue -h)" ] || fail "jobs are left: $(squeue)"
grep -q 'once more' "$dir/out/task-3.log" || fail "task 3 did not requeue itself"
grep -q 'found finished' "$dir/out/task-3.log" || fail "task 3 did not go on where it was"
cat "$dir/out/task-3.log"

say "the merged result against the local one"
for f in "$dir"/local/*; do
	cmp "$f" "$dir/out/$(basename "$f")" || fail "$(basename "$f") differs"
done
say "PASSED: $(find "$dir/local" -type f | wc -l) files are the same to the byte"
