/*
 * trace_copy: the part of a run snapshot (run/run_snapshot.h) that belongs to a trace. The thread that takes
 * snapshots copies it; the program that makes a trace from the snapshot reads it (tools/restore/killed_trace.c).
 *
 * The copy has events that are not in the files yet, each thread's oldest first: as many chunks as can be copied each
 * second within the share of the time for copying. It has all definitions that these events refer to, because
 * definitions are copied after the events.
 */
#ifndef FATHOM_TRACE_TRACE_COPY_H
#define FATHOM_TRACE_TRACE_COPY_H

#include <stdint.h>

#include "event/substrate.h"
#include "trace/clocks/clock_sync.h"

/* An array in the memory of the process that was copied. */
struct fathom_trace_array {
	uint64_t address;
	uint64_t count;
};

/* The addresses with which a reader begins, in the process that was copied. */
struct fathom_trace_roots {
	uint64_t layout;			/* fathom_trace_layout() of the library that wrote it */
	uint64_t newest;			/* address of a struct fathom_trace; its member next leads to the
						 * older ones */
	uint64_t first_text;			/* address of a struct fathom_trace_text */
	struct fathom_trace_array comms;	/* of struct fathom_trace_comm */
	struct fathom_trace_array members;	/* things of a pool, as are the last two: lists of members */
	struct fathom_trace_array windows;	/* of struct fathom_trace_handle */
	struct fathom_trace_array handles;
	struct fathom_trace_array ranks;
	struct fathom_trace_array files;
	uint64_t has_clock;			/* not 0: the clocks were compared when MPI began, with this result: */
	struct fathom_clock_sync clock;
	char directory[4096];			/* directory of the event files; empty: there are none */
};

/* The file in that directory that contains the path of the run snapshot: as long as the snapshot exists, no other run
 * removes the directory. */
#define FATHOM_TRACE_SNAPSHOT_NOTE "snapshot"

/* Returns the address of the roots, for readers of the copy; it does not change. Context: start. */
const struct fathom_trace_roots *fathom_trace_copied_roots(void);

/* The function copy of the substrate's table (event/substrate.h). Context: the helper. */
void fathom_trace_copy(const struct fathom_memory_copy *copy);

/* Returns a number made from the sizes of the structures that a reader must know: a reader whose number differs
 * cannot read the copy. Context: tool, the helper. */
uint64_t fathom_trace_layout(void);

/* Each of these copies the memory of one file of lib/trace that is not in the arenas of locations, and writes its
 * addresses to roots. Context: the helper. */
void fathom_trace_archive_copy(const struct fathom_memory_copy *copy, struct fathom_trace_roots *roots);
void fathom_trace_comms_copy(const struct fathom_memory_copy *copy, struct fathom_trace_roots *roots);
void fathom_trace_objects_copy(const struct fathom_memory_copy *copy, struct fathom_trace_roots *roots);
void fathom_trace_texts_copy(const struct fathom_memory_copy *copy, struct fathom_trace_roots *roots);
void fathom_trace_clock_copy(struct fathom_trace_roots *roots);

#endif
