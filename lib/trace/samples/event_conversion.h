/*
 * event_conversion: gives the events of a process their calling contexts, when a trace with samples is completed.
 *
 * OTF2 allows samples only in traces whose enters and leaves refer to calling contexts, too. While the program runs,
 * enters and leaves refer to regions, which costs less, and samples are raw records (raw_samples.h). At the end each
 * event file is read twice. At first, the contexts are found. When all processes have agreed on their numbers, the
 * trace gets a file of the same events in which
 *
 *	Enter, Leave	are CallingContextEnter and CallingContextLeave, whose contexts follow from the enters before
 *	raw samples	are CallingContextSample
 *	other records	are the same
 *
 * The first file stays until the trace is complete: if a process is killed meanwhile, its events can be read there.
 *
 * The recorded contexts of a thread, and of each explicit task, are a tree of their own. Below the recorded context in
 * which a sample was taken are its machine frames (event/sampled_frames.h). If the frame of the recorded region itself
 * is known, the sample's context is not below the recorded one but next to it: the same region, at a place in the code.
 */
#ifndef FATHOM_TRACE_SAMPLES_EVENT_CONVERSION_H
#define FATHOM_TRACE_SAMPLES_EVENT_CONVERSION_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Finds the calling contexts of all events of this process (calling_contexts.h), whose files must be complete, and
 * counts the events that the trace will have. is_alive: this is the process that recorded them; if not, modules that
 * have no record are unknown. 0 or -errno. Context: finish.
 */
int fathom_trace_find_contexts(bool is_alive);

struct fathom_context_numbers;

/* Writes all events of this process with their contexts to the trace in directory, as those of rank, after
 * fathom_trace_find_contexts. 0 or -errno. Context: finish. */
int fathom_trace_write_contexts(const char *directory, uint32_t rank, const struct fathom_context_numbers *numbers);

#endif
