package guc

import (
	"math"
	"time"
)

// scale is one spelling of a unit and how many of the setting's own units it is.
type scale struct {
	name string
	per  float64
}

// scales lists, for each unit of a setting, the spellings that PostgreSQL takes,
// from the largest to the smallest (memory_unit_conversion_table and
// time_unit_conversion_table in guc.c). Spelling is case-sensitive.
var scales = map[Unit][]scale{
	Kilobyte:    {{"TB", 1 << 30}, {"GB", 1 << 20}, {"MB", 1 << 10}, {"kB", 1}, {"B", 1.0 / 1024}},
	Block:       {{"TB", 1 << 27}, {"GB", 1 << 17}, {"MB", 1 << 7}, {"kB", 1.0 / 8}, {"B", 1.0 / 8192}},
	Megabyte:    {{"TB", 1 << 20}, {"GB", 1 << 10}, {"MB", 1}, {"kB", 1.0 / 1024}, {"B", 1.0 / (1 << 20)}},
	Segment:     {{"TB", 1 << 16}, {"GB", 1 << 6}, {"MB", 1.0 / 16}, {"kB", 1.0 / (16 << 10)}, {"B", 1.0 / (16 << 20)}},
	Millisecond: {{"d", 86400e3}, {"h", 3600e3}, {"min", 60e3}, {"s", 1e3}, {"ms", 1}, {"us", 1e-3}},
	Second:      {{"d", 86400}, {"h", 3600}, {"min", 60}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}},
	Minute:      {{"d", 1440}, {"h", 60}, {"min", 1}, {"s", 1.0 / 60}, {"ms", 1.0 / 60e3}, {"us", 1.0 / 60e6}},
}

const (
	memoryHint = `Valid units for this parameter are "B", "kB", "MB", "GB", and "TB".`
	timeHint   = `Valid units for this parameter are "us", "ms", "s", "min", "h", and "d".`
)

func (u Unit) hint() string {
	switch u {
	case Kilobyte, Block, Megabyte, Segment:
		return memoryHint
	case Millisecond, Second, Minute:
		return timeHint
	}
	return ""
}

// toBase converts a number with a unit into the setting's own unit. As in
// PostgreSQL a fraction is rounded to a multiple of the next smaller unit:
// 30.1 GB is a whole number of MB.
func (u Unit) toBase(x float64, spelling string) (float64, bool) {
	list := scales[u]
	for i, s := range list {
		if s.name != spelling {
			continue
		}
		x *= s.per
		if i+1 < len(list) {
			small := list[i+1].per
			x = math.RoundToEven(x/small) * small
		}
		return x, true
	}
	return 0, false
}

// fromBase finds the unit in which SHOW writes x: the largest in which it is a
// whole number, exactly for an integer setting and to 1e-8 for a real one.
func (u Unit) fromBase(x float64, kind Kind) (float64, string) {
	list := scales[u]
	y := x
	for _, s := range list {
		y = x / s.per
		switch {
		case kind == Int && (s.per <= 1 || math.Mod(x, s.per) == 0):
			return y, s.name
		case kind == Real && math.Abs(math.RoundToEven(y)/y-1) <= 1e-8:
			return math.RoundToEven(y), s.name
		}
	}
	return y, list[len(list)-1].name
}

// duration and bytes say what one unit is; zero where it is not of that sort.
func (u Unit) duration() time.Duration {
	return map[Unit]time.Duration{Millisecond: time.Millisecond, Second: time.Second, Minute: time.Minute}[u]
}

func (u Unit) bytes() int64 {
	return map[Unit]int64{Kilobyte: 1 << 10, Block: 8 << 10, Megabyte: 1 << 20, Segment: 16 << 20}[u]
}
