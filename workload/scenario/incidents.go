package scenario

import (
	"fmt"

	"avsim/workload"
	"avsim/workload/yamlfile"
)

// incident is what a file says of something that happens to the server.
type incident struct {
	at       instant
	what     workload.IncidentKind
	database reference
	place    int // of the database, -1 for all
}

func incidentValue(x *incident) yamlfile.Value {
	return yamlfile.Object(
		yamlfile.Field{Name: "at", Doc: "time since the start", Required: true, Value: instantValue(&x.at)},
		yamlfile.Field{Name: "what", Doc: "happens", Required: true,
			Value: yamlfile.OneOf(&x.what, workload.KillWorkers, workload.ResetStatistics, workload.Restart, workload.Crash)},
		yamlfile.Field{Name: "database", Doc: "whose statistics are reset; all unless given", Value: referenceValue(&x.database)},
	)
}

// checkIncidents finds their databases and holds their times against the run and
// each other.
func (f *runFile) checkIncidents() (err error) {
	for i := range f.incidents {
		x := &f.incidents[i]
		path := fmt.Sprintf("incidents[%d]", i)
		if err := f.within(path+".at", x.at.at, x.at.node); err != nil {
			return err
		}
		if i > 0 && x.at.at < f.incidents[i-1].at.at {
			return f.d.Fail(x.at.node, path+".at", "found "+yamlfile.FormatDuration(x.at.at)+", before the one above", "times in rising order")
		}
		if x.database.node != nil && x.what != workload.ResetStatistics {
			return f.d.Fail(x.database.node, path+".database", fmt.Sprintf("found a database with %s, which is of the whole server", x.what),
				fmt.Sprintf("one with %s only", workload.ResetStatistics))
		}
		if x.place, err = f.findDatabase(path+".database", x.database); err != nil {
			return err
		}
	}
	return nil
}

// happened are the incidents that happen before the run ends.
func (f *runFile) happened() (out []workload.Incident) {
	for _, x := range f.incidents {
		if x.at.at <= f.runFor {
			out = append(out, workload.Incident{At: x.at.at, Kind: x.what, Database: x.place})
		}
	}
	return out
}
