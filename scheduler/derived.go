package scheduler

import "avsim/workload/guc"

// derived is what a run needs of its settings with every vacuum: looked up once.
type derived struct {
	vacuum         vacuumInputs // what follows from the settings of it
	ages           freezeAges   // of a table without storage parameters
	templateAges   freezeAges   // likewise, in a template database
	from96, from15 bool         // PostgreSQL 9.6, 15 or younger
}

func derive(s guc.Settings) derived {
	from := func(v string) bool { return s.Version().AtLeast(guc.MustVersion(v)) }
	return derived{
		vacuum: newVacuumInputs(s), ages: newFreezeAges(s, nil, false), templateAges: newFreezeAges(s, nil, true),
		from96: from("9.6"), from15: from("15.0"),
	}
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
