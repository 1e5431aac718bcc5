/*
 * readstats: the time to read a PostgreSQL 9.5 statistics file into a hash
 * table, for one reader or several at once. See README.md.
 *
 * The reader does what pgstat_read_db_statsfile does: one byte of tag and one
 * entry of 168 bytes at a time through stdio, each entered into a dynahash
 * table (linear hashing, one element a bucket, segments of 256 buckets,
 * elements allocated 44 at a time) inside a memory context whose blocks
 * double from 8 kB to 8 MB. The file is in the order in which the collector
 * writes it, which is the bucket order of a table of the same kind.
 */
#define _GNU_SOURCE
#include "common.h"

#include <malloc.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/wait.h>

/* ---- memory context ------------------------------------------------- */

enum { BLOCK_FIRST = 8 << 10, BLOCK_MAX = 8 << 20, CHUNK_MAX = 8 << 10 };
enum { BLOCK_HEADER = 32, CHUNK_HEADER = 16 };

typedef struct Block
{
	struct Block *next;
	char *free, *end;
} Block;

typedef struct Context
{
	Block *blocks;
	size_t next_size;
} Context;

static Block *new_block(Context *cx, size_t size)
{
	Block *b = malloc(size);

	if (!b)
		die("malloc");
	b->next = cx->blocks;
	b->free = (char *) b + BLOCK_HEADER;
	b->end = (char *) b + size;
	cx->blocks = b;
	return b;
}

static void *context_alloc(Context *cx, size_t size)
{
	size_t chunk = 8;
	Block *b = cx->blocks;
	char *p;

	while (chunk < size)
		chunk <<= 1;
	chunk += CHUNK_HEADER;
	if (!b || (size_t) (b->end - b->free) < chunk)
	{
		size_t block_size = cx->next_size;

		if (cx->next_size < BLOCK_MAX)
			cx->next_size <<= 1;
		while (block_size < chunk + BLOCK_HEADER)
			block_size <<= 1;
		b = new_block(cx, block_size);
	}
	p = b->free + CHUNK_HEADER;
	b->free += chunk;
	return p;
}

static void context_free(Context *cx)
{
	Block *b = cx->blocks;

	while (b)
	{
		Block *next = b->next;

		free(b);
		b = next;
	}
	cx->blocks = NULL;
	cx->next_size = BLOCK_FIRST;
}

/* ---- hash table ----------------------------------------------------- */

enum { SEGMENT = 256, FIRST_BUCKETS = 512, FIRST_DIRECTORY = 256, BATCH = 44 };

typedef struct Entry
{
	uint32_t id;
	char counters[164];
} Entry;

typedef struct Element
{
	struct Element *link;
	uint32_t hash;
	Entry entry;
} Element;

_Static_assert(sizeof(Entry) == 168 && sizeof(Element) == 184, "layout");

typedef Element *Segment[SEGMENT];

typedef struct Table
{
	Context cx;
	Segment **directory;
	long directory_size, segments, entries;
	uint32_t max_bucket, low_mask, high_mask;
	Element *free_elements;
} Table;

static uint32_t rot(uint32_t x, int k) { return x << k | x >> (32 - k); }

static uint32_t hash_id(uint32_t k)
{
	uint32_t a, b, c;

	a = b = c = 0x9e3779b9 + (uint32_t) sizeof(uint32_t) + 3923095;
	a += k;
	c ^= b; c -= rot(b, 14);
	a ^= c; a -= rot(c, 11);
	b ^= a; b -= rot(a, 25);
	c ^= b; c -= rot(b, 16);
	a ^= c; a -= rot(c, 4);
	b ^= a; b -= rot(a, 14);
	c ^= b; c -= rot(b, 24);
	return c;
}

static Segment *new_segment(Table *t)
{
	Segment *s = context_alloc(&t->cx, sizeof *s);

	memset(s, 0, sizeof *s);
	return s;
}

static void table_create(Table *t)
{
	memset(t, 0, sizeof *t);
	t->cx.next_size = BLOCK_FIRST;
	t->directory_size = FIRST_DIRECTORY;
	t->directory = context_alloc(&t->cx, t->directory_size * sizeof *t->directory);
	while (t->segments < FIRST_BUCKETS / SEGMENT)
		t->directory[t->segments++] = new_segment(t);
	t->max_bucket = t->low_mask = FIRST_BUCKETS - 1;
	t->high_mask = (FIRST_BUCKETS << 1) - 1;
}

static Element **bucket_head(Table *t, uint32_t bucket)
{
	return &(*t->directory[bucket / SEGMENT])[bucket % SEGMENT];
}

