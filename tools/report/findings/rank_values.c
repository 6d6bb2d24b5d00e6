#include "tools/report/findings/rank_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/profile.h"

int fathom_rank_values_read(struct fathom_rank_values *values, struct fathom_profile *profile, uint32_t metric,
			    uint32_t cnode)
{
	const struct fathom_cube *cube = profile->cube;
	double *row = fathom_tool_alloc(cube->location_count + 1, sizeof(*row));
	int32_t group = -1;
	uint32_t l;
	int err = fathom_profile_own_row(profile, metric, cnode, row);

	memset(values, 0, sizeof(*values));
	if (err) {
		free(row);
		return err;
	}
	values->values = fathom_tool_alloc(cube->group_count + 1, sizeof(*values->values));
	values->ranks = fathom_tool_alloc(cube->group_count + 1, sizeof(*values->ranks));
	values->nodes = fathom_tool_alloc(cube->group_count + 1, sizeof(*values->nodes));
	for (l = profile->first_location; l < profile->location_end; l++) {
		int32_t here = fathom_cube_location_group(cube, l);

		if (!fathom_group_is_process(&cube->groups[here]))
			continue;
		if (here != group) {
			values->ranks[values->count] = cube->groups[here].rank;
			values->nodes[values->count++] = cube->groups[here].node;
			group = here;
		}
		values->values[values->count - 1] += row[l];
	}
	for (l = 0; l < values->count; l++) {
		double value = values->values[l];

		values->sum += value;
		values->most = l == 0 || value > values->most ? value : values->most;
		values->least = l == 0 || value < values->least ? value : values->least;
	}
	free(row);
	return 0;
}

void fathom_rank_values_fini(struct fathom_rank_values *values)
{
	free(values->values);
	free(values->ranks);
	free(values->nodes);
	memset(values, 0, sizeof(*values));
}

uint32_t fathom_rank_values_list(const struct fathom_rank_values *values, double limit, char *text, size_t bytes)
{
	uint32_t i, end, count = 0;
	size_t length = 0;

	text[0] = '\0';
	for (i = 0; i < values->count; i = end) {
		end = i + 1;
		if (values->values[i] < limit)
			continue;
		while (end < values->count && values->values[end] >= limit && values->ranks[end] == values->ranks[i] +
		       (int64_t)(end - i))
			end++;
		count += end - i;
		if (length + 48 > bytes) {
			if (length + 5 <= bytes && (length < 4 || strcmp(text + length - 4, ",...") != 0))
				length += (size_t)snprintf(text + length, bytes - length, ",...");
			continue;
		}
		length += (size_t)snprintf(text + length, bytes - length, "%s%" PRId64, length ? "," : "",
					   values->ranks[i]);
		if (end - i > 1)
			length += (size_t)snprintf(text + length, bytes - length, "%c%" PRId64,
						   end - i > 2 ? '-' : ',', values->ranks[end - 1]);
	}
	return count;
}

bool fathom_rank_values_on_one_node(const struct fathom_rank_values *values, double limit)
{
	int32_t node = -1;
	bool others = false;
	uint32_t i;

	for (i = 0; i < values->count; i++)
		if (values->values[i] >= limit) {
			if (node >= 0 && values->nodes[i] != node)
				return false;
			node = values->nodes[i];
		}
	for (i = 0; i < values->count; i++)
		others |= values->nodes[i] != node;
	return others;
}
