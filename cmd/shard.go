package cmd

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// shard is one of several parts of a sweep, counted from 1.
type shard struct{ number, of int }

// mostShards bounds the number of shards.
const mostShards = 10_000

// shardOf reads --shard: i/n, auto, or auto/n where the environment tells the
// number but not how many there are.
func shardOf(text string, environ func(string) string) (shard, error) {
	if text == "" {
		return shard{1, 1}, nil
	}
	first, count, counted := strings.Cut(text, "/")
	var s shard
	var err error
	switch {
	case first == "auto":
		s, err = shardFrom(environ, count)
	case !counted:
		return s, usagef("--shard %s: accepted are i/n, such as 3/8, auto and auto/n", text)
	default:
		s, err = wholeShard(first, count)
	}
	if err != nil {
		return s, usagef("--shard %s: %w", text, err)
	}
	return s, nil
}

func wholeShard(number, of string) (shard, error) {
	i, err1 := strconv.Atoi(number)
	n, err2 := strconv.Atoi(of)
	if err1 != nil || err2 != nil || n < 1 || n > mostShards || i < 1 || i > n {
		return shard{}, fmt.Errorf("accepted is i/n with n from 1 to %d and i from 1 to n", mostShards)
	}
	return shard{i, n}, nil
}

// arrays are the batch systems whose array jobs are recognised, by the variable
// that holds a task's number.
var arrays = []struct {
	number string
	shard  func(environ func(string) string, count string) (shard, error)
}{
	{"SLURM_ARRAY_TASK_ID", slurmShard},
	{"JOB_COMPLETION_INDEX", func(e func(string) string, count string) (shard, error) {
		return fromZero(e, "JOB_COMPLETION_INDEX", "JOB_COMPLETION_COUNT", count)
	}},
	{"AWS_BATCH_JOB_ARRAY_INDEX", func(e func(string) string, count string) (shard, error) {
		return fromZero(e, "AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE", count)
	}},
}

// shardFrom finds the task in the environment of a batch system.
func shardFrom(environ func(string) string, count string) (shard, error) {
	var names []string
	var found []int
	for i, a := range arrays {
		names = append(names, a.number)
		if environ(a.number) != "" {
			found = append(found, i)
		}
	}
	switch {
	case len(found) == 0:
		return shard{}, fmt.Errorf("no array job: none of %s is set; accepted is i/n then", strings.Join(names, ", "))
	case len(found) > 1:
		return shard{}, fmt.Errorf("both %s and %s are set: accepted is i/n then", names[found[0]], names[found[1]])
	}
	return arrays[found[0]].shard(environ, count)
}

// fromZero is a task of a system that counts from 0. The count, if it is given,
// stands in for the variable.
func fromZero(environ func(string) string, number, variable, count string) (shard, error) {
	if count == "" {
		if count = environ(variable); count == "" {
			return shard{}, fmt.Errorf("%s is set, %s is not: give the number of tasks there, or as auto/n", number, variable)
		}
	}
	i, err := strconv.Atoi(environ(number))
	s, err2 := wholeShard(strconv.Itoa(i+1), count)
	if err != nil || err2 != nil {
		return s, fmt.Errorf("task %q of %q, counted from 0, is no shard", environ(number), count)
	}
	return s, nil
}

// slurmShard is a task of a Slurm array, whose numbers begin at
// SLURM_ARRAY_TASK_MIN and may go in steps, but have no gaps.
func slurmShard(environ func(string) string, count string) (shard, error) {
	names := []string{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP", "SLURM_ARRAY_TASK_COUNT"}
	values := make([]int, len(names))
	for i, name := range names {
		text := environ(name)
		if name == "SLURM_ARRAY_TASK_STEP" && text == "" {
			text = "1"
		}
		if name == "SLURM_ARRAY_TASK_COUNT" && count != "" {
			text = count
		}
		var err error
		if values[i], err = strconv.Atoi(text); err != nil {
			return shard{}, fmt.Errorf("%s is %q, not a number", name, text)
		}
	}
	id, least, most, step, n := values[0], values[1], values[2], values[3], values[4]
	if step < 1 || (most-least)/step+1 != n || (id-least)%step != 0 {
		return shard{}, fmt.Errorf("the array of %d tasks from %d to %d in steps of %d has gaps: submit one without", n, least, most, step)
	}
	return wholeShard(strconv.Itoa((id-least)/step+1), strconv.Itoa(n))
}

// file is the name of the shard's journal.
func (s shard) file() string {
	if s.of == 1 {
		return "sweep.journal"
	}
	return fmt.Sprintf("sweep.%d-of-%d.journal", s.number, s.of)
}

// environment looks a variable up.
func environment(name string) string { return os.Getenv(name) }

// withoutDoubles is a list in which nothing stands twice.
func withoutDoubles(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
