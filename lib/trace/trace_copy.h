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
#include "trace/reductions.h"
#include "trace/copied_roots.h"

/* Returns the address of the roots, for readers of the copy; it does not change. Context: start. */
const struct fathom_trace_roots *fathom_trace_copied_roots(void);

/* Keeps the settings that readers of the copy must know. Context: start. */
void fathom_trace_copy_settings(uint64_t samples, const struct fathom_trace_reductions *reductions);

/* The function copy of the substrate's table (event/substrate.h). Context: the helper. */
void fathom_trace_copy(const struct fathom_memory_copy *copy);

/* Returns a number made from the sizes of the structures that a reader must know: a reader whose number differs
 * cannot read the copy. Context: tool, the helper. */
uint64_t fathom_trace_layout(void);

#endif
