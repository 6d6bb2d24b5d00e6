/*
 * copied_roots: the addresses with which a reader of a trace's part of a run snapshot begins (trace_copy.h). Each file
 * that has such memory copies it and writes its addresses here.
 */
#ifndef FATHOM_TRACE_COPIED_ROOTS_H
#define FATHOM_TRACE_COPIED_ROOTS_H

#include <stdint.h>

#include "event/substrate.h"
#include "comm/clock_sync.h"
#include "platform/ring_setting.h"

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
	uint64_t samples;			/* FATHOM_TRACE_SAMPLES */
	uint64_t granularity_ns;		/* FATHOM_TRACE_GRANULARITY */
	char ring[FATHOM_RING_TEXT_BYTES];	/* FATHOM_TRACE_RING */
	uint64_t whole_periods;			/* FATHOM_TRACE_REPEAT */
	uint64_t has_clock;			/* not 0: the clocks were compared when MPI began, with this result: */
	struct fathom_clock_sync clock;
	char directory[4096];			/* directory of the event files; empty: there are none */
};

#endif
