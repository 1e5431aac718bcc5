package experiment

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"runtime/debug"
	"slices"
)

// Plan says what Run is to run.
type Plan[P any] struct {
	Points       iter.Seq[P] // made when they are needed, one after another
	Count        int         // how many points those are, for Progress
	Replications int         // of each point, at least 1

	// Jobs is the number of replications run at a time; 0 stands for
	// runtime.GOMAXPROCS.
	Jobs int

	// Unordered points are emitted as soon as they are complete.
	Unordered bool

	// Progress, if set, is told after each replication how many of how many
	// have ended; replications that Run was asked for beyond Replications do
	// not count. It is called from the goroutine that called Run.
	Progress func(done, total int)
}

// Points is a sequence of points at hand, for a Plan.
func Points[P any](points ...P) iter.Seq[P] { return slices.Values(points) }

// aheadPerJob limits how many points Run may be ahead of the oldest unfinished
// one, per job: enough to keep the processors busy while one point takes much
// longer than its neighbours, little enough to bound the results held.
const aheadPerJob = 16

// Run runs every replication of every point with one, several at a time, and
// hands each point's results to emit in the order of the plan, as soon as that
// point and all before it are complete, or for an Unordered plan at once. results[i] is that of replication i;
// err joins a ReplicationError for each replication that failed, whose result
// is then what it returned beside its error. emit is called from the goroutine
// that called Run.
//
// A replication that fails or panics fails its point alone. An error of emit
// ends the run. When ctx is cancelled nothing new is started; what runs is
// waited for, and all points that are complete are still emitted, in order,
// without those that are not.
//
// The error joins those of the points, in order, with that of emit, and with
// ctx's where it left points undone. Neither it nor what is emitted depends on
// Jobs, unless the run is cut short.
func Run[P, R any](
	ctx context.Context,
	plan Plan[P],
	one func(ctx context.Context, point P, replication int) (R, error),
	emit func(index int, point P, results []R, err error) error,
) error {
	return RunUntil(ctx, plan, one, nil, emit)
}

// RunUntil is Run where more, if it is not nil, is asked each time all
// replications of a point have ended without an error: it returns how many
// further ones that point needs, 0 for none. It is a function of the results
// alone, so that what is emitted does not depend on Jobs.
func RunUntil[P, R any](
	ctx context.Context,
	plan Plan[P],
	one func(ctx context.Context, point P, replication int) (R, error),
	more func(results []R) int,
	emit func(index int, point P, results []R, err error) error,
) error {
	if plan.Replications < 1 {
		return fmt.Errorf("a plan of %d replications: at least 1 is needed", plan.Replications)
	}
	if plan.Jobs < 0 {
		return fmt.Errorf("a plan of %d jobs: 0, for one per processor, or more are accepted", plan.Jobs)
	}
	if plan.Jobs == 0 {
		plan.Jobs = runtime.GOMAXPROCS(0)
	}
	working, stop := context.WithCancel(ctx)
	defer stop()
	points, end := iter.Pull(plan.Points)
	defer end()
	r := &run[P, R]{
		plan:    plan,
		points:  points,
		one:     one,
		more:    more,
		emit:    emit,
		ctx:     working,
		stop:    stop,
		ended:   make(chan outcome[R], plan.Jobs),
		pending: map[int]*pending[P, R]{},
	}
	r.work()
	r.emitRest()
	if r.undone {
		r.fail(ctx.Err())
	}
	return errors.Join(r.errs...)
}

// ReplicationError tells which replication failed, and how.
type ReplicationError struct {
	Point       int // index in the plan, counted from 0
	Replication int // counted from 0
	Err         error
	Stack       []byte // of the panic, if it was one
}

// Error names point and replication; after a panic it includes the stack.
func (e *ReplicationError) Error() string {
	if e.Stack == nil {
		return fmt.Sprintf("point %d, replication %d: %v", e.Point, e.Replication, e.Err)
	}
	return fmt.Sprintf("point %d, replication %d panicked: %v\n%s", e.Point, e.Replication, e.Err, e.Stack)
}

// Unwrap returns the replication's own error.
func (e *ReplicationError) Unwrap() error { return e.Err }

// run is the state of a call of Run. Only the calling goroutine touches it; the
// replications' goroutines send their outcomes over ended.
type run[P, R any] struct {
	plan   Plan[P]
	points func() (P, bool)
	one    func(context.Context, P, int) (R, error)
	more   func([]R) int
	emit   func(int, P, []R, error) error

	ctx   context.Context // the replications'
	stop  context.CancelFunc
	ended chan outcome[R]

	pending map[int]*pending[P, R] // by point: begun and not yet emitted
	queue   []task[P]              // replications to start, of points that are begun
	oldest  int                    // first point that has not been emitted
	next    int                    // the next point to begin
	running int
	done    int
	undone  bool // points were left out, or a replication was cut short
	failed  bool // emit returned an error
	errs    []error
}

