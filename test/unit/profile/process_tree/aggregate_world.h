/*
 * aggregate_world: processes with known threads that put these together in one way or another, and the file
 * that comes of it.
 */
#ifndef FATHOM_TEST_AGGREGATE_WORLD_H
#define FATHOM_TEST_AGGREGATE_WORLD_H

#include "cube/reader/reader.h"
#include "made_ranks.h"
#include "profile/process_tree/thread_aggregation.h"

struct fathom_comm;

#define SECOND ((double)((uint64_t)1 << 32))

extern char dir[];			/* of the test alone; in it */
extern char path[];			/* the profile */
extern struct fathom_cube_error error;

/* In place of the setting, which all ranks of a program would share. */
extern const enum fathom_threads *strategy_of;		/* by rank; NULL: the next for all */
extern enum fathom_threads strategy;

/* Write the profile of a rank, number of size in its world, to a file. */
int finish(struct fathom_comm *comm, struct made_rank *rank, int number, int size, const char *to);
/* All ranks together write theirs to path. */
void finish_world(const struct made_world *world, enum fathom_threads threads);

struct opened {
	struct fathom_cube_reader *reader;
	const struct fathom_cube *cube;
};

void open_file(struct opened *file, const char *name);
uint32_t metric_of(const struct opened *file, const char *name);
/* At call path "main/parallel/loop", below the program. */
double value(const struct opened *file, const char *metric, const char *names, uint32_t location);
struct fathom_cube_tuple tuple(const struct opened *file, const char *metric, const char *names);
void assert_near(double got, double expected, double slack);
/* The independent checker has nothing to say about path, where it can be had. */
void check_oracle(void);

enum { MOST_THREADS = 8 };

/* A call path, and for each thread its own time there in seconds; below zero: it never came. */
struct line {
	const char *region;
	uint32_t parent;			/* line + 1; 0: the program */
	double seconds[MOST_THREADS];
	uint64_t visits[MOST_THREADS];		/* 0: one */
};

#define NEVER (-1.0)
#define NO_VISIT UINT64_MAX
#define LINES(lines) lines, sizeof(lines) / sizeof(*(lines))

/* The example with known answers: four threads, of which the initial one alone runs the serial part. */
extern const struct line worked[6];

/* A process whose threads did that. */
struct made_world *tell(const struct line *lines, uint32_t count, uint32_t threads);
/* And what comes of it. */
void tell_and_open(struct opened *file, const struct line *lines, uint32_t count, uint32_t threads,
		   enum fathom_threads how);

/* Before and after all tests. */
int make_dir(void **state);
int remove_dir(void **state);

#endif
