/*
 * window_setting: parses the text of FATHOM_TRACE_WINDOW, which says when a trace has all functions.
 *
 *	off
 *	1.5:2		from 1.5 s to 2 s after the begin of the run
 *	1.5:		from 1.5 s to the end
 *	step#100-110	in iterations 100 to 110 of the phase step
 *	step#100	in iteration 100
 */
#ifndef FATHOM_PLATFORM_WINDOW_SETTING_H
#define FATHOM_PLATFORM_WINDOW_SETTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/compiler.h"

struct fathom_window_setting {
	bool is_on;
	uint64_t from_ns, to_ns;	/* after the begin of the run; both UINT64_MAX if there is a phase */
	const char *phase;		/* the name of the phase, a part of the text; NULL: there is none */
	size_t phase_bytes;
	uint64_t first, last;		/* numbers of iterations */
};

/* Fills in setting. False: the text is wrong. Context: start. */
FATHOM_API bool fathom_window_setting_read(const char *text, struct fathom_window_setting *setting);

#endif
