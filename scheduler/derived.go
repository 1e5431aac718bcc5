package scheduler

import (
	"avsim/scheduler/vacuum"
	"avsim/workload/guc"
)

// derived is what a run needs of its settings with every vacuum: looked up once.
type derived struct {
	vacuum       vacuum.Settings
	ages         freezeAges // of a table without storage parameters
	templateAges freezeAges // likewise, in a template database
	delayTimed   bool       // track_cost_delay_timing
	// Ages beyond which failsafe is switched on, from 14.
	failsafeAge, failsafeMulti float64

	scoring scoring

	from96, from14, from15, from16, from18, from19 bool // PostgreSQL of that version or younger
}

func derive(s guc.Settings) derived {
	from := func(v string) bool { return s.Version().AtLeast(guc.MustVersion(v)) }
	d := derived{
		vacuum: vacuum.SettingsOf(s), ages: newFreezeAges(s, nil, false), templateAges: newFreezeAges(s, nil, true),
		from96: from("9.6"), from14: from("14.0"), from15: from("15.0"), from16: from("16.0"), from18: from("18"), from19: from("19"),
		scoring: newScoring(s),
	}
	d.delayTimed = s.Has("track_cost_delay_timing") && s.Bool("track_cost_delay_timing")
	if d.from14 {
		atLeast := func(name, forced string) float64 { return max(float64(s.Int(name)), 1.05*float64(s.Int(forced))) }
		d.failsafeAge = atLeast("vacuum_failsafe_age", "autovacuum_freeze_max_age")
		d.failsafeMulti = atLeast("vacuum_multixact_failsafe_age", "autovacuum_multixact_freeze_max_age")
	}
	return d
}

// freezeAges are the ages that a vacuum of a table freezes by.
func (c *live) freezeAges(t *liveTable) freezeAges {
	switch {
	case len(t.options) > 0:
		return newFreezeAges(c.settings, t.options, t.db.template)
	case t.db.template:
		return c.derived.templateAges
	}
	return c.derived.ages
}
