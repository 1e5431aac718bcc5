package scheduler

import (
	"avsim/workload/guc"
)

// StrategyOf is what a release of PostgreSQL does. The fix of BUG #13750 was
// back-patched in March 2018, so up to branch 10 the minor release decides; a
// branch without one stands for its last minor release.
func StrategyOf(v guc.Version) (Strategy, error) {
	switch {
	case v.AtLeast(guc.MustVersion("19")):
		return LookUp("scored")
	case v.AtLeast(guc.MustVersion("15.0")):
		return LookUp("shared-stats")
	case v.AtLeast(guc.MustVersion("14.0")):
		return LookUp("stale-first")
	case hasFix(v):
		return LookUp("claim-release")
	}
	return LookUp("original")
}

// WriteFormOf is how a release's collector answers inquiries: since August 2016
// one write serves all that were queued before it. The
// minor releases are unverified.
func WriteFormOf(v guc.Version) WriteForm {
	if before(v, "9.3.14", "9.4.9", "9.5.4") {
		return WritePerInquiry
	}
	return WriteServesAll
}

// tellsAlways tells whether a worker that was at no table scans pg_class nonetheless, and
// so asks for a launcher as long as a database is at risk: with autovacuum off, and another
// worker at what is to be done, the two start each other without end. Mended by commit
// c6a389792e of January 2017; the minor releases are those of February, by their date.
func tellsAlways(v guc.Version) bool { return before(v, "9.3.16", "9.4.11", "9.5.6", "9.6.2") }

// before tells whether a release is of the branch of one of these, and older.
func before(v guc.Version, mended ...string) bool {
	for _, first := range mended {
		f := guc.MustVersion(first)
		if f.Branch() == v.Branch() {
			return !v.AtLeast(f)
		}
	}
	return false
}

// hasFix tells whether a release has the recheck outside the lock.
func hasFix(v guc.Version) bool {
	return v.AtLeast(guc.MustVersion("9.3.23")) && !before(v, "9.3.23", "9.4.18", "9.5.13", "9.6.9", "10.4")
}
