package plots

import "errors"

// ErrNothingToDraw is wrapped by the error of a figure whose table is in order
// but has nothing that the figure could show: no row with a number above zero
// for a logarithmic axis, or one worker count for [Workers].
var ErrNothingToDraw = errors.New("nothing to draw")

// A drawless error says why there is nothing to draw.
type drawless struct{ why string }

func (e drawless) Error() string { return e.why }
func (e drawless) Unwrap() error { return ErrNothingToDraw }
