//go:build unix

package experiment

import (
	"errors"
	"os"
	"syscall"
)

// lock takes a file for this process alone, until it is closed. A file system
// that has no locks does without.
func lock(f *os.File) error {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrBusy
	}
	return nil
}
