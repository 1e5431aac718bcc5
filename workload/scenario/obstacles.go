package scenario

import (
	"avsim/workload"
	"avsim/workload/yamlfile"
)

// obstacleFields are the keys at the top of a file for what stands in
// autovacuum's way.
func (f *runFile) obstacleFields() []yamlfile.Field {
	return []yamlfile.Field{
		{Name: "horizons", Doc: "snapshots that are held: what dies meanwhile cannot be removed", Value: yamlfile.List(&f.horizons, 0, horizonValue)},
		{Name: "locks", Doc: "locks on tables that conflict with vacuum and analyze", Value: yamlfile.List(&f.locks, 0, lockValue)},
		{Name: "incidents", Doc: "what happens to the server, in the order of time", Value: yamlfile.List(&f.incidents, 0, incidentValue)},
	}
}

// checkObstacles needs the databases checked, since their names must be clear.
func (f *runFile) checkObstacles() error {
	for _, check := range []func() error{f.checkHorizons, f.checkLocks, f.checkIncidents} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// obstacles are those of the run's length. The horizons that begin at random are
// drawn from the seed, those of each entry from a stream of its own.
func (f *runFile) obstacles(seed uint64) (out workload.Obstacles, err error) {
	if out.Horizons, err = f.heldHorizons(seed); err != nil {
		return workload.Obstacles{}, err
	}
	if out.Locks, err = f.askedLocks(); err != nil {
		return workload.Obstacles{}, err
	}
	out.Incidents = f.happened()
	return out, nil
}
