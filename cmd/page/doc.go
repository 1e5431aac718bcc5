// Package page serves a page of controls and figures to a browser on the same machine. It
// knows HTTP and nothing of what is asked: a [Server] has a few questions, each a function
// of the controls' values that returns what becomes JSON.
//
// What it holds to, whatever comes in: a request is refused unless its Host names this
// machine (so that no other site's name can be pointed here) and its Origin, if it has one,
// is the page's own; only GET and HEAD of a fixed list of paths are answered; bodies,
// headers and times are bounded; so many questions are worked on at a time, so many wait,
// and others are told to come again; what nobody waits for any more is stopped.
package page
