// Package scheduler is PostgreSQL's autovacuum: launcher, workers, the claim of a table,
// the recheck before the work, statistics, triggers, the cost limit, and what a vacuum
// takes. It decides; what a database looks like and what is done to it is package
// workload's, and time, locks and processors are package sim's.
//
// There are two ways to use it. [Measure] is the protocol of the recorded runs: many
// tables are due at once, and it counts how fast the workers get through them. [Run]
// simulates hours or days of a scenario, in which tables come due by PostgreSQL's rules:
//
//	result, err := scheduler.Run(ctx, scheduler.RunConfig{
//		World: world, Settings: settings, Strategy: strategy, Host: host, For: 24 * time.Hour,
//	})
//
// Both account for each worker's time without a remainder ([Shares]) and give a [Verdict]:
// the constraint that binds.
//
// A [Strategy] is a named bundle of [Choices]: when the claim is taken, who may claim what,
// in which order, what a recheck reads. [Register] makes one known to every command, table
// and figure; strategy_leapfrog.go is an example, a file long. [StrategyOf] is that of a
// version of PostgreSQL.
//
// To read it like autovacuum.c: launcher.go and dblist.go are AutoVacLauncherMain, worker.go
// is do_autovacuum, claim.go and recheck.go its loop, needs.go relation_needs_vacanalyze,
// balance.go autovac_balance_cost. Package vacuum has what one VACUUM does. docs/model.md
// tells of each mechanism where it comes from and what holds it to PostgreSQL.
package scheduler