// task is one replication to run.
type task[P any] struct {
	point       int
	value       P
	replication int
}

// outcome is what became of one replication.
type outcome[R any] struct {
	point, replication int
	result             R
	err                error
}

// pending gathers a point's results.
type pending[P, R any] struct {
	value   P
	results []R
	errs    []error // by replication
	left    int     // replications to come
}

// work runs replications until all have ended or no more may start.
func (r *run[P, R]) work() {
	for {
		for r.running < r.plan.Jobs && r.start() {
		}
		if r.running == 0 {
			return
		}
		r.settle(<-r.ended)
		r.emitPrefix()
	}
}

// start runs the next replication in a goroutine of its own, if there is one
// that may start.
func (r *run[P, R]) start() bool {
	if len(r.queue) == 0 && !r.begin() {
		return false
	}
	if r.ctx.Err() != nil {
		r.undone = true
		return false
	}
	t := r.queue[0]
	r.queue = r.queue[1:]
	r.running++
	go r.replicate(t)
	return true
}

// begin queues the replications of the next point, unless it is too far ahead
// of the oldest that is not complete.
func (r *run[P, R]) begin() bool {
	if r.next-r.oldest >= aheadPerJob*r.plan.Jobs {
		return false
	}
	point, ok := r.points()
	if !ok {
		return false
	}
	r.pending[r.next] = &pending[P, R]{value: point}
	r.add(r.next, r.plan.Replications)
	r.next++
	return true
}

// add queues so many further replications of a point.
func (r *run[P, R]) add(point, n int) {
	p := r.pending[point]
	for i := range n {
		r.queue = append(r.queue, task[P]{point, p.value, len(p.results) + i})
	}
	p.results = append(p.results, make([]R, n)...)
	p.errs = append(p.errs, make([]error, n)...)
	p.left += n
}

// replicate runs one replication and sends its outcome, however it ends.
func (r *run[P, R]) replicate(t task[P]) {
	o := outcome[R]{point: t.point, replication: t.replication}
	returned := false
	defer func() {
		if !returned {
			failure := &ReplicationError{Point: t.point, Replication: t.replication, Stack: debug.Stack()}
			switch value := recover().(type) {
			case nil:
				failure.Err = errors.New("runtime.Goexit was called")
			case error:
				failure.Err = value
			default:
				failure.Err = fmt.Errorf("%v", value)
			}
			o.err = failure
		}
		r.ended <- o
	}()
	result, err := r.one(r.ctx, t.value, t.replication)
	o.result = result
	if err != nil {
		o.err = &ReplicationError{Point: t.point, Replication: t.replication, Err: err}
	}
	returned = true
}

// settle files an outcome with its point. A replication that gave up because
// the run was cut short has not failed: its point stays incomplete.
func (r *run[P, R]) settle(o outcome[R]) {
	r.running--
	if r.ctx.Err() != nil && (errors.Is(o.err, r.ctx.Err()) || errors.Is(o.err, context.Cause(r.ctx))) {
		r.undone = true
		return
	}
	p := r.pending[o.point]
	p.results[o.replication], p.errs[o.replication] = o.result, o.err
	p.left--
	if o.replication < r.plan.Replications {
		r.done++
	}
	if r.plan.Progress != nil {
		r.plan.Progress(r.done, r.plan.Count*r.plan.Replications)
	}
	if p.left > 0 {
		return
	}
	if r.more != nil && errors.Join(p.errs...) == nil {
		r.add(o.point, max(r.more(p.results), 0))
	}
	if p.left == 0 && r.plan.Unordered && !r.failed {
		r.emitPoint(o.point, p)
	}
}

// emitPrefix emits the complete points up to the first incomplete one.
func (r *run[P, R]) emitPrefix() {
	for ; r.oldest < r.next && !r.failed; r.oldest++ {
		p, waits := r.pending[r.oldest]
		if !waits {
			continue // emitted already
		}
		if p.left > 0 {
			return
		}
		r.emitPoint(r.oldest, p)
	}
}

// emitRest emits what is complete of a run that was cut short, and keeps the
// errors of what is not.
func (r *run[P, R]) emitRest() {
	for ; r.oldest < r.next; r.oldest++ {
		p, waits := r.pending[r.oldest]
		switch {
		case !waits:
		case p.left == 0 && !r.failed:
			r.emitPoint(r.oldest, p)
		default:
			delete(r.pending, r.oldest)
			r.fail(errors.Join(p.errs...))
		}
	}
}

func (r *run[P, R]) emitPoint(index int, p *pending[P, R]) {
	delete(r.pending, index)
	err := errors.Join(p.errs...)
	r.fail(err)
	if err := r.emit(index, p.value, p.results, err); err != nil {
		r.fail(err)
		r.failed = true
		r.stop()
	}
}

// fail keeps an error, if it is one, for the end.
func (r *run[P, R]) fail(err error) {
	if err != nil {
		r.errs = append(r.errs, err)
	}
}
