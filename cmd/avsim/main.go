// Command avsim simulates PostgreSQL's autovacuum scheduler.
package main

import (
	"os"

	"avsim/cmd"
)

func main() { os.Exit(cmd.Main(os.Args[1:], os.Stdout, os.Stderr)) }
