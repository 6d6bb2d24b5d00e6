/*
 * paraver_threads: the nodes, processors, tasks and threads of a trace with the numbers that Paraver gives them, and
 * the files .pcf and .row. Numbers begin with 1. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_EXPORT_PARAVER_THREADS_H
#define FATHOM_TOOLS_EXPORT_PARAVER_THREADS_H

#include <stdio.h>

#include "otf2/archive_reader.h"

struct fathom_paraver_thread {		/* of a location */
	uint32_t cpu, task, thread;	/* thread: within its task. 0: the location is no thread of a process */
	uint32_t node;
};

struct fathom_paraver_threads {
	struct fathom_otf2_defs *defs;
	struct fathom_paraver_thread *threads;	/* by location */
	uint32_t location_count, task_count, node_count, cpu_count;
	uint32_t *task_threads, *task_nodes;	/* by task, from 0 */
	uint32_t *node_cpus;			/* by node, from 0: one processor for each thread */
};

void fathom_paraver_threads_init(struct fathom_paraver_threads *threads, struct fathom_otf2_defs *defs);
void fathom_paraver_threads_fini(struct fathom_paraver_threads *threads);

/* Writes the first line of a .prv file, and the lines of communicators behind it. */
void fathom_paraver_write_first_line(const struct fathom_paraver_threads *threads, uint64_t nanoseconds, FILE *out);

/* Write the other two files: names of states, events and values; names of processors, nodes and threads. */
void fathom_paraver_write_pcf(const struct fathom_paraver_threads *threads, FILE *out);
void fathom_paraver_write_row(const struct fathom_paraver_threads *threads, FILE *out);

#endif
