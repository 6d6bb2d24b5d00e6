#include "cube/derived.h"

#include <stddef.h>
#include <string.h>

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

/* Whether two unique names are one in the file: what is no letter, digit, ':', '_' or '=' is '_' there. */
static bool is_called(const char *name, const char *wanted)
{
	for (; *name && *wanted; name++, wanted++) {
		bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
			     (*name >= '0' && *name <= '9') || *name == ':' || *name == '_' || *name == '=';

		if ((plain ? *name : '_') != *wanted)
			return false;
	}
	return *name == *wanted;
}

static bool has(const struct fathom_cube *cube, uint32_t count, const char *wanted)
{
	for (uint32_t m = 0; m < count; m++)
		if (is_called(cube->metrics[m].uniq_name, wanted) && cube->metrics[m].dtype < FATHOM_CUBE_MINDOUBLE)
			return true;
	return false;
}

uint32_t fathom_derived_add(struct fathom_cube *cube)
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
	return cube->metric_count - before;
}
