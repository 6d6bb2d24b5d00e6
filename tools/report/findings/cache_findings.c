#include "tools/report/findings/cache_findings.h"

#include <string.h>
#include <strings.h>

#include "tools/common/number_format.h"
#include "tools/report/findings/finding_list.h"
#include "tools/report/report.h"

/* What one access to a modified line of another processor takes at least: 40 to 80 ns within a socket of the processors
 * that have these counters, more between sockets. The estimate of the cost is therefore a low one. */
#define TRANSFER_SECONDS 40e-9
#define SHARING_FROM 0.1	/* of all time */

/* Parts of the names of counters that count such accesses, in the order of preference. If a profile has several of
 * these counters, only the first is used, because an access may count in more than one. */
static const char *const counter_names[] = {
	"XSNP_HITM", "XSNP_FWD", "SNOOP_HITM", "PAPI_CA_ITV",
};

static bool contains(const char *text, const char *part)
{
	size_t length = strlen(part);

	for (; *text; text++)
		if (strncasecmp(text, part, length) == 0)
			return true;
	return false;
}

/* Returns the number of the metric; -1: the profile has none. */
static int32_t counter_of(const struct fathom_profile *profile)
{
	size_t i;
	uint32_t m;

	for (i = 0; i < sizeof(counter_names) / sizeof(counter_names[0]); i++)
		for (m = 0; m < profile->cube->metric_count; m++)
			if (contains(profile->cube->metrics[m].uniq_name, counter_names[i]) &&
			    fathom_profile_has_values(profile, m))
				return (int32_t)m;
	return -1;
}

void fathom_find_cache_problems(struct fathom_finding_list *list)
{
	struct fathom_report *report = list->report;
	struct fathom_profile *profile = &report->profile;
	struct fathom_finding finding = { .kind = "false sharing" };
	struct fathom_values accesses;
	char name[400], cost[96], count[FATHOM_NUMBER_BYTES], percent[FATHOM_NUMBER_BYTES];
	int32_t counter = counter_of(profile);
	double most = 0;
	uint32_t c;

	/* Processes with one thread each share no memory that they compute with. */
	if (counter < 0 || profile->thread_count <= profile->process_count ||
	    fathom_profile_values(profile, (uint32_t)counter, &accesses))
		return;
	for (c = 0; c < profile->cube->cnode_count; c++)
		if (profile->counted[c] && accesses.own[c] > most) {
			most = accesses.own[c];
			finding.cnode = c;
		}
	finding.seconds = accesses.total * TRANSFER_SECONDS;
	if (most > 0 && finding.seconds >= SHARING_FROM * report->time.total)
		fathom_finding_add(list, &finding,
		    "Threads write to the same cache lines: %s accesses to lines that another processor had modified "
		    "(%s), which take at least %s. %s of them are in %s. If the threads write to different variables "
		    "there (false sharing), keep these 64 bytes or more apart; otherwise let each thread work on a "
		    "copy of its own.",
		    fathom_number_count(count, accesses.total), profile->cube->metrics[counter].uniq_name,
		    fathom_finding_cost(report, finding.seconds, cost, sizeof(cost)),
		    fathom_number_percent(percent, most, accesses.total),
		    fathom_finding_name(report, finding.cnode, name, sizeof(name)));
	fathom_values_free(&accesses);
}
