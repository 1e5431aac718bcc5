package foreground

import "time"

// PageBytes is the size of a page.
const PageBytes = 8192

// Machine is what clients and VACUUM share.
type Machine struct {
	Cores int
	// Depth is how many requests the device works on at once, Bandwidth its bytes a
	// second, 0 for no limit.
	Depth     int
	Bandwidth float64
	// ReadLatency is the mean time until a page begins to flow, exponential;
	// FlushLatency that of making the log durable, constant.
	ReadLatency, FlushLatency time.Duration
	// Variation is the sigma of the log-normal distribution by which the processor
	// time of a transaction varies.
	Variation float64
}

// Load is who asks. Clients in a circle, each of which thinks for an exponential
// time after an answer; or, with Rate above zero, transactions that come at random
// times whether others are done or not.
type Load struct {
	Clients int
	Think   time.Duration
	Rate    float64 // a second
}

// Demand is what a transaction asks for on average.
type Demand struct {
	CPU      time.Duration
	Reads    float64 // pages from the device, one after the other
	Writes   float64 // pages that are written for it later, by somebody else
	LogBytes float64 // of log to be made durable before the answer; 0 for none
}

// Work is what a VACUUM does with each page of a phase, on average.
type Work struct {
	CPU      time.Duration
	Idle     time.Duration // asleep for the cost limit, or waiting for what is not here
	Reads    float64       // pages from the device
	Writes   float64       // pages written
	LogBytes float64
	// Ring is the buffer ring in pages, 0 for none. Once so many pages were written
	// the log is made durable: a page that was changed may not go before that.
	Ring float64
	// Ahead is how many pages the kernel reads at once, at least one.
	Ahead int
}
