/*
 * Source of the values of getrusage, for the calling thread or for the process.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>

#include "metric/kernel_call.h"
#include "metric/counter_source.h"
#include "platform/log.h"

/* The names of the members of struct rusage. */
static const struct known {
	const char *name;
	size_t offset;
	bool is_time;
	bool is_process;	/* counts for the process even if the thread is asked for */
	uint64_t scale;
	const char *unit, *description;
} events[] = {
#define MEMBER(name) #name, offsetof(struct rusage, ru_##name)
	{ MEMBER(utime), true, false, 1, "10^-6 s", "Processor time spent in the program itself" },
	{ MEMBER(stime), true, false, 1, "10^-6 s", "Processor time spent in the kernel for the program" },
	{ MEMBER(maxrss), false, true, 1024, "bytes",
	  "How much the largest memory use of the process so far has grown" },
	{ MEMBER(minflt), false, false, 1, "occ", "Page faults that the kernel solved without a disk" },
	{ MEMBER(majflt), false, false, 1, "occ", "Page faults that had to wait for a disk" },
	{ MEMBER(inblock), false, false, 1, "occ", "How often the kernel read from a disk" },
	{ MEMBER(oublock), false, false, 1, "occ", "How often the kernel wrote to a disk" },
	{ MEMBER(nvcsw), false, false, 1, "occ", "How often a thread gave up its processor to wait for something" },
	{ MEMBER(nivcsw), false, false, 1, "occ", "How often the kernel took the processor from a thread" },
};
enum { EVENT_COUNT = sizeof(events) / sizeof(*events) };

static const char of_thread[] = "rusage::", of_process[] = "rusage-process::";

static int find(struct fathom_metric_event *event, struct fathom_metric_why *why)
{
	bool is_process = !strncmp(event->name, of_process, sizeof(of_process) - 1);
	const char *name = event->name + (is_process ? sizeof(of_process) : sizeof(of_thread)) - 1;

	(void)why;
	if (!is_process && strncmp(event->name, of_thread, sizeof(of_thread) - 1))
		return -ENOENT;
	for (int i = 0; i < EVENT_COUNT; i++) {
		if (strcmp(events[i].name, name))
			continue;
		event->unit = events[i].unit;
		event->description = events[i].description;
		event->origin = FATHOM_METRIC_ORIGIN_RUSAGE;
		event->is_process = is_process || events[i].is_process;
		event->data[0] = (uint64_t)i;
		return 0;
	}
	return -ENOENT;
}

static void list(void (*each)(void *context, const char *name), void *context)
{
	char name[64];

	for (int process = 0; process < 2; process++)
		for (int i = 0; i < EVENT_COUNT; i++) {
			if (!process && events[i].is_process)
				continue;
			fathom_format(name, sizeof(name), "%s%s", process ? of_process : of_thread, events[i].name);
			each(context, name);
		}
}

static int open_events(struct fathom_metric_reader *reader, struct fathom_metric_why *why)
{
	(void)why;
	reader->data[0] = reader->count && reader->events[0]->is_process ? RUSAGE_SELF : RUSAGE_THREAD;
	return 0;
}

static void read_usage(struct fathom_metric_reader *reader, uint64_t *values)
{
	struct rusage usage;

	if (fathom_kernel_call(SYS_getrusage, reader->data[0], &usage, 0))
		return;
	for (uint32_t i = 0; i < reader->count; i++) {
		const struct known *known = &events[reader->events[i]->data[0]];
		const char *member = (const char *)&usage + known->offset;
		struct timeval time;
		long number;

		if (known->is_time) {
			memcpy(&time, member, sizeof(time));
			values[reader->events[i]->id] = (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_usec;
		} else {
			memcpy(&number, member, sizeof(number));
			values[reader->events[i]->id] = (uint64_t)number * known->scale;
		}
	}
}

static void close_events(struct fathom_metric_reader *reader)
{
	(void)reader;
}

const struct fathom_metric_source fathom_metric_rusage = {
	.name = "rusage",
	.find = find,
	.open = open_events,
	.read = read_usage,
	.keeps_vectors = true,
	.close = close_events,
	.list = list,
};
