package experiment

import (
	"fmt"
	"iter"
	"slices"
)

// Merge goes through the records of all shards of a run, in the order of the
// run's points. Journals that do not belong together, a shard that is missing,
// given twice or not finished are errors before the first record; a point that
// is missing or there twice ends the sequence with an error.
func Merge(shards []*Journal) (iter.Seq2[Record, error], error) {
	if err := checkShards(shards); err != nil {
		return nil, err
	}
	return func(yield func(Record, error) bool) {
		var heads []head
		for _, j := range shards {
			next, stop := iter.Pull2(j.Records())
			defer stop()
			heads = append(heads, head{j: j, next: next})
		}
		for point := range shards[0].header.Points {
			r, err := take(heads, point)
			if !yield(r, err) || err != nil {
				return
			}
		}
	}, nil
}

// head is a shard's next record.
type head struct {
	j    *Journal
	next func() (Record, error, bool)
	r    Record
	full bool
}

// take takes a point from the shard that has it next.
func take(heads []head, point int) (Record, error) {
	found := -1
	for i := range heads {
		h := &heads[i]
		if !h.full {
			var err error
			if h.r, err, h.full = h.next(); err != nil {
				return Record{}, err
			}
		}
		switch {
		case !h.full || h.r.Point > point:
		case h.r.Point < point:
			return Record{}, fmt.Errorf("%s: point %d is there twice", h.j.Path(), h.r.Point)
		case found >= 0:
			return Record{}, fmt.Errorf("%s: point %d is in %s too", h.j.Path(), point, heads[found].j.Path())
		default:
			found = i
		}
	}
	if found < 0 {
		return Record{}, fmt.Errorf("point %d of %d is in no shard", point, heads[0].j.header.Points)
	}
	heads[found].full = false
	return heads[found].r, nil
}

func checkShards(shards []*Journal) error {
	first := shards[0].header
	by := make(map[int]*Journal, first.Shards)
	for _, j := range shards {
		h := j.header
		switch {
		case h.Model != first.Model:
			return fmt.Errorf("%s is of model version %s, %s of %s", j.Path(), h.Model, shards[0].Path(), first.Model)
		case h.Inputs != first.Inputs || h.Points != first.Points || !slices.Equal(h.Columns, first.Columns):
			return fmt.Errorf("%s is of another sweep than %s: its inputs are %s and %s", j.Path(), shards[0].Path(), h.Inputs, first.Inputs)
		case h.Shards != first.Shards:
			return fmt.Errorf("%s is one of %d shards, %s one of %d", j.Path(), h.Shards, shards[0].Path(), first.Shards)
		case by[h.Shard] != nil:
			return fmt.Errorf("%s: shard %d/%d is there twice, also as %s", j.Path(), h.Shard, h.Shards, by[h.Shard].Path())
		}
		by[h.Shard] = j
	}
	for shard := 1; shard <= first.Shards; shard++ {
		if by[shard] == nil {
			return fmt.Errorf("shard %d/%d is missing: %d of %d were given", shard, first.Shards, len(shards), first.Shards)
		}
	}
	for _, j := range shards {
		if !j.Whole() {
			return fmt.Errorf("%s: shard %d/%d is not finished, %d of %d points: go on with it by --resume",
				j.Path(), j.header.Shard, j.header.Shards, j.Count(), j.header.Items)
		}
	}
	return nil
}