static uint32_t bucket_of(const Table *t, uint32_t hash)
{
	uint32_t bucket = hash & t->high_mask;

	return bucket > t->max_bucket ? bucket & t->low_mask : bucket;
}

/* Adds one bucket and moves to it what belongs there. */
static void table_expand(Table *t)
{
	uint32_t added = t->max_bucket + 1, old;
	Element **to_old, **to_added, *e, *next;

	if (added / SEGMENT >= t->segments)
	{
		if (t->segments >= t->directory_size)
		{
			Segment **d = context_alloc(&t->cx, 2 * t->directory_size * sizeof *d);

			memcpy(d, t->directory, t->directory_size * sizeof *d);
			t->directory = d;
			t->directory_size *= 2;
		}
		t->directory[t->segments++] = new_segment(t);
	}
	t->max_bucket = added;
	old = added & t->low_mask;
	if (added > t->high_mask)
	{
		t->low_mask = t->high_mask;
		t->high_mask = added | t->low_mask;
		old = added & t->low_mask;
	}
	to_old = bucket_head(t, old);
	to_added = bucket_head(t, added);
	for (e = *to_old; e; e = next)
	{
		next = e->link;
		if (bucket_of(t, e->hash) == old)
		{
			*to_old = e;
			to_old = &e->link;
		}
		else
		{
			*to_added = e;
			to_added = &e->link;
		}
	}
	*to_old = *to_added = NULL;
}

static Element *new_element(Table *t)
{
	Element *e;

	if (!t->free_elements)
	{
		e = context_alloc(&t->cx, BATCH * sizeof *e);
		for (int i = 0; i < BATCH; i++)
		{
			e[i].link = t->free_elements;
			t->free_elements = &e[i];
		}
	}
	e = t->free_elements;
	t->free_elements = e->link;
	return e;
}

static Entry *table_enter(Table *t, uint32_t id)
{
	uint32_t hash = hash_id(id);
	Element **at, *e;

	if (t->entries / (t->max_bucket + 1) >= 1)
		table_expand(t);
	for (at = bucket_head(t, bucket_of(t, hash)); (e = *at); at = &e->link)
		if (e->hash == hash && e->entry.id == id)
			return &e->entry;
	e = new_element(t);
	*at = e;
	e->link = NULL;
	e->hash = hash;
	e->entry.id = id;
	t->entries++;
	return &e->entry;
}

/* ---- the file ------------------------------------------------------- */

static void write_file(const char *path, long n)
{
	Table t;
	FILE *f = fopen(path, "w");

	if (!f)
		die(path);
	table_create(&t);
	for (long i = 0; i < n; i++)
	{
		/* A table of one column takes three oids: its own and two of types. */
		uint32_t id = 16384 + 3 * (uint32_t) i;
		Entry *e = table_enter(&t, id);

		memset(e->counters, (int) i, sizeof e->counters);
	}
	for (uint32_t b = 0; b <= t.max_bucket; b++)
		for (Element *e = *bucket_head(&t, b); e; e = e->link)
		{
			fputc('T', f);
			fwrite(&e->entry, sizeof e->entry, 1, f);
		}
	if (fclose(f))
		die(path);
	context_free(&t.cx);
}

static void read_file(const char *path, Table *t)
{
	FILE *f = fopen(path, "r");
	Entry buffer, *e;
	int tag;

	if (!f)
		die(path);
	table_create(t);
	while ((tag = fgetc(f)) == 'T')
	{
		if (fread(&buffer, 1, sizeof buffer, f) != sizeof buffer)
			die("short entry");
		e = table_enter(t, buffer.id);
		memcpy(e, &buffer, sizeof buffer);
	}
	fclose(f);
}

/* ---- readers -------------------------------------------------------- */

typedef struct Sample
{
	float read_wall, read_cpu, both_wall, both_cpu; /* in microseconds */
	int preempted;
	int faults;
} Sample;

typedef struct Options
{
	const char *path;
	long n, readers, count, idle_us;
	double seconds;
	bool yield, keep;
} Options;

enum { SAMPLES_MAX = 1 << 16, WARM_UP = 3 };

typedef struct Shared
{
	volatile long ready;
	volatile int64_t start;
	long counts[];
} Shared;

static struct rusage own_usage(void)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	return r;
}

/* One reader: reads until its time or its count is up, keeps each table until
 * the next read, and notes each execution. */
