#include "metric/metric_groups.h"

#include <string.h>

#include "platform/log.h"

#define EVENTS(...) (const char *const[]){ __VA_ARGS__, NULL }

/* A group counts those of its events that the machine has. It contains software events where these are meaningful. */
const struct fathom_metric_group fathom_metric_groups[] = {
	{ "@cpu", "how much work the processor does in a cycle",
	  EVENTS("perf::INSTRUCTIONS", "perf::CYCLES", "perf::TASK-CLOCK") },
	{ "@memory", "whether the time goes into fetching data",
	  EVENTS("perf::INSTRUCTIONS", "perf::CYCLES", "perf::L1-DCACHE-LOADS", "perf::L1-DCACHE-LOAD-MISSES",
		 "perf::CACHE-REFERENCES", "perf::CACHE-MISSES", "perf::DTLB-LOAD-MISSES", "perf::PAGE-FAULTS") },
	{ "@frontend", "whether the processor waits for instructions",
	  EVENTS("perf::INSTRUCTIONS", "perf::CYCLES", "perf::STALLED-CYCLES-FRONTEND", "perf::L1-ICACHE-LOAD-MISSES",
		 "perf::ITLB-LOAD-MISSES") },
	{ "@branch", "whether branches are foreseen",
	  EVENTS("perf::INSTRUCTIONS", "perf::BRANCHES", "perf::BRANCH-MISSES") },
	{ "@os", "what the system does to the program",
	  EVENTS("perf::TASK-CLOCK", "perf::PAGE-FAULTS", "perf::CONTEXT-SWITCHES", "perf::CPU-MIGRATIONS") },
	{ "@io", "what is read and written", EVENTS("proc::rchar", "proc::wchar", "proc::syscr", "proc::syscw") },
	{ "@energy", "what it costs",
	  EVENTS("energy::0-package", "energy::0-dram", "energy::1-package", "energy::1-dram") },
	{ NULL, NULL, NULL },
};

const struct fathom_metric_group *fathom_metric_group_find(const char *name)
{
	const struct fathom_metric_group *group = fathom_metric_groups;

	while (group->name && strcmp(group->name, name) != 0)
		group++;
	return group->name ? group : NULL;
}

const char *fathom_metric_group_names(char *text, size_t bytes)
{
	size_t length = 0;

	for (const struct fathom_metric_group *group = fathom_metric_groups; group->name && length < bytes; group++)
		length += (size_t)fathom_format(text + length, bytes - length, "%s%s",
						group == fathom_metric_groups ? "" : group[1].name ? ", " : " and ",
						group->name);
	return text;
}
