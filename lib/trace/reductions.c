#include "trace/reductions.h"

#include "platform/log.h"
#include "platform/write.h"
#include "trace/detail_window.h"

/* The granularity outside of a window; longer visits of functions are in the trace in any case. */
#define OUTSIDE_WINDOW_NS UINT64_C(1000000000000)

/* Written once, at the start. */
static struct fathom_trace_reductions reductions;

void fathom_trace_reductions_set(const struct fathom_settings *settings)
{
	fathom_detail_window_set(settings->trace_window);
	reductions.granularity_ns = settings->trace_granularity;
	if (!reductions.granularity_ns && fathom_detail_window_text())
		reductions.granularity_ns = OUTSIDE_WINDOW_NS;
	reductions.ring_text = settings->trace_ring;
	fathom_ring_setting_read(settings->trace_ring, &reductions.ring);
	reductions.slow_factor = reductions.ring.bytes ? settings->trace_slow : 0;
	reductions.drops_older = reductions.ring.bytes && settings->trace_older;
	reductions.whole_periods = settings->trace_repeat;
}

const struct fathom_trace_reductions *fathom_trace_reductions(void)
{
	return &reductions;
}

static OTF2_ErrorCode write_number(OTF2_Archive *archive, const char *name, uint64_t number)
{
	char text[32];

	fathom_format(text, sizeof(text), "%lu", (unsigned long)number);
	return OTF2_Archive_SetProperty(archive, name, text, true);
}

OTF2_ErrorCode fathom_trace_reductions_write(OTF2_Archive *archive)
{
	OTF2_ErrorCode err = write_number(archive, "FATHOM::GRANULARITY_NS", reductions.granularity_ns);

	if (!err)
		err = write_number(archive, "FATHOM::RING_BYTES", reductions.ring.bytes);
	if (!err && reductions.ring.length_ns)
		err = write_number(archive, "FATHOM::RING_NS", reductions.ring.length_ns);
	if (!err && reductions.drops_older)
		err = OTF2_Archive_SetProperty(archive, "FATHOM::OLDER", "drop", true);
	if (!err)
		err = write_number(archive, "FATHOM::REPEAT", reductions.whole_periods);
	if (!err && fathom_detail_window_text())
		err = OTF2_Archive_SetProperty(archive, "FATHOM::WINDOW", fathom_detail_window_text(), true);
	return err;
}
