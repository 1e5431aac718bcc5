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
	for _, first := range []string{"9.3.14", "9.4.9", "9.5.4"} {
		f := guc.MustVersion(first)
		if f.Branch() == v.Branch() && !v.AtLeast(f) {
			return WritePerInquiry
		}
	}
	return WriteServesAll
}

// hasFix tells whether a release has the recheck outside the lock.
func hasFix(v guc.Version) bool {
	for _, first := range []string{"9.3.23", "9.4.18", "9.5.13", "9.6.9", "10.4"} {
		f := guc.MustVersion(first)
		if f.Branch() == v.Branch() {
			return v.AtLeast(f)
		}
	}
	return v.AtLeast(guc.MustVersion("11.0"))
}
