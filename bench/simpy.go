package main

import (
	_ "embed"
	"fmt"
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
		if exec.Command(python, "-c", "import simpy").Run() != nil {
			continue
		}
		out, err := exec.Command(python, "-c", simpyScript).Output()
		if err != nil {
			return 0, fmt.Errorf("%s: %w", python, err)
		}
		return strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	}
	return 0, fmt.Errorf("no python3 here has it (Debian: apt-get install python3-simpy3)")
}
