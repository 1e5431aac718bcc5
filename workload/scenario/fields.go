package scenario

import (
	"slices"
	"time"

	"github.com/goccy/go-yaml/ast"

	"avsim/workload"
	"avsim/workload/guc"
	"avsim/workload/yamlfile"
)

// Bounds of what a file may ask for.
const (
	mostKeys      = 20_000
	mostNested    = 32
	mostTables    = 10_000_000 // in all databases, TOAST tables apart
	mostDatabases = 10_000
	mostRows      = 1_000_000_000_000
	mostRunFor    = 3650 * 24 * time.Hour
	mostSeed      = 1 << 53 // a whole number that every YAML parser keeps
	mostAge       = 1<<31 - 1
	mostRowBytes  = 8160 // a page less its header and a line pointer
	leastRowBytes = 28   // a row header and a line pointer
	mostSigma     = 5
	leastRunFor   = time.Millisecond
)

// runFile is what a file says, as it stands there.
type runFile struct {
	d      *yamlfile.Decoder
	places map[string]ast.Node

	name, title, description string
	version                  guc.Version
	host, strategy           string
	settings                 []assignment
	changes                  []change
	runFor, warmUp           time.Duration
	seed                     int64
	progress                 []yamlfile.Named[[]point]
	databases                []database
	horizons                 []horizon
	locks                    []lock
	incidents                []incident
	foreground               foreground
	variants                 []variant
	tables                   int // in all databases, TOAST tables apart, once checked
	claims                   []Claim
	expect                   []string
	hostWith                 []assignment
	answer                   string
}

type assignment = yamlfile.Named[setting]

// setting is a setting's value and its place.
type setting struct {
	text string
	node ast.Node
}

type change struct {
	at       time.Duration
	node     ast.Node
	settings []assignment
}

// database is one database, or a number of equal ones.
type database struct {
	name        string
	count       int
	xids        rate
	multis      rate
	members     float64
	template    bool
	connect     time.Duration
	temp        tempTables
	populations []population
	node        ast.Node
}

// population is a number of tables drawn alike.
type population struct {
	name       string
	count      int
	rows       distribution
	rowBytes   int
	fillfactor int
	indexes    int
	toast      bool
	chunks     *population // what is in the TOAST table, nil for an empty one
	temporary  temporary

	reltuples                       float64 // rows unless given
	allVisible, allFrozen           float64
	dead, mods, inserted            distribution
	xidAge, multiAge                int64
	noStats, partitioned            bool
	sqlName                         string
	forcedAge                       int64
	givenForcedAge                  ast.Node
	givenReltuples, givenAllVisible ast.Node
	options                         []assignment
	mainOptions, toastOptions       map[string]string // of options, once checked
	activity                        activity
	node, nameNode, rowsNode        ast.Node
	givenActivity                   ast.Node
	agesOfTable                     [2]bool // of a TOAST table: relfrozenxid and relminmxid are as old as the table's
}

// temporary tells whose a temporary table is; "" for a table that is not.
type temporary string

const (
	live     temporary = "live"     // of a session that goes on
	orphaned temporary = "orphaned" // of a session that crashed
)

// activity is what is done to each table of a population.
type activity struct {
	inserts, updates, deletes rate
	hotShare                  float64
	poisson                   bool
	statements                []workload.Statement
	statementNodes            []ast.Node
	deletesNode               ast.Node
}

func newRunFile(d *yamlfile.Decoder) *runFile {
	return &runFile{d: d, seed: 1, places: make(map[string]ast.Node)}
}

