#include "tools/report/findings/allocation_findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/report/findings/finding_list.h"
#include "tools/report/report.h"

/* The part of all samples that must be in the allocator for sure: the lower end of its confidence interval. */
#define ALLOCATION_FROM 0.1
#define FEWEST_SAMPLES 20	/* in the allocator; fewer may come from one phase of a short run */

/* Entry points of allocators, and the functions of the GNU C library that they jump to. */
static const char *const allocator_names[] = {
	"malloc", "calloc", "realloc", "reallocarray", "free", "cfree", "memalign", "aligned_alloc", "posix_memalign",
	"valloc", "pvalloc", "free_sized", "free_aligned_sized", "__libc_malloc", "__libc_calloc", "__libc_realloc",
	"__libc_free", "__libc_memalign", "_int_malloc", "_int_realloc", "_int_memalign", "_int_free",
	"_int_free_chunk", "_int_free_merge_chunk", "malloc_consolidate", "sysmalloc", "systrim", "unlink_chunk",
	"tcache_init", "tc_malloc", "tc_calloc", "tc_realloc", "tc_free", "tc_new", "tc_newarray", "tc_delete",
	"tc_deletearray", "je_malloc", "je_calloc", "je_realloc", "je_free", "mi_malloc", "mi_calloc", "mi_realloc",
	"mi_free", "mi_new",
};

/* What names of C++'s operators begin with. If a library has no debug information, the name may be the mangled one. */
static const char *const operator_names[] = {
	"operator new", "operator delete", "_Znwm", "_Znam", "_ZdlPv", "_ZdaPv",
};

bool fathom_is_allocator(const struct fathom_cube_region *region)
{
	size_t i;

	for (i = 0; i < sizeof(allocator_names) / sizeof(allocator_names[0]); i++)
		if (strcmp(region->name, allocator_names[i]) == 0)
			return true;
	for (i = 0; i < sizeof(operator_names) / sizeof(operator_names[0]); i++)
		if (strncmp(region->name, operator_names[i], strlen(operator_names[i])) == 0)
			return true;
	return false;
}

/* Returns whether a region belongs to a library, not to the program: functions of shared libraries, and those of the
 * C++ library that the compiler made in the program. */
static bool is_library_function(const struct fathom_cube_region *region)
{
	return strncmp(region->name, "std::", 5) == 0 || strncmp(region->name, "__gnu_cxx::", 11) == 0 ||
	       strncmp(region->name, "void std::", 10) == 0 || strstr(region->file, ".so") ||
	       strstr(region->file, "/include/c++/");
}

/* Returns the call path of the program that calls the allocator. */
static uint32_t calling_place(const struct fathom_profile *profile, uint32_t allocator)
{
	int32_t cnode = profile->cube->cnodes[allocator].parent;

	while (cnode >= 0 && profile->cube->cnodes[cnode].parent >= 0 &&
	       is_library_function(fathom_profile_region(profile, (uint32_t)cnode)))
		cnode = profile->cube->cnodes[cnode].parent;
	return cnode >= 0 ? (uint32_t)cnode : allocator;
}

struct allocation {
	double samples, seconds;
	double most;		/* seconds of what the call path in place calls */
	uint32_t place;
};

/* Adds up the samples and the time of all call paths in the allocator, and finds the call path that calls it most. */
static void sum_allocation(const struct fathom_report *report, struct allocation *sum)
{
	const struct fathom_profile *profile = &report->profile;
	uint32_t count = profile->cube->cnode_count, c;
	/* By call path: the call path of the program that calls the allocator here, plus 1; 0: not in the allocator. */
	uint32_t *caller = fathom_tool_alloc(count, sizeof(*caller));
	double *seconds = fathom_tool_alloc(count, sizeof(*seconds));

	*sum = (struct allocation){ .samples = 0 };
	for (c = 0; c < count; c++) {		/* a parent is before its children */
		int32_t parent = profile->cube->cnodes[c].parent;

		if (parent >= 0 && caller[parent])
			caller[c] = caller[parent];
		else if (fathom_is_allocator(fathom_profile_region(profile, c)))
			caller[c] = calling_place(profile, c) + 1;
		if (!caller[c] || !profile->counted[c])
			continue;
		sum->samples += report->sampled.samples.own[c];
		sum->seconds += report->time.own[c];
		seconds[caller[c] - 1] += report->time.own[c];
	}
	for (c = 0; c < count; c++)
		if (seconds[c] > sum->most) {
			sum->most = seconds[c];
			sum->place = c;
		}
	free(caller);
	free(seconds);
}

/* Computes Wilson's 95% confidence interval of a share of which count of all samples are an estimate. */
static void share_interval(double count, double all, double *low, double *high)
{
	double z2 = 1.96 * 1.96, part = count / all;
	double middle = (part + z2 / (2 * all)) / (1 + z2 / all);
	double half = 1.96 * sqrt(part * (1 - part) / all + z2 / (4 * all * all)) / (1 + z2 / all);

	*low = fmax(middle - half, 0);
	*high = fmin(middle + half, 1);
}

void fathom_find_allocation(struct fathom_finding_list *list)
{
	const struct fathom_report *report = list->report;
	struct fathom_finding finding = { .kind = "allocation churn" };
	struct allocation sum;
	char name[400], cost[96], least[FATHOM_NUMBER_BYTES], largest[FATHOM_NUMBER_BYTES];
	char percent[FATHOM_NUMBER_BYTES];
	double low, high, all;

	if (!report->sampled.samples.own)
		return;
	all = report->sampled.samples.total;
	sum_allocation(report, &sum);
	if (sum.samples < FEWEST_SAMPLES || !(sum.most > 0))
		return;
	share_interval(sum.samples, all, &low, &high);
	if (low < ALLOCATION_FROM || sum.seconds < FATHOM_FINDING_FROM * report->time.total)
		return;
	finding.cnode = sum.place;
	finding.seconds = sum.seconds;
	fathom_finding_add(list, &finding,
	    "Memory is allocated and freed again and again, which takes about %s: of %.0f samples, %.0f are in malloc, "
	    "free or what belongs to them (between %s and %s of the processor time, with a confidence of 95%%). %s of "
	    "it is for %s. Keep memory for the next use, allocate before the loop, or allocate many objects at once.",
	    fathom_finding_cost(report, sum.seconds, cost, sizeof(cost)), all, sum.samples,
	    fathom_number_percent(least, low, 1), fathom_number_percent(largest, high, 1),
	    fathom_number_percent(percent, sum.most, sum.seconds),
	    fathom_finding_name(report, sum.place, name, sizeof(name)));
}
