#include "trace/trace_copy.h"

#include <string.h>

#include "define/region.h"
#include "platform/helper.h"
#include "trace/archive.h"
#include "trace/comms.h"
#include "trace/mpi_objects.h"
#include "trace/records/parameter_records.h"
#include "trace/records/team_records.h"
#include "trace/trace_finish.h"

/* After the start, only the thread that takes run snapshots writes this. */
static struct fathom_trace_roots copied_roots;

const struct fathom_trace_roots *fathom_trace_copied_roots(void)
{
	return &copied_roots;
}

void fathom_trace_copy_settings(uint64_t samples, const struct fathom_trace_reductions *reductions)
{
	copied_roots.samples = samples;
	copied_roots.granularity_ns = reductions->granularity_ns;
	strncpy(copied_roots.ring, reductions->ring_text, sizeof(copied_roots.ring) - 1);
	copied_roots.whole_periods = reductions->whole_periods;
}

uint64_t fathom_trace_layout(void)
{
	const uint64_t sizes[] = {
		sizeof(struct fathom_trace_roots), sizeof(struct fathom_trace), sizeof(struct fathom_trace_comm),
		sizeof(struct fathom_trace_membership), sizeof(struct fathom_trace_members),
		sizeof(struct fathom_pool_thing), sizeof(struct fathom_trace_buffer), FATHOM_TRACE_CHUNK_BYTES,
	};
	uint64_t sum = 0xcbf29ce484222325u;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		sum = (sum ^ sizes[i]) * 0x100000001b3u;
	return sum;
}

FATHOM_IN_HELPER void fathom_trace_copy(const struct fathom_memory_copy *copy)
{
	copied_roots.layout = fathom_trace_layout();
	fathom_trace_archive_copy(copy, &copied_roots);
	fathom_trace_comms_copy(copy, &copied_roots);
	fathom_trace_objects_copy(copy, &copied_roots);
	fathom_trace_texts_copy(copy, &copied_roots);
	fathom_trace_clock_copy(&copied_roots);
	copy->put(copy->to, &copied_roots, &copied_roots, sizeof(copied_roots));
}