// value is the table of keys at the top of a file.
func (f *runFile) value() yamlfile.Value {
	var pg string
	put := func(key string, v yamlfile.Value) yamlfile.Value {
		return v.Then(func(_ *yamlfile.Decoder, _ string, n ast.Node) error {
			f.places[key] = n
			if list, ok := n.(*ast.SequenceNode); ok && (key == "expect" || key == "claims") {
				for i, item := range list.Values {
					f.places[key+"["+yamlfile.Plain(float64(i))+"]"] = item
				}
			}
			return nil
		})
	}
	version := func(d *yamlfile.Decoder, path string, n ast.Node) (err error) {
		if f.version, err = guc.ParseVersion(pg); err != nil {
			return d.Refuse(n, path, err.Error())
		}
		return nil
	}
	fields := []yamlfile.Field{
		{Name: "name", Doc: "name of the scenario", Required: true, Value: put("name", yamlfile.String(&f.name))},
		{Name: "title", Doc: "what happens in it, in one line", Required: true, Value: yamlfile.String(&f.title)},
		{Name: "description", Doc: "more about it", Value: yamlfile.Prose(&f.description)},
		{Name: "pg", Doc: "version of PostgreSQL, 9.3 to 19", Required: true,
			Value: put("pg", yamlfile.Scalar(&pg, "a version of PostgreSQL, such as 9.5.12 or 16").Then(version))},
		{Name: "host", Doc: "host profile, built in or a file", Required: true,
			Value: put("host", yamlfile.String(&f.host).Then(profileCheck(&f.host)))},
		{Name: "host_with", Doc: "figures in place of the host profile's, by their places in it, such as vacuum.throttled.heap: 44us",
			Value: put("host_with", yamlfile.Map(&f.hostWith, func(s *setting) yamlfile.Value {
				return yamlfile.Scalar(&s.text, "a figure as in a host profile").Kept(&s.node)
			}))},
		{Name: "strategy", Doc: "how workers claim tables, where it is not the version's own",
			Value: put("strategy", yamlfile.String(&f.strategy))},
		{Name: "settings", Doc: "settings by PostgreSQL's names; a bare number is in the setting's unit", Value: settingsValue(&f.settings)},
		{Name: "changes", Doc: "settings that change during the run, in the order of time",
			Value: yamlfile.List(&f.changes, 0, changeValue)},
		{Name: "run_for", Doc: "simulated time", Required: true,
			Value: put("run_for", yamlfile.Duration(&f.runFor, leastRunFor, mostRunFor))},
		{Name: "warm_up", Doc: "time at the start that results leave out",
			Value: put("warm_up", yamlfile.Duration(&f.warmUp, 0, mostRunFor))},
		{Name: "seed", Doc: "of the random numbers; 1 unless given", Value: yamlfile.Whole(&f.seed, 0, mostSeed)},
		{Name: "progress", Doc: "curves that rates may follow: points of time and of what is done by then",
			Value: yamlfile.Map(&f.progress, func(p *[]point) yamlfile.Value { return pointsValue(p, "done") })},
		{Name: "databases", Doc: "in the order of pg_database", Required: true,
			Value: yamlfile.List(&f.databases, 1, databaseValue)},
	}
	fields = append(fields, f.obstacleFields()...)
	fields = append(fields, yamlfile.Field{Name: "foreground", Doc: "the application: what its transactions do, and how many ask at a time", Value: foregroundValue(&f.foreground)},
		yamlfile.Field{Name: "variants", Doc: "the same with another version, other settings or other values, side by side", Value: yamlfile.List(&f.variants, 1, variantValue)},
		yamlfile.Field{Name: "claims", Doc: "what somebody says of it: printed beside what is found, whether it holds or not", Value: put("claims", yamlfile.List(&f.claims, 0, claimValue))})
	fields = append(fields, yamlfile.Field{Name: "answer", Doc: "what is to be learnt from it, in words: printed where all that is expected holds, with figures of the results in place of {figure}, {database.table figure}, {variant figure} and {variant/variant figure}",
		Value: put("answer", yamlfile.Prose(&f.answer))})
	return yamlfile.Object(append(fields,
		yamlfile.Field{Name: "expect", Doc: "what the results must be", Value: put("expect", yamlfile.List(&f.expect, 0, yamlfile.String))})...)
}

// profileCheck refuses a name that is no host profile.
func profileCheck(name *string) func(*yamlfile.Decoder, string, ast.Node) error {
	return func(d *yamlfile.Decoder, path string, n ast.Node) error {
		if err := checkHost(*name); err != nil {
			return d.Refuse(n, path, err.Error())
		}
		return nil
	}
}

func settingsValue(into *[]assignment) yamlfile.Value {
	return assignments(into, settingNames()).As("settings")
}

