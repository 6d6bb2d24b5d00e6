#include "cube/derived.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "platform/arena.h"
#include "platform/log.h"

#define RATIO(name, title, unit, description, above, below) \
	{ name, title, unit, description, above, below, 1, "metric::" above "() / metric::" below "()" }
#define PERCENT(name, title, description, above, below) \
	{ name, title, "%", description, above, below, 100, "100 * metric::" above "() / metric::" below "()" }

const struct fathom_derived fathom_derived_table[] = {
	RATIO("ipc", "Instructions per cycle", "", "Instructions completed in a cycle", "perf::INSTRUCTIONS",
	      "perf::CYCLES"),
	RATIO("papi_ipc", "Instructions per cycle (PAPI)", "", "Instructions completed in a cycle", "PAPI_TOT_INS",
	      "PAPI_TOT_CYC"),
	PERCENT("l1_miss_rate", "First data cache misses", "Loads that the first data cache did not have",
		"perf::L1_DCACHE_LOAD_MISSES", "perf::L1_DCACHE_LOADS"),
	PERCENT("llc_miss_rate", "Last level cache misses", "Accesses that the last level cache did not have",
		"perf::CACHE_MISSES", "perf::CACHE_REFERENCES"),
	PERCENT("papi_l1_miss_rate", "First data cache misses (PAPI)",
		"Accesses that the first data cache did not have", "PAPI_L1_DCM", "PAPI_L1_DCA"),
	PERCENT("branch_miss_rate", "Branch misses", "Branches predicted wrongly", "perf::BRANCH_MISSES",
		"perf::BRANCHES"),
	PERCENT("papi_branch_miss_rate", "Branch misses (PAPI)", "Branches predicted wrongly", "PAPI_BR_MSP",
		"PAPI_BR_CN"),
	PERCENT("frontend_stall_rate", "Cycles without instructions", "Cycles that waited for instructions",
		"perf::STALLED_CYCLES_FRONTEND", "perf::CYCLES"),
	{ "cpu_share", "Share of a processor", "%", "Time that the threads had a processor, of their time",
	  "perf::TASK_CLOCK", "time", 1e-7, "metric::perf::TASK_CLOCK() / metric::time() / 10000000" },
	{ "cpu_frequency", "Clock frequency", "GHz", "Cycles in the time the threads had a processor", "perf::CYCLES",
	  "perf::TASK_CLOCK", 1, "metric::perf::CYCLES() / metric::perf::TASK_CLOCK()" },
	{ NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL },
};

_Static_assert(sizeof(fathom_derived_table) / sizeof(*fathom_derived_table) <= FATHOM_DERIVED_MOST,
	       "there is room for all");

const struct fathom_derived *fathom_derived_find(const char *name)
{
	const struct fathom_derived *derived = fathom_derived_table;

	while (derived->name && strcmp(derived->name, name) != 0)
		derived++;
	return derived->name ? derived : NULL;
}

static bool is_plain(char letter)
{
	return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
	       (letter >= '0' && letter <= '9') || letter == ':' || letter == '_' || letter == '=';
}

bool fathom_derived_is_called(const char *name, const char *wanted)
{
	for (; *name && *wanted; name++, wanted++)
		if ((is_plain(*name) ? *name : '_') != (is_plain(*wanted) ? *wanted : '_'))
			return false;
	return *name == *wanted;
}

static bool has_type(const struct fathom_cube *cube, uint32_t count, const char *wanted, enum fathom_cube_dtype dtype)
{
	for (uint32_t m = 0; m < count; m++)
		if (fathom_derived_is_called(cube->metrics[m].uniq_name, wanted) && cube->metrics[m].dtype == dtype)
			return true;
	return false;
}

static bool has(const struct fathom_cube *cube, uint32_t count, const char *wanted)
{
	for (uint32_t m = 0; m < count; m++)
		if (cube->metrics[m].dtype < FATHOM_CUBE_MINDOUBLE &&
		    fathom_derived_is_called(cube->metrics[m].uniq_name, wanted))
			return true;
	return false;
}

/* --- means of what was given at points ----------------------------------------------------------- */

enum { MOST_NAME_BYTES = 1024 };

