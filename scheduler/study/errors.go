package study

import "fmt"

// WhereError is that of a condition which cannot be worked out for a point.
type WhereError struct{ err error }

func (e *WhereError) Error() string { return e.err.Error() }

// Unwrap returns the condition's own error.
func (e *WhereError) Unwrap() error { return e.err }

// SettingError is that of a setting which a point cannot have.
type SettingError struct {
	Name string
	err  error
}

func (e *SettingError) Error() string { return e.err.Error() }

// Unwrap returns the setting's own error.
func (e *SettingError) Unwrap() error { return e.err }

// FieldError is that of a value in a place of a scenario's file.
type FieldError struct {
	Path string
	err  error
}

func (e *FieldError) Error() string { return e.err.Error() }

// Unwrap returns the scenario's own error.
func (e *FieldError) Unwrap() error { return e.err }

// FigureError is that of a figure of the host.
type FigureError struct {
	Path string
	err  error
}

func (e *FigureError) Error() string { return fmt.Sprintf("%s: %v", e.Path, e.err) }

// Unwrap returns the profile's own error.
func (e *FigureError) Unwrap() error { return e.err }
