#include "cube/reader/definition_checks.h"

#include <errno.h>
#include <stdlib.h>

#include "cube/cube.h"
#include "cube/reader/error_line.h"

static int compare_ids(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

int fathom_cube_ids_check(struct fathom_cube_error *error, const char *path, const char *what, const uint32_t *ids,
			  size_t stride, uint32_t count, bool dense)
{
	uint32_t *sorted = malloc((count + 1) * sizeof(*sorted));
	int err = 0;

	if (!sorted)
		return fathom_cube_error_set(error, -ENOMEM, path, "out of memory");
	for (uint32_t i = 0; i < count; i++)
		sorted[i] = *(const uint32_t *)((const char *)ids + i * stride);
	qsort(sorted, count, sizeof(*sorted), compare_ids);
	for (uint32_t i = 1; i < count && !err; i++) {
		if (sorted[i] == sorted[i - 1])
			err = fathom_cube_error_set(error, -EILSEQ, path, "anchor.xml: %s id %u stands twice",
						    what, sorted[i]);
	}
	for (uint32_t i = 0; dense && i < count && !err; i++) {
		if (sorted[i] != i)
			err = fathom_cube_error_set(error, -EILSEQ, path,
						    "anchor.xml: %s id %u is missing (%u of them, up to %u)", what, i,
						    count, sorted[count - 1]);
	}
	free(sorted);
	return err;
}

bool fathom_cube_integer_parse(const char *text, int64_t least, int64_t most, int64_t *result)
{
	char *end;

	errno = 0;
	*result = strtoll(text, &end, 10);
	while (*end == ' ')
		end++;
	return end != text && !*end && !errno && *result >= least && *result <= most;
}

int fathom_cube_counts_check(struct fathom_cube_error *error, const char *path, const struct fathom_cube *cube)
{
	const char *missing = !cube->metric_count ? "metric" :
			      !cube->region_count ? "region" :
			      !cube->cnode_count ? "call path" :
			      !cube->location_count ? "location" : NULL;

	if (missing)
		return fathom_cube_error_set(error, -EILSEQ, path,
					     "anchor.xml defines no %s", missing);
	return 0;
}
