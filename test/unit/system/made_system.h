/*
 * made_system: systems of many processes, made by chance, and what the builder says of them compared with them.
 */
#ifndef FATHOM_TEST_MADE_SYSTEM_H
#define FATHOM_TEST_MADE_SYSTEM_H

#include <stdbool.h>

#include "system/builder.h"

enum { MADE_RANKS = 512, MADE_THREADS = 6 };

struct made_process {
	struct fathom_system_path place;
	char room[FATHOM_PATH_BYTES];
	struct fathom_location_label locations[MADE_THREADS];
	char names[MADE_THREADS][24];
	uint32_t count;
	/* What the builder said. */
	struct fathom_system system;
	int result;
	/* Its memory. */
	size_t held, peak;
	long failing;		/* this request of memory fails, counted from 1; 0: none */
	long requests;
};

struct made_system {
	int size;
	struct fathom_system_options options;	/* but for the memory */
	struct made_process processes[MADE_RANKS];
};

/* Numbers by chance, the same each time. */
uint32_t made_chance(uint64_t *seed, uint32_t below);

/* Put a level inside the others. */
void made_level(struct made_process *process, const char *class, const char *name);

/* Threads: one, and others called "OMP thread 1", .... */
void made_threads(struct made_process *process, uint32_t count);

/* A system of so many processes: regular or not, in blocks or mixed, of up to four levels, some of different depth. */
void made_by_chance(struct made_system *made, int size, uint64_t seed);

/* The memory of a process, in options. */
void *made_resize(void *process, void *block, size_t old_bytes, size_t bytes);

/* What a process is told must be what stands in the sequence, and that must be the system. Fails the test. */
void made_compare(const struct made_system *made);

void made_fini(struct made_system *made);

#endif
