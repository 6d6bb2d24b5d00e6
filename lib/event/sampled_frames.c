#include "event/sampled_frames.h"

#include <string.h>

static bool begins_with(const char *text, const char *begin)
{
	return !strncmp(text, begin, strlen(begin));
}

enum fathom_code_kind fathom_code_kind_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	if (begins_with(name, "libfathom"))
		return FATHOM_CODE_FATHOM;
	if (begins_with(name, "libgomp.so") || begins_with(name, "libomp.so") || begins_with(name, "libiomp5.so"))
		return FATHOM_CODE_OPENMP;
	if (begins_with(name, "libc.so") || begins_with(name, "libc-2.") || begins_with(name, "libpthread") ||
	    begins_with(name, "ld-linux") || begins_with(name, "ld-2."))
		return FATHOM_CODE_LIBC;
	return FATHOM_CODE_PROGRAM;
}

bool fathom_region_keeps_frames(const struct fathom_region *region)
{
	return region->activity == FATHOM_ACTIVITY_COMPUTATION || region->activity == FATHOM_ACTIVITY_EXECUTION ||
	       region->activity == FATHOM_ACTIVITY_LIBWRAP;
}

bool fathom_region_is_block(const struct fathom_region *region)
{
	return region->paradigm == FATHOM_PARADIGM_OPENMP || region->paradigm == FATHOM_PARADIGM_PTHREAD;
}

bool fathom_frame_is_shown(struct fathom_frame_filter *filter, const struct fathom_filtered_frame *frame,
			   bool *is_first)
{
	bool was_in_runtime = filter->is_in_runtime;

	filter->is_in_runtime = frame->kind == FATHOM_CODE_FATHOM || frame->kind == FATHOM_CODE_OPENMP;
	if (frame->kind == FATHOM_CODE_FATHOM)
		return false;
	if (frame->recorded && fathom_region_is_block(frame->recorded)) {
		if (was_in_runtime && !filter->is_in_runtime) {
			*is_first = true;
			filter->is_edge = false;
		}
		return !filter->is_edge;
	}
	if (filter->is_edge && frame->is_thread_root && (frame->kind == FATHOM_CODE_LIBC || frame->is_entry))
		return false;
	filter->is_edge = false;
	return true;
}
