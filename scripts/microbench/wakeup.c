/*
 * wakeup: what waking another process costs the caller, how soon the woken
 * one runs, and by how much a sleep overshoots. See README.md.
 *
 * The woken process blocks at once after each wake-up. The waker stays busy
 * throughout: it waits for the other to have blocked, lets its core idle for
 * the time asked for, and wakes it.
 */
#define _GNU_SOURCE
#include "common.h"

#include <linux/futex.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <sys/wait.h>

typedef enum Mode { SEMOP, FUTEX, SLEEP } Mode;

static const char *const mode_name[] = {"semop", "futex", "sleep"};

typedef struct Options
{
	Mode mode;
	bool pin;
	long idle_us, count;
} Options;

typedef struct Shared
{
	uint32_t tokens;          /* futex: wake-ups given so far */
	volatile long woken;      /* wake-ups the other has seen */
	volatile int64_t ran_at;  /* when it ran, and where */
	volatile int ran_on;
} Shared;

static int semaphore;

static void wait_for_token(Mode mode, Shared *s, uint32_t seen)
{
	struct sembuf take = {0, -1, 0};

	if (mode == SEMOP)
	{
		if (semop(semaphore, &take, 1))
			die("semop");
		return;
	}
	while (__atomic_load_n(&s->tokens, __ATOMIC_ACQUIRE) == seen)
		syscall(SYS_futex, &s->tokens, FUTEX_WAIT, seen, NULL, NULL, 0);
}

static void give_token(Mode mode, Shared *s)
{
	struct sembuf give = {0, 1, 0};

	if (mode == SEMOP)
	{
		if (semop(semaphore, &give, 1))
			die("semop");
		return;
	}
	__atomic_add_fetch(&s->tokens, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &s->tokens, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void pin_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof set, &set))
		die("sched_setaffinity");
}

static void be_woken(const Options *o, Shared *s)
{
	if (o->pin)
		pin_to(1);
	for (long i = 0; i < o->count; i++)
	{
		wait_for_token(o->mode, s, (uint32_t) i);
		s->ran_at = wall_ns();
		s->ran_on = sched_getcpu();
		__atomic_store_n(&s->woken, i + 1, __ATOMIC_RELEASE);
	}
	_exit(0);
}

static void spin_ns(int64_t ns)
{
	int64_t until = wall_ns() + ns;

	while (wall_ns() < until)
		;
}

static void print_row(const Options *o, const char *measure, double *x,
					  double same_core, double before_return, Usage before,
					  Usage after)
{
	printf("%s,%d,%ld,%s,", mode_name[o->mode], o->pin, o->idle_us, measure);
	print_summary(x, o->count);
	printf(",%.4f,%.4f,%.3f,%.3f\n", same_core, before_return,
		   others_cores(before, after), steal_cores(before, after));
}

static void measure_wakeups(const Options *o)
{
	Shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE,
					 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	double *call = malloc(sizeof *call * o->count);
	double *latency = malloc(sizeof *latency * o->count);
	double same_core = 0, before_return = 0;
	Usage before = usage_now(), after;
	pid_t pid;

	if (s == MAP_FAILED)
		die("mmap");
	if (o->mode == SEMOP && (semaphore = semget(IPC_PRIVATE, 1, 0600)) < 0)
		die("semget");
	if ((pid = fork()) < 0)
		die("fork");
	if (pid == 0)
		be_woken(o, s);
	if (o->pin)
		pin_to(0);
	sleep_ns(20000000);
	for (long i = 0; i < o->count; i++)
	{
		int64_t called, returned;
		int cpu;

		spin_ns(o->idle_us * 1000);
		cpu = sched_getcpu();
		called = wall_ns();
		give_token(o->mode, s);
		returned = wall_ns();
		while (__atomic_load_n(&s->woken, __ATOMIC_ACQUIRE) <= i)
			;
		call[i] = (returned - called) * 1e-3;
		latency[i] = (s->ran_at - called) * 1e-3;
		same_core += (cpu == s->ran_on) / (double) o->count;
		before_return += (s->ran_at < returned) / (double) o->count;
	}
	waitpid(pid, NULL, 0);
	if (o->mode == SEMOP)
		semctl(semaphore, 0, IPC_RMID);
	after = usage_now();
	print_row(o, "call", call, same_core, before_return, before, after);
	print_row(o, "latency", latency, same_core, before_return, before, after);
}

static void measure_sleeps(const Options *o)
{
	double *over = malloc(sizeof *over * o->count);
	Usage before = usage_now();

	for (long i = 0; i < o->count; i++)
	{
		int64_t start = wall_ns();

		sleep_ns(o->idle_us * 1000);
		over[i] = (wall_ns() - start) * 1e-3 - o->idle_us;
	}
	print_row(o, "overshoot", over, 0, 0, before, usage_now());
}

static void usage(const char *program)
{
	fprintf(stderr, "usage: %s [-m semop|futex|sleep] [-i IDLE_US] [-c COUNT]"
			" [-p] [-H]\n", program);
	exit(2);
}

int main(int argc, char **argv)
{
	Options o = {.mode = SEMOP, .idle_us = 1000, .count = 2000};
	bool header = true;
	int opt;

	while ((opt = getopt(argc, argv, "m:i:c:pH")) != -1)
		switch (opt)
		{
			case 'm':
				for (o.mode = SEMOP; strcmp(optarg, mode_name[o.mode]);)
					if (++o.mode > SLEEP)
						usage(argv[0]);
				break;
			case 'i': o.idle_us = atol(optarg); break;
			case 'c': o.count = atol(optarg); break;
			case 'p': o.pin = true; break;
			case 'H': header = false; break;
			default: usage(argv[0]);
		}
	if (o.idle_us < 0 || o.count < 1)
		usage(argv[0]);
	if (header)
		puts("mode,pinned,idle_us,measure," SUMMARY_HEADER
			 ",same_core,before_return,others_cores,steal_cores");
	if (o.mode == SLEEP)
		measure_sleeps(&o);
	else
		measure_wakeups(&o);
	return 0;
}
