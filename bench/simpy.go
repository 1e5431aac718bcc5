package main

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

const simpyName = "mm1/SimPy"

//go:embed simpy/mm1.py
var simpyScript string

// simpyMM1 is the processor time per customer of SimPy, in ns, by the first Python
// that has it: that of Debian's python3-simpy3 or another.
func simpyMM1() (float64, error) {
	for _, python := range []string{"/usr/bin/python3", "python3"} {
		if command(python, "import simpy; simpy.Environment").Run() != nil {
			continue
		}
		out, err := command(python, simpyScript).Output()
		if err != nil {
			return 0, fmt.Errorf("%s: %w", python, err)
		}
		return strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	}
	return 0, fmt.Errorf("no python3 here has it (Debian: apt-get install python3-simpy3)")
}

// command runs a script in a folder in which no other is called simpy: Python would take
// that for the package.
func command(python, script string) *exec.Cmd {
	c := exec.Command(python, "-c", script)
	c.Dir = os.TempDir()
	return c
}
