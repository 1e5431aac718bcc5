package cmd

import (
	"encoding/json"
	"io"
	"math"

	"avsim/scheduler"
	"avsim/scheduler/advise"
)

// The JSON form of advise; docs/output.md describes it.
type (
	adviseMeasureJSON struct {
		Term   string   `json:"term"`
		Figure string   `json:"figure"`
		Table  string   `json:"table,omitempty"`
		Bound  float64  `json:"bound"`
		Mean   *float64 `json:"mean"`
		Lo     *float64 `json:"lo"`
		Hi     *float64 `json:"hi"`
		Worst  float64  `json:"worst"`
		Holds  bool     `json:"holds"`
		Visits *int     `json:"visits"`
	}
	adviseChangeJSON struct {
		Database string `json:"database,omitempty"`
		Table    string `json:"table,omitempty"`
		Name     string `json:"name"`
		From     string `json:"from"`
		Value    string `json:"value"`
		Restart  bool   `json:"restart"`
	}
	advisePointJSON struct {
		Step         string              `json:"step,omitempty"`
		Changes      []adviseChangeJSON  `json:"changes"`
		Slots        int                 `json:"worker_slots"`
		Budget       *float64            `json:"io_budget_units_per_s"`
		Reads        *float64            `json:"io_budget_read_mb_per_s"`
		Dirtied      *float64            `json:"io_budget_dirtied_mb_per_s"`
		Spent        float64             `json:"spent_units_per_s"`
		Holds        bool                `json:"holds"`
		Replications int                 `json:"replications"`
		Measures     []adviseMeasureJSON `json:"measures"`
		Verdict      scheduler.Verdict   `json:"verdict"`
	}
	adviseJSON struct {
		Run          runInputs         `json:"run"`
		Objective    string            `json:"objective"`
		Free         []string          `json:"free"`
		Replications int               `json:"replications"`
		Runs         int               `json:"runs"`
		Budget       int               `json:"budget"`
		Cut          string            `json:"cut"`
		MetNow       bool              `json:"met_now"`
		Found        bool              `json:"found"`
		Now          *advisePointJSON  `json:"now"`
		Advice       *advisePointJSON  `json:"advice"`
		Nearest      *advisePointJSON  `json:"nearest"`
		InTheWay     string            `json:"in_the_way"`
		Cheaper      []advisePointJSON `json:"one_step_cheaper"`
		Front        []advisePointJSON `json:"front"`
		Alone        []advisePointJSON `json:"alone"`
		Statements   []string          `json:"statements"`
	}
)

func (o *adviseOutput) json(w io.Writer) error {
	a := o.advice
	out := adviseJSON{
		Run: o.in, Objective: o.unmet(), Replications: o.problem.Replications, Runs: a.Runs, Budget: o.problem.MostRuns,
		Cut: cutText(a.Cut), MetNow: o.met(), Found: a.Best != nil, Now: o.pointJSON("", a.Now), Advice: o.pointJSON("", a.Best),
		Nearest: o.pointJSON("", a.Nearest), Free: []string{}, Cheaper: []advisePointJSON{}, Front: []advisePointJSON{}, Alone: []advisePointJSON{}, Statements: []string{},
	}
	for _, d := range a.Space {
		out.Free = append(out.Free, d.Name)
	}
	if a.Best == nil {
		out.InTheWay = o.obstacle()
	}
	for _, s := range a.Cheaper {
		out.Cheaper = append(out.Cheaper, *o.pointJSON(stepName(s), s.Outcome))
	}
	for _, p := range a.Front {
		out.Front = append(out.Front, *o.pointJSON("", p))
	}
	for _, s := range a.Alone {
		out.Alone = append(out.Alone, *o.pointJSON(s.Dimension+" from "+s.From+" to "+s.To, s.Outcome))
	}
	out.Statements = append(out.Statements, o.statements()...)
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(out)
}

func (o *adviseOutput) pointJSON(step string, p *advise.Outcome) *advisePointJSON {
	if p == nil {
		return nil
	}
	reads, dirtied := o.mbPerSecond(p.Rate)
	out := &advisePointJSON{Step: step, Changes: []adviseChangeJSON{}, Slots: p.Slots, Reads: known(reads), Dirtied: known(dirtied),
		Spent: p.Spent, Holds: p.Holds, Replications: p.Replications, Verdict: p.Verdict}
	if p.Rate > 0 {
		out.Budget = &p.Rate
	}
	for _, c := range p.Changes {
		out.Changes = append(out.Changes, adviseChangeJSON{c.Database, c.Table, c.Name, c.From, c.Value, c.Restart})
	}
	for _, m := range p.Measured {
		x := adviseMeasureJSON{Term: m.Term.Text, Figure: m.Term.Figure, Table: m.Term.Table, Bound: m.Term.Bound,
			Mean: known(m.Interval.Mean), Lo: finite(m.Interval.Lo), Hi: finite(m.Interval.Hi), Worst: m.Worst, Holds: m.Holds}
		if m.Visits >= 0 {
			x.Visits = &m.Visits
		}
		out.Measures = append(out.Measures, x)
	}
	return out
}

// finite is a number, or null for one that is none.
func finite(x float64) *float64 {
	if math.IsInf(x, 0) {
		return nil
	}
	return known(x)
}