// assignments are values by name. The names are those of any version; which of
// them the file's version has is checked later.
func assignments(into *[]assignment, names []string) yamlfile.Value {
	v := yamlfile.Map(into, func(s *setting) yamlfile.Value {
		return yamlfile.Scalar(&s.text, "a value as in postgresql.conf").Kept(&s.node)
	})
	v.Schema["propertyNames"] = map[string]any{"enum": names}
	return v
}

func changeValue(c *change) yamlfile.Value {
	return yamlfile.Object([]yamlfile.Field{
		{Name: "at", Doc: "time since the start", Required: true, Value: yamlfile.Duration(&c.at, 0, mostRunFor).Kept(&c.node)},
		{Name: "settings", Doc: "the new values", Required: true, Value: settingsValue(&c.settings)},
	}...)
}

func databaseValue(b *database) yamlfile.Value {
	b.count = 1
	return yamlfile.Object([]yamlfile.Field{
		{Name: "name", Doc: "name; %d in it is the number of the database, counted from 1", Required: true, Value: yamlfile.String(&b.name).Then(checkPattern)},
		{Name: "count", Doc: "number of equal databases; 1 unless given", Value: yamlfile.Whole(&b.count, 1, mostDatabases)},
		{Name: "xids_per_second", Doc: "transaction ids used up; none unless given", Value: rateValue(&b.xids)},
		{Name: "multixacts_per_second", Doc: "multixact ids used up; none unless given", Value: rateValue(&b.multis)},
		{Name: "members_per_multixact", Doc: "how many transactions share a multixact, on average; members are not followed unless given", Value: yamlfile.Number(&b.members, 2, 10_000)},
		{Name: "template", Doc: "a template database, or one that takes no connections: vacuums freeze all they can; false unless given", Value: yamlfile.Switch(&b.template)},
		{Name: "start_latency", Doc: "how long a worker takes to start, beside the host's own time; until then no other starts; none unless given", Value: yamlfile.Duration(&b.connect, 0, time.Hour)},
		{Name: "temp_tables", Doc: "temporary tables that sessions create and drop: their rows in the system catalogues", Value: tempTablesValue(&b.temp)},
		{Name: "tables", Doc: "populations of tables, in the order of pg_class", Required: true,
			Value: yamlfile.List(&b.populations, 1, populationValue)},
	}...).Kept(&b.node)
}

func populationValue(p *population) yamlfile.Value {
	p.count, p.fillfactor, p.indexes = 1, 100, 1
	return yamlfile.Object([]yamlfile.Field{
		{Name: "name", Doc: "name; %d in it is the number of the table, counted from 1", Required: true,
			Value: yamlfile.String(&p.name).Then(checkPattern).Kept(&p.nameNode)},
		{Name: "sql_name", Doc: "name of the table in SQL, quoted and with its schema, where name does not tell", Value: yamlfile.String(&p.sqlName)},
		{Name: "count", Doc: "number of tables; 1 unless given", Value: yamlfile.Whole(&p.count, 1, mostTables)},
		{Name: "rows", Doc: "live rows of a table at the start", Required: true,
			Value: rowsValue(&p.rows).Kept(&p.rowsNode)},
		{Name: "row_bytes", Doc: "mean width of a row with its header and line pointer", Required: true,
			Value: yamlfile.Whole(&p.rowBytes, leastRowBytes, mostRowBytes)},
		{Name: "fillfactor", Doc: "percentage; 100 unless given", Value: yamlfile.Whole(&p.fillfactor, 10, 100)},
		{Name: "indexes", Doc: "number of indexes; 1 unless given", Value: yamlfile.Whole(&p.indexes, 0, 1000)},
		{Name: "toast", Doc: "whether each has a TOAST table, an empty one, or what is in it; false unless given", Value: toastValue(p)},
		{Name: "temporary", Doc: "a temporary table: of a session that lives, or left by one that crashed", Value: yamlfile.OneOf(&p.temporary, live, orphaned)},
		{Name: "reltuples", Doc: "pg_class.reltuples, -1 for never vacuumed or analyzed; the rows unless given",
			Value: yamlfile.Number(&p.reltuples, -1, mostRows).Kept(&p.givenReltuples)},
		{Name: "all_visible", Doc: "share of pages in the visibility map; 1 unless given, 0 where reltuples is -1",
			Value: yamlfile.Number(&p.allVisible, 0, 1).Kept(&p.givenAllVisible)},
		{Name: "all_frozen", Doc: "share of pages that the visibility map has as all-frozen, at most all_visible; 0 unless given",
			Value: yamlfile.Number(&p.allFrozen, 0, 1)},
		{Name: "dead", Doc: "dead rows at the start", Value: rowsValue(&p.dead)},
		{Name: "mods", Doc: "rows changed since the last analyze", Value: rowsValue(&p.mods)},
		{Name: "inserts_since_vacuum", Doc: "rows inserted since the last vacuum", Value: rowsValue(&p.inserted)},
		{Name: "xid_age", Doc: "age of relfrozenxid", Value: yamlfile.Whole(&p.xidAge, 0, mostAge)},
		{Name: "multi_age", Doc: "age of relminmxid", Value: yamlfile.Whole(&p.multiAge, 0, mostAge)},
		{Name: "partitioned", Doc: "the parent of partitions, which autovacuum passes by", Value: yamlfile.Switch(&p.partitioned)},
		{Name: "forced_age", Doc: "an autovacuum_freeze_max_age of the tables below what PostgreSQL allows, as forks have had it", Value: yamlfile.Whole(&p.forcedAge, 0, 2_000_000_000).Kept(&p.givenForcedAge)},
		{Name: "no_stats", Doc: "whether the statistics know nothing of it at the start", Value: yamlfile.Switch(&p.noStats)},
		{Name: "options", Doc: "storage parameters; those of the TOAST table begin with toast.", Value: assignments(&p.options, optionNames()).As("options")},
		{Name: "activity", Doc: "what clients do to each table", Value: activityValue(&p.activity).Kept(&p.givenActivity)},
	}...).Kept(&p.node)
}