/* Returns whether one of the first count metrics has the unique name that consists of name and suffix. */
static bool has_part(const struct fathom_cube *cube, uint32_t count, const char *name, const char *suffix)
{
	char part[MOST_NAME_BYTES];

	return fathom_format(part, sizeof(part), "%s::%s", name, suffix) < (int)sizeof(part) &&
	       has(cube, count, part);
}

bool fathom_derived_is_known(const struct fathom_cube *cube, uint32_t metric)
{
	static const char mean[] = "::mean";
	const char *name = cube->metrics[metric].uniq_name;
	size_t length = strlen(name);
	char stem[MOST_NAME_BYTES];

	if (fathom_derived_find(name))
		return true;
	if (length < sizeof(mean) || length > sizeof(stem) || strcmp(name + length - sizeof(mean) + 1, mean) != 0)
		return false;
	fathom_format(stem, sizeof(stem), "%.*s", (int)(length - sizeof(mean) + 1), name);
	return has_part(cube, cube->metric_count, stem, "count");
}

/* Writes a name as formulas in the file spell it. Returns the end of the text. */
static char *put_name(char *at, const char *name)
{
	for (; *name; name++)
		*at++ = is_plain(*name) ? *name : '_';
	*at = '\0';
	return at;
}

/* Adds the mean of a metric that has a count, a minimum and a maximum. */
static int add_mean(struct fathom_cube *cube, struct fathom_arena *arena, const struct fathom_cube_metric *metric)
{
	size_t bytes = 3 * strlen(metric->uniq_name) + strlen(metric->disp_name) + strlen(metric->description) + 128;
	struct fathom_cube_metric mean = {
		.unit = metric->unit,
		.url = "",
		.parent = -1,
		.type = FATHOM_CUBE_DERIVED,
		.dtype = FATHOM_CUBE_DOUBLE,
	};
	char *text = fathom_arena_alloc(arena, bytes);

	if (!text)
		return -ENOMEM;
	mean.uniq_name = mean.disp_name = text;
	text += fathom_format(text, bytes, "%s::mean", metric->uniq_name) + 1;
	mean.description = text;
	text += fathom_format(text, bytes, "Mean: %s", metric->description) + 1;
	mean.expression = text;
	text = put_name(stpcpy(text, "metric::"), metric->uniq_name);
	text = put_name(stpcpy(text, "() / metric::"), metric->uniq_name);
	stpcpy(text, "::count()");
	cube->metrics[cube->metric_count++] = mean;
	return 0;
}

static int add_means(struct fathom_cube *cube, struct fathom_arena *arena, uint32_t count, uint32_t most)
{
	char least[MOST_NAME_BYTES];
	int err = 0;

	for (uint32_t m = 0; m < count && cube->metric_count < most && !err; m++) {
		const char *name = cube->metrics[m].uniq_name;

		fathom_format(least, sizeof(least), "%s::min", name);
		if (cube->metrics[m].dtype >= FATHOM_CUBE_MINDOUBLE || !has_part(cube, count, name, "count") ||
		    has_part(cube, count, name, "mean") ||
		    !has_type(cube, count, least, FATHOM_CUBE_MINDOUBLE))
			continue;
		err = add_mean(cube, arena, &cube->metrics[m]);
	}
	return err;
}

int fathom_derived_add(struct fathom_cube *cube, struct fathom_arena *arena)
{
	uint32_t before = cube->metric_count;

	for (const struct fathom_derived *derived = fathom_derived_table; derived->name; derived++) {
		if (!has(cube, before, derived->above) || !has(cube, before, derived->below) ||
		    has(cube, before, derived->name))
			continue;
		cube->metrics[cube->metric_count++] = (struct fathom_cube_metric){
			.uniq_name = derived->name,
			.disp_name = derived->title,
			.unit = derived->unit,
			.description = derived->description,
			.url = "",
			.parent = -1,
			.type = FATHOM_CUBE_DERIVED,
			.dtype = FATHOM_CUBE_DOUBLE,
			.expression = derived->expression,
		};
	}
	return add_means(cube, arena, before, before + FATHOM_DERIVED_MOST);
}
