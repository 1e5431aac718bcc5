package sim

// event is a pending call of a handler. It holds no pointer, so the garbage
// collector never scans the calendar.
type event struct {
	at      Time
	arg     int64
	handler HandlerID
	next    uint32 // place of the event after it in a list of the radix heap
}

// fewEvents is up to how many events a sorted row beats the radix heap.
const fewEvents = 32

// calendar is the set of pending events: a sorted row while they are few, a
// radix heap when they are many, never both. Its zero value is empty and ready
// to use.
type calendar struct {
	row  [fewEvents]event // the earliest last
	n    int              // events in the row
	many radixHeap
}

// push adds an event, which must not lie before the one taken last.
func (c *calendar) push(at Time, handler HandlerID, arg int64) {
	if c.n == fewEvents || !c.many.empty() {
		c.moveRow()
		c.many.push(at, handler, arg)
		return
	}
	i := c.n
	for ; i > 0 && c.row[i-1].at <= at; i-- {
		c.row[i] = c.row[i-1]
	}
	c.row[i] = event{at: at, handler: handler, arg: arg}
	c.n++
}

// moveRow moves the events of the row to the radix heap.
func (c *calendar) moveRow() {
	for ; c.n > 0; c.n-- {
		e := &c.row[c.n-1]
		c.many.push(e.at, e.handler, e.arg)
	}
}

// pop takes the earliest event, of those at one instant the one that was
// pushed first, unless it lies after until or there is none.
func (c *calendar) pop(until Time) (event, bool) {
	if c.n == 0 {
		return c.many.pop(until)
	}
	e := c.row[c.n-1]
	if e.at > until {
		return event{}, false
	}
	c.n--
	return e, true
}

// none tells whether no event is due up to and at instant t.
func (c *calendar) none(t Time) bool { return c.empty() || c.earliest() > t }

func (c *calendar) empty() bool { return c.n == 0 && c.many.empty() }

// earliest is the instant of the earliest event; the calendar must not be empty.
func (c *calendar) earliest() Time {
	if c.n > 0 {
		return c.row[c.n-1].at
	}
	return c.many.earliest()
}
