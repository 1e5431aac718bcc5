/* Clocks, quantiles and a look at what else the machine was doing. */
#ifndef COMMON_H
#define COMMON_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static inline int64_t clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

static inline int64_t wall_ns(void) { return clock_ns(CLOCK_MONOTONIC); }
static inline int64_t cpu_ns(void) { return clock_ns(CLOCK_PROCESS_CPUTIME_ID); }

static inline void sleep_ns(int64_t ns)
{
	struct timespec ts = {ns / 1000000000, ns % 1000000000};

	nanosleep(&ts, NULL);
}

static inline void die(const char *what)
{
	perror(what);
	exit(1);
}

/* Processor time of the whole machine and of this program with its ended
 * children, in seconds since some moment. */
typedef struct Usage
{
	double wall, busy, steal, own;
} Usage;

static inline Usage usage_now(void)
{
	unsigned long long user = 0, nice = 0, sys = 0, idle = 0, iowait = 0,
					   irq = 0, softirq = 0, steal = 0;
	FILE *f = fopen("/proc/stat", "r");
	double tick = 1.0 / sysconf(_SC_CLK_TCK);
	Usage u;

	if (!f || fscanf(f, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &user, &nice,
					 &sys, &idle, &iowait, &irq, &softirq, &steal) != 8)
		die("/proc/stat");
	fclose(f);
	u.wall = wall_ns() * 1e-9;
	u.busy = (user + nice + sys + irq + softirq) * tick;
	u.steal = steal * tick;
	u.own = 0;
	for (int i = 0; i < 2; i++)
	{
		struct rusage r;

		getrusage(i ? RUSAGE_CHILDREN : RUSAGE_SELF, &r);
		u.own += r.ru_utime.tv_sec + r.ru_stime.tv_sec +
				 (r.ru_utime.tv_usec + r.ru_stime.tv_usec) * 1e-6;
	}
	return u;
}

/* Cores used by everybody else between two looks, and cores stolen by the
 * host. Coarse: the machine's figures come in clock ticks. */
static inline double others_cores(Usage a, Usage b)
{
	return ((b.busy - a.busy) - (b.own - a.own)) / (b.wall - a.wall);
}

static inline double steal_cores(Usage a, Usage b)
{
	return (b.steal - a.steal) / (b.wall - a.wall);
}

static inline int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *) a, y = *(const double *) b;

	return (x > y) - (x < y);
}

/* Quantile of a sorted array, by linear interpolation. */
static inline double quantile(const double *x, long n, double q)
{
	double at = q * (n - 1);
	long i = (long) at;

	return i + 1 < n ? x[i] + (at - i) * (x[i + 1] - x[i]) : x[n - 1];
}

#define SUMMARY_HEADER "count,mean_us,cv,p10_us,p50_us,p90_us,p99_us,sigma,sigma_step,tail"

#define P10_TO_P90 (2 * 1.2815515655) /* in standard deviations of a normal */

/* Spread from one value to the next, in units of sigma: what is left of it
 * when the machine's slow drift is taken out. */
static inline double step_sigma(const double *x, long n)
{
	double *step = malloc(sizeof *step * n), result = 0;

	for (long i = 0; i + 1 < n; i++)
		step[i] = log(x[i + 1] / x[i]);
	if (n > 1)
	{
		qsort(step, n - 1, sizeof *step, compare_doubles);
		result = (quantile(step, n - 1, 0.90) - quantile(step, n - 1, 0.10)) /
				 (P10_TO_P90 * sqrt(2));
	}
	free(step);
	return result;
}

/* Sorts x and prints the columns of SUMMARY_HEADER. sigma is that of the
 * lognormal distribution with the same p10 and p90; tail is p99/p50. */
static inline void print_summary(double *x, long n)
{
	double sum = 0, squares = 0, mean, p10, p50, p90, p99, step = step_sigma(x, n);

	qsort(x, n, sizeof *x, compare_doubles);
	for (long i = 0; i < n; i++)
		sum += x[i];
	mean = sum / n;
	for (long i = 0; i < n; i++)
		squares += (x[i] - mean) * (x[i] - mean);
	p10 = quantile(x, n, 0.10);
	p50 = quantile(x, n, 0.50);
	p90 = quantile(x, n, 0.90);
	p99 = quantile(x, n, 0.99);
	printf("%ld,%.2f,%.4f,%.2f,%.2f,%.2f,%.2f,%.4f,%.4f,%.3f", n, mean,
		   n > 1 ? sqrt(squares / (n - 1)) / mean : 0.0, p10, p50, p90, p99,
		   log(p90 / p10) / P10_TO_P90, step, p99 / p50);
}

#endif