static long run_reader(const Options *o, Shared *shared, Sample *samples)
{
	Table t;
	long k = 0;
	int64_t until;

	read_file(o->path, &t);
	__sync_fetch_and_add(&shared->ready, 1);
	while (!shared->start)
		sleep_ns(100000);
	until = shared->start + (int64_t) (o->seconds * 1e9);
	for (long i = -WARM_UP; k < SAMPLES_MAX; i++)
	{
		int64_t w0, w1, w2, c0, c1, c2;
		struct rusage u0, u1;

		if (o->count ? i >= o->count : wall_ns() >= until)
			break;
		if (o->idle_us)
			sleep_ns(o->idle_us * 1000);
		else if (o->yield)
			sched_yield();
		u0 = own_usage();
		w0 = wall_ns();
		c0 = cpu_ns();
		context_free(&t.cx);
		w1 = wall_ns();
		c1 = cpu_ns();
		read_file(o->path, &t);
		c2 = cpu_ns();
		w2 = wall_ns();
		u1 = own_usage();
		if (i >= 0)
			samples[k++] = (Sample){(w2 - w1) * 1e-3, (c2 - c1) * 1e-3,
									(w2 - w0) * 1e-3, (c2 - c0) * 1e-3,
									u1.ru_nivcsw > u0.ru_nivcsw,
									u1.ru_minflt - u0.ru_minflt};
	}
	if (t.entries != o->n)
		die("entries lost");
	return k;
}

static void print_rows(const Options *o, const Shared *shared, Sample *all,
					   Usage before, Usage after)
{
	static const char *const part[] = {"read", "read", "free+read", "free+read"};
	static const char *const clock[] = {"wall", "cpu", "wall", "cpu"};
	double *x = malloc(sizeof *x * SAMPLES_MAX * o->readers);

	for (int field = 0; field < 4; field++)
	{
		long n = 0, preempted = 0, faults = 0;

		for (long r = 0; r < o->readers; r++)
			for (long k = 0; k < shared->counts[r]; k++)
			{
				Sample *s = &all[r * SAMPLES_MAX + k];

				x[n++] = (&s->read_wall)[field];
				preempted += s->preempted;
				faults += s->faults;
			}
		if (!n)
			continue;
		printf("%ld,%ld,%ld,%d,%d,%s,%s,", o->n, o->readers, o->idle_us, o->yield,
			   o->keep, part[field], clock[field]);
		print_summary(x, n);
		printf(",%.4f,%.1f,%.3f,%.3f\n", (double) preempted / n, (double) faults / n,
			   others_cores(before, after), steal_cores(before, after));
	}
	free(x);
}

static void usage(const char *program)
{
	fprintf(stderr,
			"usage: %s -f FILE [-n ENTRIES] [-r READERS] [-i IDLE_US] [-y]"
			" [-k] [-c COUNT | -s SECONDS] [-H]\n", program);
	exit(2);
}

int main(int argc, char **argv)
{
	Options o = {.n = 10000, .readers = 1, .seconds = 5};
	bool header = true;
	Shared *shared;
	Sample *all;
	Usage before, after;
	int opt;

	while ((opt = getopt(argc, argv, "f:n:r:i:c:s:ykH")) != -1)
		switch (opt)
		{
			case 'f': o.path = optarg; break;
			case 'n': o.n = atol(optarg); break;
			case 'r': o.readers = atol(optarg); break;
			case 'i': o.idle_us = atol(optarg); break;
			case 'c': o.count = atol(optarg); break;
			case 's': o.seconds = atof(optarg); break;
			case 'y': o.yield = true; break;
			case 'k': o.keep = true; break;
			case 'H': header = false; break;
			default: usage(argv[0]);
		}
	if (!o.path || o.n < 1 || o.readers < 1)
		usage(argv[0]);
	if (o.keep)
	{
		mallopt(M_MMAP_THRESHOLD, 1 << 25);
		mallopt(M_TRIM_THRESHOLD, 1 << 30);
	}
	write_file(o.path, o.n);

	shared = mmap(NULL, sizeof *shared + o.readers * sizeof(long),
				  PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	all = mmap(NULL, sizeof *all * SAMPLES_MAX * o.readers, PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (shared == MAP_FAILED || all == MAP_FAILED)
		die("mmap");
	for (long r = 0; r < o.readers; r++)
	{
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (pid == 0)
		{
			shared->counts[r] = run_reader(&o, shared, all + r * SAMPLES_MAX);
			_exit(0);
		}
	}
	while (shared->ready < o.readers)
		sleep_ns(1000000);
	before = usage_now();
	shared->start = wall_ns();
	while (wait(NULL) > 0)
		;
	after = usage_now();
	unlink(o.path);
	if (header)
		puts("entries,readers,idle_us,yield,keep,part,clock," SUMMARY_HEADER
			 ",preempted,page_faults,others_cores,steal_cores");
	print_rows(&o, shared, all, before, after);
	return 0;
}
