/*
 * main: `fathom metrics`: lists the counters that FATHOM_METRICS can name on this machine, and why others are not
 * available.
 *
 * Only opening a counter shows whether it is available. So this command calls the code that a measured program runs
 * (lib/metric); no other command does.
 */
#include <errno.h>
#include <getopt.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "metric/metric_lookup.h"
#include "metric/metric_groups.h"
#include "platform/log.h"
#include "platform/sampling_setting.h"
#include "sample/source.h"
#include "tools/common/argument.h"
#include "tools/common/command.h"

struct entry {
	struct fathom_metric_event event;
	struct fathom_metric_why why;	/* empty: it can be counted */
};

static struct {
	struct entry *entries;
	size_t count, room;
} list;

/* Opens the counter alone, as a measured program would, and fills in why it is not available. */
static void try(struct entry *entry)
{
	struct fathom_metric_reader reader = { .source = entry->event.source, .count = 1 };

	reader.events[0] = &entry->event;
	if (entry->event.source->open(&reader, &entry->why))
		return;
	entry->event.source->close(&reader);
	*entry->why.text = '\0';
}

static int look_up(const char *name, struct entry *entry)
{
	int err = fathom_metric_find(name, &entry->event, &entry->why);

	if (!err)
		try(entry);
	return err;
}

/* Adds a counter to the list; a source calls this for each of its counters. */
static void add(void *context, const char *name)
{
	struct entry *entry;

	(void)context;
	list.entries = fathom_tool_grow(list.entries, list.count, &list.room, sizeof(*list.entries));
	entry = &list.entries[list.count];
	memset(entry, 0, sizeof(*entry));
	if (look_up(name, entry) != -ENOENT)
		list.count++;
}

static void print_entry(const struct entry *entry)
{
	printf("  %-34s %-9s %-8s %s\n", entry->event.name, entry->event.unit,
	       entry->event.is_process ? "process" : "thread", entry->event.description);
}

/* Prints the counters that are not available: each reason once, with the names that it is true for. */
static void print_missing(const char *heading, bool all)
{
	bool has_begun = false;
	size_t i, j;

	for (i = 0; i < list.count; i++) {
		size_t count = 0;

		if (!*list.entries[i].why.text)
			continue;
		for (j = 0; j < i && strcmp(list.entries[j].why.text, list.entries[i].why.text) != 0; j++)
			;
		if (j < i)
			continue;
		if (!has_begun)
			printf("%s\n", heading);
		has_begun = true;
		for (j = i; j < list.count; j++)
			count += strcmp(list.entries[j].why.text, list.entries[i].why.text) == 0;
		printf("  %zu name%s (%s%s): %s\n", count, count == 1 ? "" : "s", list.entries[i].event.name,
		       count > 1 ? " ..." : "", list.entries[i].why.text);
		for (j = i; all && j < list.count; j++)
			if (strcmp(list.entries[j].why.text, list.entries[i].why.text) == 0)
				printf("    %s\n", list.entries[j].event.name);
	}
}

static void print_source(const struct fathom_metric_source *source, const char *title, bool all)
{
	size_t i;

	list.count = 0;
	source->list(add, NULL);
	printf("%s\n%s", title, list.count ? "" : "  none on this machine\n");
	for (i = 0; i < list.count; i++)
		if (!*list.entries[i].why.text)
			print_entry(&list.entries[i]);
	print_missing("  not here:", all);
	printf("\n");
}

static void print_groups(void)
{
	const struct fathom_metric_group *group;

	printf("groups, and the counters of each that can be counted here\n");
	for (group = fathom_metric_groups; group->name; group++) {
		const char *const *name;
		unsigned here = 0;

		printf("  %-12s %s:", group->name, group->question);
		for (name = group->events; *name; name++) {
			struct entry entry = { .why = { "" } };

			if (!look_up(*name, &entry) && !*entry.why.text)
				printf("%s %s", here++ ? "," : "", *name);
		}
		printf("%s\n", here ? "" : " nothing");
	}
}

/* Prints what one kind of source gives samples of processor time, and how many at most. */
static void print_time_source(const char *name, const struct fathom_source_kind *kind, uint32_t most)
{
	struct fathom_sampled_event event;
	struct fathom_source source = { .event = &event };
	int err;

	fathom_source_time_event(&event, 1);
	err = kind->open(&source);
	if (err) {
		printf("  %-34s not here: %s\n", name, strerror(-err));
		return;
	}
	kind->close(&source);
	printf("  %-34s up to %u in a second of a thread's processor time\n", name, most);
}

