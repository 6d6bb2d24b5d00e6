/*
 * trace_copy: what a run snapshot (run/run_snapshot.h) has of a trace. The thread that takes snapshots copies it; the
 * program that makes a trace of the snapshot reads it (tools/restore/killed_trace.c).
 *
 * The copy has events that are not in the files yet, each thread's oldest first: as many chunks as a copy of a
 * second's rate can have without taking more than its share of the time. It has all definitions that these events
 * refer to, since definitions are copied after the events.
 */
#ifndef FATHOM_TRACE_TRACE_COPY_H
#define FATHOM_TRACE_TRACE_COPY_H

#include <stdint.h>

#include "event/substrate.h"
#include "trace/clock_sync.h"

/* An array in the memory of the process that was copied. */
struct fathom_trace_array {
	uint64_t address;
	uint64_t count;
};

/* Where a reader begins. Addresses are those of the process that was copied. */
struct fathom_trace_roots {
	uint64_t layout;			/* fathom_trace_layout() of the library that wrote it */
	uint64_t newest;			/* of struct fathom_trace; the older ones follow by next */
	uint64_t first_text;			/* of struct fathom_trace_text */
	struct fathom_trace_array comms;	/* of struct fathom_trace_comm */
	struct fathom_trace_array members;	/* things of a pool, as are the last two: lists of members */
	struct fathom_trace_array windows;	/* of struct fathom_trace_handle */
	struct fathom_trace_array handles;
	struct fathom_trace_array ranks;
	struct fathom_trace_array files;
	uint64_t has_clock;			/* the clocks were compared when MPI began: */
	struct fathom_clock_sync clock;
	char directory[4096];			/* where the files of events are; empty: there are none */
};

/* The file in that directory that has the path of the run snapshot: as long as the snapshot is there, no other run
 * removes the directory. */
#define FATHOM_TRACE_SNAPSHOT_NOTE "snapshot"

/* The address of the roots, for readers of the copy; they do not move. Context: start. */
const struct fathom_trace_roots *fathom_trace_copied_roots(void);

/* The function copy of the substrate's table (event/substrate.h). Context: the helper. */
void fathom_trace_copy(const struct fathom_memory_copy *copy);

/* Returns a number made of the sizes of the structures that a reader must know: a reader whose number differs cannot
 * read the copy. Context: tool, the helper. */
uint64_t fathom_trace_layout(void);

/* Each of these copies what one file of lib/trace keeps outside of the arenas of locations, and writes to roots where
 * it begins. Context: the helper. */
void fathom_trace_archive_copy(const struct fathom_memory_copy *copy, struct fathom_trace_roots *roots);
void fathom_trace_comms_copy(const struct fathom_memory_copy *copy, struct fathom_trace_roots *roots);
void fathom_trace_objects_copy(const struct fathom_memory_copy *copy, struct fathom_trace_roots *roots);
void fathom_trace_texts_copy(const struct fathom_memory_copy *copy, struct fathom_trace_roots *roots);
void fathom_trace_clock_copy(struct fathom_trace_roots *roots);

#endif
