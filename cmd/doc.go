// Package cmd is the avsim command: a file per subcommand, which reads flags,
// calls the rest of the program and prints. Main is importable, so that a
// program with strategies of its own gets every subcommand by one import.
package cmd
