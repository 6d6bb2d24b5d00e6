#include "tools/import/thread_regions.h"

/* Returns the position behind the innermost region of a type among the first count ones; 0: there is none. */
static size_t find(const struct fathom_thread_regions *regions, size_t count, uint32_t type)
{
	while (count && regions->open[count - 1].type != type)
		count--;
	return count;
}

/* Returns the position behind the outermost region of a type; 0: there is none. */
static size_t find_outermost(const struct fathom_thread_regions *regions, uint32_t type)
{
	for (size_t i = 0; i < regions->count; i++)
		if (regions->open[i].type == type)
			return i + 1;
	return 0;
}

size_t fathom_thread_regions_left(const struct fathom_thread_regions *regions, uint32_t type,
				  enum fathom_paraver_style style, uint64_t value, bool *enters)
{
	size_t innermost = find(regions, regions->count, type), around;

	*enters = value != 0;
	if (innermost == 0)
		return 0;
	if (style == FATHOM_PARAVER_OUTER && value == 0)
		innermost = find_outermost(regions, type);
	if (style == FATHOM_PARAVER_OUTER && value != 0) {
		around = find(regions, innermost - 1, type);
		if (around == 0 || regions->open[around - 1].value != value)
			return 0;
		*enters = false;
	}
	if (style == FATHOM_PARAVER_NESTED && value != 0)
		return 0;
	return regions->count - innermost + 1;
}
