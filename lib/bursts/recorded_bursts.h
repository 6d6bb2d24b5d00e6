/*
 * recorded_bursts: reads the bursts that a program recorded itself (FATHOM_BURSTS, bursts.bin) in place of those that
 * burst_extraction finds in a trace.
 *
 * The definitions of all processes are put together as those of a trace, so that one code works with both. A burst in
 * the file has no call path of its own: its code is the innermost call path of the program that its begin and its end
 * are in. Context of all functions: tool.
 */
#ifndef FATHOM_BURSTS_RECORDED_BURSTS_H
#define FATHOM_BURSTS_RECORDED_BURSTS_H

#include "bursts/burst_extraction.h"

/* Returns whether path is named like a file of bursts: bursts.bin or rank-N.bursts.bin. */
bool fathom_recorded_bursts_is_file(const char *path);

/*
 * Reads a file of bursts: fills in *trace (all zero, or its part set; only its definitions and the path as anchor) and
 * *extraction, which the caller frees as after reading a trace, and calls take for each burst: those of a location in
 * the order of time. Times are in picoseconds since the first burst. 0, or -errno with a line in trace->error.
 */
int fathom_recorded_bursts_read(struct fathom_burst_extraction *extraction, struct fathom_otf2_archive *trace,
				const char *path, fathom_burst_take *take, void *taker);

#endif
