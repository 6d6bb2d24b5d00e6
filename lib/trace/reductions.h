/* reductions: the settings by which a trace has less than all events. A trace has them as properties. */
#ifndef FATHOM_TRACE_REDUCTIONS_H
#define FATHOM_TRACE_REDUCTIONS_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdint.h>

#include "platform/ring_setting.h"
#include "platform/settings.h"

struct fathom_trace_reductions {
	uint64_t granularity_ns;	/* FATHOM_TRACE_GRANULARITY, see records/pending_enters.h; 0: none. The
					 * largest one if there is a window, see detail_window.h */
	const char *ring_text;		/* FATHOM_TRACE_RING, see event_ring.h */
	struct fathom_ring_setting ring;
	bool drops_older;		/* FATHOM_TRACE_OLDER=drop, see cut_points.h */
	uint64_t whole_periods;		/* FATHOM_TRACE_REPEAT, see stretches.h; 0: repetitions are recorded */
	uint64_t slow_factor;		/* FATHOM_TRACE_SLOW, see slow_iterations.h; 0: iterations are not followed */
};

/* Takes the settings. Context: start. */
void fathom_trace_reductions_set(const struct fathom_settings *settings);

/* Returns the reductions, which do not change after the start. Any context. */
const struct fathom_trace_reductions *fathom_trace_reductions(void);

/* Writes the properties to the archive. 0 or OTF2's error. Context: finish. */
OTF2_ErrorCode fathom_trace_reductions_write(OTF2_Archive *archive);

#endif
