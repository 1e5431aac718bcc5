package experiment

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
)

// Plan says what Run is to run.
type Plan[P any] struct {
	Points       []P
	Replications int // of each point, at least 1

	// Jobs is the number of replications run at a time; 0 stands for
	// runtime.GOMAXPROCS.
	Jobs int

	// Progress, if set, is told after each replication how many of how many
	// have ended. It is called from the goroutine that called Run.
	Progress func(done, total int)
}

// aheadPerJob limits how many points Run may be ahead of the oldest unfinished
// one, per job: enough to keep the processors busy while one point takes much
// longer than its neighbours, little enough to bound the results held.
const aheadPerJob = 16

// Run runs every replication of every point with one, several at a time, and
// hands each point's results to emit in the order of the plan, as soon as that
// point and all before it are complete. results[i] is that of replication i;
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
	r := &run[P, R]{
		plan:    plan,
		one:     one,
		emit:    emit,
		ctx:     working,
		stop:    stop,
		ended:   make(chan outcome[R], plan.Jobs),
		pending: map[int]*pending[R]{},
	}
	r.work()
	r.emitRest()
	if r.next < len(plan.Points) || r.undone {
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
	plan Plan[P]
	one  func(context.Context, P, int) (R, error)
	emit func(int, P, []R, error) error

	ctx   context.Context // the replications'
	stop  context.CancelFunc
	ended chan outcome[R]

	pending map[int]*pending[R] // by point: begun and not yet emitted
	oldest  int                 // first point that has not been emitted
	next    int                 // point of the next replication to start
	nextRep int                 // its number
	running int
	done    int
	undone  bool // a replication was cut short
	failed  bool // emit returned an error
	errs    []error
}

// outcome is what became of one replication.
type outcome[R any] struct {
	point, replication int
	result             R
	err                error
}

// pending gathers a point's results.
type pending[R any] struct {
	results []R
	errs    []error // by replication
	left    int     // replications to come
}

// work runs replications until all have ended or no more may start.
func (r *run[P, R]) work() {
	for {
		for r.running < r.plan.Jobs && r.mayStart() {
			r.start()
		}
		if r.running == 0 {
			return
		}
		r.settle(<-r.ended)
		r.emitPrefix()
	}
}

func (r *run[P, R]) mayStart() bool {
	ahead := aheadPerJob * r.plan.Jobs
	return r.next < len(r.plan.Points) && r.next-r.oldest < ahead && r.ctx.Err() == nil
}

// start runs the next replication in a goroutine of its own.
func (r *run[P, R]) start() {
	if r.nextRep == 0 {
		n := r.plan.Replications
		r.pending[r.next] = &pending[R]{results: make([]R, n), errs: make([]error, n), left: n}
	}
	go r.replicate(r.next, r.nextRep)
	r.running++
	if r.nextRep++; r.nextRep == r.plan.Replications {
		r.next, r.nextRep = r.next+1, 0
	}
}

// replicate runs one replication and sends its outcome, however it ends.
func (r *run[P, R]) replicate(point, replication int) {
	o := outcome[R]{point: point, replication: replication}
	returned := false
	defer func() {
		if !returned {
			failure := &ReplicationError{Point: point, Replication: replication, Stack: debug.Stack()}
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
	result, err := r.one(r.ctx, r.plan.Points[point], replication)
	o.result = result
	if err != nil {
		o.err = &ReplicationError{Point: point, Replication: replication, Err: err}
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
	r.done++
	if r.plan.Progress != nil {
		r.plan.Progress(r.done, len(r.plan.Points)*r.plan.Replications)
	}
}

// emitPrefix emits the complete points up to the first incomplete one.
func (r *run[P, R]) emitPrefix() {
	for !r.failed {
		p, begun := r.pending[r.oldest]
		if !begun || p.left > 0 {
			return
		}
		r.emitPoint(r.oldest, p)
		r.oldest++
	}
}

// emitRest emits what is complete of a run that was cut short, and keeps the
// errors of what is not.
func (r *run[P, R]) emitRest() {
	for ; r.oldest < len(r.plan.Points) && len(r.pending) > 0; r.oldest++ {
		p, begun := r.pending[r.oldest]
		switch {
		case !begun:
		case p.left == 0 && !r.failed:
			r.emitPoint(r.oldest, p)
		default:
			delete(r.pending, r.oldest)
			r.fail(errors.Join(p.errs...))
		}
	}
}

func (r *run[P, R]) emitPoint(index int, p *pending[R]) {
	delete(r.pending, index)
	err := errors.Join(p.errs...)
	r.fail(err)
	if err := r.emit(index, r.plan.Points[index], p.results, err); err != nil {
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
