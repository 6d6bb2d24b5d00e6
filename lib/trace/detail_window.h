/*
 * detail_window: the time in which a trace has all functions (FATHOM_TRACE_WINDOW), of all threads of the process. The
 * window is fixed, or lasts from the begin of the first to the end of the last chosen iteration of a phase.
 */
#ifndef FATHOM_TRACE_DETAIL_WINDOW_H
#define FATHOM_TRACE_DETAIL_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "define/region.h"
#include "platform/compiler.h"

/* The window in ticks; it is empty if both are UINT64_MAX. Any thread may change it while others read it. */
struct fathom_detail_window {
	uint64_t from, to;
};

extern struct fathom_detail_window fathom_detail_window;

/* Takes the text of the setting; NULL: off. The text must live as long as the process. Context: start. */
void fathom_detail_window_set(const char *text);

/* Returns the text if there is a window; NULL: there is none. Any context. */
const char *fathom_detail_window_text(void);

/* The program began at the time now: a window between two times is known. Context: birth. */
void fathom_detail_window_begin(uint64_t now);

/* An iteration of phase with this number begins at now. Returns whether it is a chosen one; then the caller calls
 * fathom_detail_window_end_iteration at its end. Context: hook. */
bool fathom_detail_window_begin_iteration(const struct fathom_region *phase, uint64_t number, uint64_t now);
void fathom_detail_window_end_iteration(uint64_t now);

/* Returns whether a visit from enter to leave is at least partly in the window. Context: hook. */
static inline bool fathom_detail_window_has(uint64_t enter, uint64_t leave)
{
	return leave >= fathom_peek(&fathom_detail_window.from) && enter < fathom_peek(&fathom_detail_window.to);
}

#endif