func activityValue(a *activity) yamlfile.Value { return activityOf(a, nil) }

// activityOf leaves out what nobody does to such a table.
func activityOf(a *activity, without []string) yamlfile.Value {
	var list []statement
	fields := []yamlfile.Field{
		{Name: "inserts", Doc: "rows inserted", Value: rateValue(&a.inserts)},
		{Name: "updates", Doc: "rows updated", Value: rateValue(&a.updates)},
		{Name: "deletes", Doc: "rows deleted", Value: rateValue(&a.deletes).Kept(&a.deletesNode)},
		{Name: "hot_share", Doc: "share of updates that change no indexed column; 0 unless given", Value: yamlfile.Number(&a.hotShare, 0, 1)},
		{Name: "poisson", Doc: "whether rows come one by one at random times; as a fluid unless given", Value: yamlfile.Switch(&a.poisson)},
		{Name: "statements", Doc: "single statements, in the order of time", Value: yamlfile.List(&list, 0, func(s *statement) yamlfile.Value { return statementValue(s, without) })},
	}
	return yamlfile.Object(leaveOut(fields, without)...).Then(func(*yamlfile.Decoder, string, ast.Node) error {
		for _, s := range list {
			a.statements = append(a.statements, s.Statement)
			a.statementNodes = append(a.statementNodes, s.node)
		}
		return nil
	})
}

type statement struct {
	workload.Statement
	node ast.Node
}

func statementValue(s *statement, without []string) yamlfile.Value {
	return yamlfile.Object(leaveOut([]yamlfile.Field{
		{Name: "at", Doc: "time since the start", Required: true, Value: yamlfile.Duration(&s.At, 0, mostRunFor).Kept(&s.node)},
		{Name: "insert", Doc: "rows inserted", Value: yamlfile.Whole(&s.Inserts, 0, mostRows)},
		{Name: "update", Doc: "rows updated", Value: yamlfile.Whole(&s.Updates, 0, mostRows)},
		{Name: "delete", Doc: "rows deleted", Value: yamlfile.Whole(&s.Deletes, 0, mostRows)},
	}, without)...)
}

// leaveOut are fields without those of some names.
func leaveOut(fields []yamlfile.Field, names []string) []yamlfile.Field {
	return slices.DeleteFunc(fields, func(f yamlfile.Field) bool { return slices.Contains(names, f.Name) })
}

// Keys are those at the top of a file of avsim run.
func Keys() []string {
	var out []string
	properties, _ := newRunFile(&yamlfile.Decoder{Noun: noun}).value().Schema["properties"].(map[string]any)
	for name := range properties {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