/* Prints what can be sampled. */
static void print_sampling(void)
{
	printf("samples (FATHOM_SAMPLING), by the first of these that is here\n");
	print_time_source("perf cpu-clock", &fathom_source_perf, FATHOM_SAMPLING_MOST);
	print_time_source("timers of processor time", &fathom_source_timer, fathom_source_timer_most());
	printf("  %-34s each event of perf that is listed above, except those that happen in the kernel\n\n",
	       "EVENT@PERIOD");
}

/* Prints the events that a group stands for, each as if the user had named it. */
static int print_group(const char *name)
{
	const struct fathom_metric_group *group = fathom_metric_group_find(name);
	char groups[256];

	if (!group) {
		fathom_tool_error("%s: there is no such group (there are %s)", name,
				  fathom_metric_group_names(groups, sizeof(groups)));
		return FATHOM_TOOL_USAGE;
	}
	for (const char *const *event = group->events; *event; event++) {
		struct entry entry = { .why = { "" } };

		if (look_up(*event, &entry) || *entry.why.text)
			printf("  %-34s not here: %s\n", *event, entry.why.text);
		else
			print_entry(&entry);
	}
	return 0;
}

static int print_one(const char *name)
{
	struct entry entry = { .why = { "" } };

	if (*name == '@')
		return print_group(name);
	if (look_up(name, &entry) == -ENOENT) {
		fathom_tool_error("%s: no counter has this name, here or elsewhere (fathom metrics lists the "
				  "counters of this machine)", name);
		return FATHOM_TOOL_USAGE;
	}
	if (!*entry.why.text) {
		print_entry(&entry);
		return 0;
	}
	printf("  %-34s not here: %s\n", name, entry.why.text);
	return FATHOM_TOOL_FAILURE;
}

/* Prints the named counters. Returns the exit code. */
static int print_named(char **names, int count)
{
	int worst = 0, i;

	for (i = 0; i < count; i++) {
		int code = print_one(names[i]);

		worst = code > worst ? code : worst;
	}
	i = fathom_tool_end();
	return i > worst ? i : worst;
}

/* Loads libfathom-papi from the directory of the libraries of the build, or of the installation. */
static void load_papi(void)
{
	char own[PATH_MAX] = "", path[PATH_MAX + 64];
	struct fathom_metric_why why;

	if (readlink("/proc/self/exe", own, sizeof(own) - 1) > 0)
		dirname(own);
	snprintf(path, sizeof(path), "%s/.libs/libfathom-papi.so.0", own);
	if (access(path, R_OK) == 0) {
		*strrchr(path, '/') = '\0';
		fathom_metric_load_papi(path, &why);
	} else {
		fathom_metric_load_papi(FATHOM_LIBDIR, &why);
	}
}

static const char help[] =
	"usage: fathom metrics [--all] [NAME...]\n"
	"\n"
	"List the counters that FATHOM_METRICS can name on this machine: name, unit,\n"
	"whether each thread or the process has its own, and what it counts; and why\n"
	"others cannot be counted here. With names: list only these; the exit code is 1\n"
	"if one of them cannot be counted here, 2 if one of them does not exist.\n"
	"\n"
	"  --all       list also each counter that cannot be counted here\n"
	"  --help, --version\n";

int main(int argc, char **argv)
{
	static const struct option known[] = {
		{ "all", no_argument, NULL, 'a' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, FATHOM_ARGUMENT_VERSION },
		{ NULL, 0, NULL, 0 },
	};
	const struct fathom_metric_source *papi;
	struct fathom_metric_why why;
	bool all = false;
	int code, i;

	fathom_tool_begin("metrics");
	opterr = 0;
	while ((code = getopt_long(argc, argv, ":h", known, NULL)) != -1) {
		if (code == 'a') {
			all = true;
		} else {
			fathom_argument_other(argv, code, help);
		}
	}
	load_papi();
	if (optind < argc)
		return print_named(argv + optind, argc - optind);
	for (i = 0; fathom_metric_source_by_number((uint32_t)i); i++) {
		static const char *const titles[] = { "perf: events of the kernel and the processor",
						      "getrusage", "/proc", "energy" };

		print_source(fathom_metric_source_by_number((uint32_t)i), titles[i], all);
	}
	papi = fathom_metric_load_papi(NULL, &why);
	if (papi)
		print_source(papi, "PAPI; also sde:::LIBRARY::COUNTER of libraries that have counters", all);
	else
		printf("PAPI\n  not here: %s\n\n", why.text);
	print_sampling();
	print_groups();
	free(list.entries);
	return fathom_tool_end();
}
