package vacuum

// Usage is what a VACUUM, or a phase of it, did with pages and the log.
type Usage struct {
	// Hits, Reads and Dirtied are as the server's log tells them: pages found
	// in shared buffers, read into them, and changed while clean.
	Hits, Reads, Dirtied float64
	// Beside are the hits that do not go through the ring: of catalogues, free
	// space and visibility maps.
	Beside float64
	// HeapPages and IndexPages are those that were scanned, each time again.
	HeapPages, IndexPages float64
	// FromDevice are the reads that the operating system's cache did not have,
	// and Scattered those of them that do not follow one another.
	FromDevice, Scattered float64
	// RingWrites are pages that were written out so that the ring could take
	// another; Reuses those of the ring that were taken again.
	RingWrites, Reuses float64
	// Records, Images and WALBytes are what went to the write-ahead log: its
	// records, the images of pages in them, and the bytes of all.
	Records, Images, WALBytes float64
}

// Add adds another.
func (u *Usage) Add(o Usage) {
	u.Hits += o.Hits
	u.Reads += o.Reads
	u.Dirtied += o.Dirtied
	u.Beside += o.Beside
	u.HeapPages += o.HeapPages
	u.IndexPages += o.IndexPages
	u.FromDevice += o.FromDevice
	u.Scattered += o.Scattered
	u.RingWrites += o.RingWrites
	u.Reuses += o.Reuses
	u.Records += o.Records
	u.Images += o.Images
	u.WALBytes += o.WALBytes
}

// Cost is what it is charged.
func (u Usage) Cost(c PageCosts) float64 { return u.Hits*c.Hit + u.Reads*c.Miss + u.Dirtied*c.Dirty }
