// Package imported makes a scenario of avsim run out of what a server tells of itself:
// an export of its catalogues and statistics (package pgexport) and its log (package
// pglog). Each figure of the scenario bears a comment that tells where it comes from.
package imported
