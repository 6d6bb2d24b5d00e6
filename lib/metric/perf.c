/*
 * Source of the events of the kernel's perf interface: software events (page faults, context switches, clocks) and
 * processor events.
 *
 * fathom opens them through the kernel, because PAPI has them only if a library of PAPI knows the processor by name.
 * This file has the names and opens the events; perf_read.h describes how they are read.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "metric/kernel_call.h"
#include "metric/perf_read.h"
#include "metric/counter_source.h"
#include "platform/log.h"

#define CACHE(cache, operation, result) \
	(PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##operation << 8 | \
	 PERF_COUNT_HW_CACHE_RESULT_##result << 16)

/* The names of libpfm and PAPI; a second name for an event follows the first. */
static const struct known {
	const char *name;
	uint32_t type;
	uint64_t config;
	bool in_kernel;		/* happens in the kernel only, where counting needs a permission */
	const char *unit, *description;
} events[] = {
#define SOFTWARE(name, event, in_kernel, unit, description) \
	{ name, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##event, in_kernel, unit, description }
	SOFTWARE("PAGE-FAULTS", PAGE_FAULTS, false, "occ", "Accesses to pages that had no memory yet, or had lost it"),
	SOFTWARE("FAULTS", PAGE_FAULTS, false, "occ", "Accesses to pages that had no memory yet, or had lost it"),
	SOFTWARE("MINOR-FAULTS", PAGE_FAULTS_MIN, false, "occ", "Page faults that the kernel solved without a disk"),
	SOFTWARE("MAJOR-FAULTS", PAGE_FAULTS_MAJ, false, "occ", "Page faults that had to wait for a disk"),
	SOFTWARE("CONTEXT-SWITCHES", CONTEXT_SWITCHES, true, "occ", "Times the thread lost or gave up its processor"),
	SOFTWARE("CS", CONTEXT_SWITCHES, true, "occ", "Times the thread lost or gave up its processor"),
	SOFTWARE("CPU-MIGRATIONS", CPU_MIGRATIONS, true, "occ", "Times the thread moved to another processor"),
	SOFTWARE("MIGRATIONS", CPU_MIGRATIONS, true, "occ", "Times the thread moved to another processor"),
	SOFTWARE("TASK-CLOCK", TASK_CLOCK, false, "10^-9 s", "Time the thread had a processor"),
	SOFTWARE("CPU-CLOCK", CPU_CLOCK, false, "10^-9 s",
		 "Time the thread had a processor, by the clock of the processor"),
	SOFTWARE("ALIGNMENT-FAULTS", ALIGNMENT_FAULTS, false, "occ",
		 "Accesses to unaligned addresses that the kernel had to carry out"),
	SOFTWARE("EMULATION-FAULTS", EMULATION_FAULTS, false, "occ",
		 "Instructions that the kernel carried out in place of the processor"),
#define HARDWARE(name, event, description) \
	{ name, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##event, false, "occ", description }
	HARDWARE("CYCLES", CPU_CYCLES, "Cycles of the processor in which it ran the thread"),
	HARDWARE("CPU-CYCLES", CPU_CYCLES, "Cycles of the processor in which it ran the thread"),
	HARDWARE("INSTRUCTIONS", INSTRUCTIONS, "Instructions completed"),
	HARDWARE("CACHE-REFERENCES", CACHE_REFERENCES, "Accesses to the last level cache"),
	HARDWARE("CACHE-MISSES", CACHE_MISSES, "Misses of the last level cache"),
	HARDWARE("BRANCHES", BRANCH_INSTRUCTIONS, "Branches completed"),
	HARDWARE("BRANCH-INSTRUCTIONS", BRANCH_INSTRUCTIONS, "Branches completed"),
	HARDWARE("BRANCH-MISSES", BRANCH_MISSES, "Branches predicted wrongly"),
	HARDWARE("BUS-CYCLES", BUS_CYCLES, "Cycles of the bus between processor and memory"),
	HARDWARE("REF-CYCLES", REF_CPU_CYCLES, "Cycles as they would be at the nominal frequency"),
	HARDWARE("STALLED-CYCLES-FRONTEND", STALLED_CYCLES_FRONTEND,
		 "Cycles in which no instruction had been fetched and decoded"),
	HARDWARE("STALLED-CYCLES-BACKEND", STALLED_CYCLES_BACKEND,
		 "Cycles in which instructions waited for data or for a unit"),
#define CACHED(name, cache, operation, result, description) \
	{ name, PERF_TYPE_HW_CACHE, CACHE(cache, operation, result), false, "occ", description }
	CACHED("L1-DCACHE-LOADS", L1D, READ, ACCESS, "Loads from the first data cache"),
	CACHED("L1-DCACHE-LOAD-MISSES", L1D, READ, MISS, "Loads that the first data cache did not have"),
	CACHED("L1-DCACHE-STORES", L1D, WRITE, ACCESS, "Stores to the first data cache"),
	CACHED("L1-ICACHE-LOADS", L1I, READ, ACCESS, "Fetches from the first instruction cache"),
	CACHED("L1-ICACHE-LOAD-MISSES", L1I, READ, MISS, "Fetches that the first instruction cache did not have"),
	CACHED("LLC-LOADS", LL, READ, ACCESS, "Loads from the last level cache"),
	CACHED("LLC-LOAD-MISSES", LL, READ, MISS, "Loads that the last level cache did not have"),
	CACHED("LLC-STORES", LL, WRITE, ACCESS, "Stores to the last level cache"),
	CACHED("DTLB-LOADS", DTLB, READ, ACCESS, "Loads whose address the processor looked up in the data TLB"),
	CACHED("DTLB-LOAD-MISSES", DTLB, READ, MISS, "Loads whose address was not in the data TLB"),
	CACHED("ITLB-LOADS", ITLB, READ, ACCESS,
	       "Instruction fetches whose address the processor looked up in the TLB"),
	CACHED("ITLB-LOAD-MISSES", ITLB, READ, MISS, "Instruction fetches whose address was not in the TLB"),
	CACHED("NODE-LOADS", NODE, READ, ACCESS, "Loads from the memory of the NUMA node of the processor"),
	CACHED("NODE-LOAD-MISSES", NODE, READ, MISS, "Loads from the memory of another NUMA node"),
};
enum { EVENT_COUNT = sizeof(events) / sizeof(*events) };

/* The domain that the name requests in addition to the event. An event's data are type, config and these bits. */
enum { USER = 1, KERNEL = 2, IN_KERNEL = 4 };

static const char prefix[] = "perf::";

/* --- names --------------------------------------------------------------------------------------- */

/* Parses ":u", ":k=1", ":u=0" ... behind the name. False: the text has another form. */
static bool read_modifiers(const char *text, uint64_t *domain)
{
	while (*text) {
		uint64_t bit = text[1] == 'u' ? USER : text[1] == 'k' ? KERNEL : 0;
		bool off = text[1] && text[2] == '=' && text[3] == '0';

		if (*text != ':' || !bit)
			return false;
		text += 2;
		if (*text == '=' && (text[1] == '0' || text[1] == '1'))
			text += 2;
		*domain = off ? *domain & ~bit : *domain | bit;
	}
	return true;
}

static const struct known *find_known(const char *name, size_t length)
{
	for (int i = 0; i < EVENT_COUNT; i++)
		if (strlen(events[i].name) == length && !strncmp(events[i].name, name, length))
			return &events[i];
	return NULL;
}

/* Parses "r01c2": the event number of the processor's manual, in the form of perf. */
static bool read_raw(const char *name, size_t length, uint64_t *config)
{
	char *end;

	if (length < 3 || length > 17 || *name != 'r')
		return false;
	*config = strtoull(name + 1, &end, 16);
	return end == name + length;
}

static int find(struct fathom_metric_event *event, struct fathom_metric_why *why)
{
	static const struct known raw = { .type = PERF_TYPE_RAW, .unit = "occ",
					  .description = "Event of the processor, by the number in its manual" };
	const char *name = event->name + sizeof(prefix) - 1;
	const struct known *known;
	size_t length;

	(void)why;
	if (strncmp(event->name, prefix, sizeof(prefix) - 1))
		return -ENOENT;
	length = strcspn(name, ":");
	known = find_known(name, length);
	event->data[2] = 0;
	if (!read_modifiers(name + length, &event->data[2]))
		return -ENOENT;
	if (known)
		event->data[1] = known->config;
	else if (read_raw(name, length, &event->data[1]))
		known = &raw;
	else
		return -ENOENT;
	event->data[0] = known->type;
	event->data[2] |= known->in_kernel ? IN_KERNEL : 0;
	event->unit = known->unit;
	event->description = known->description;
	event->origin = FATHOM_METRIC_ORIGIN_OTHER;
	event->is_process = false;
	return 0;
}

bool fathom_metric_perf_sampled(const struct fathom_metric_event *event, uint32_t *type, uint64_t *config)
{
	if (event->source != &fathom_metric_perf || event->data[2] & (IN_KERNEL | KERNEL))
		return false;
	*type = (uint32_t)event->data[0];
	*config = event->data[1];
	return true;
}

static void list(void (*each)(void *context, const char *name), void *context)
{
	char name[64];

	for (int i = 0; i < EVENT_COUNT; i++) {
		if (i && events[i].type == events[i - 1].type && events[i].config == events[i - 1].config)
			continue;
		fathom_format(name, sizeof(name), "%s%s", prefix, events[i].name);
		each(context, name);
	}
}

/* --- open ---------------------------------------------------------------------------------------- */

static int paranoid(void)
{
	int fd = open("/proc/sys/kernel/perf_event_paranoid", O_RDONLY | O_CLOEXEC);
	char text[16] = "";

	if (fd < 0)
		return 9;
	if (read(fd, text, sizeof(text) - 1) < 0)
		*text = '\0';
	close(fd);
	return atoi(text);
}

static bool has_processor_counters(void)
{
	static const char *const devices[] = { "cpu", "cpu_core", "armv8_pmuv3_0", "armv8_pmuv3" };
	char path[80];

	for (size_t i = 0; i < sizeof(devices) / sizeof(*devices); i++) {
		fathom_format(path, sizeof(path), "/sys/bus/event_source/devices/%s", devices[i]);
		if (!access(path, F_OK))
			return true;
	}
	return false;
}

/* Opens one event. leader: the file of the event whose group it joins; -1: it leads a group of its own. */
static int open_one(const struct fathom_metric_event *event, int leader, bool is_multiplexed, bool kernel)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = (uint32_t)event->data[0],
		.config = event->data[1],
		.read_format = PERF_FORMAT_GROUP,
		.disabled = leader < 0,
		.exclude_hv = 1,
		.exclude_kernel = !kernel,
		.exclude_user = (event->data[2] & (USER | KERNEL)) == KERNEL,
		/* A group that does not fit is an error instead of an estimate. */
		.pinned = leader < 0 && !is_multiplexed && event->data[0] != PERF_TYPE_SOFTWARE,
	};
	long fd;

	if (is_multiplexed)
		attr.read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	fd = syscall(SYS_perf_event_open, &attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

/*
 * Opens an event in the domain that the name asks for. By default, processor events count in the program only, as with
 * PAPI, and software events count everywhere, if this is permitted.
 */
static int open_event(const struct fathom_metric_event *event, int leader, bool is_multiplexed)
{
	uint64_t domain = event->data[2] & (USER | KERNEL);
	bool kernel = domain ? domain & KERNEL : event->data[0] == PERF_TYPE_SOFTWARE;
	int fd = open_one(event, leader, is_multiplexed, kernel);

	if ((fd == -EACCES || fd == -EPERM) && kernel && !domain && !(event->data[2] & IN_KERNEL))
		fd = open_one(event, leader, is_multiplexed, false);
	return fd;
}

/* Writes the events that could be opened, as far as they fit; returns text. */
static const char *list_fitting(const struct fathom_metric_reader *reader, char *text, size_t bytes)
{
	size_t length = 0;

	*text = '\0';
	for (uint32_t i = 0; i < reader->failed && length < bytes; i++)
		length += (size_t)fathom_format(text + length, bytes - length, "%s%s", i ? ", " : "",
						reader->events[i]->name);
	return text;
}

static void explain(struct fathom_metric_reader *reader, int err, struct fathom_metric_why *why)
{
	const struct fathom_metric_event *event = reader->events[reader->failed];
	char fit[160];
	int alone;

	if (err == -EACCES || err == -EPERM) {
		fathom_format(why->text, sizeof(why->text), "kernel.perf_event_paranoid is %d, which does not allow "
			      "it%s", paranoid(), event->data[2] & IN_KERNEL ?
			      " (it happens in the kernel; rusage::nvcsw is allowed)" : "");
		return;
	}
	if (err == -EMFILE || err == -ENFILE) {
		fathom_format(why->text, sizeof(why->text), "each needs an open file, and the limit is reached (ulimit "
			      "-n)%s%s%s", reader->failed ? "; " : "", list_fitting(reader, fit, sizeof(fit)),
			      reader->failed ? " fit" : "");
		return;
	}
	if (err == -ENOSYS) {
		fathom_format(why->text, sizeof(why->text), "this kernel has no perf events, or hides them");
		return;
	}
	if (event->data[0] != PERF_TYPE_SOFTWARE && !has_processor_counters()) {
		fathom_format(why->text, sizeof(why->text), "this machine shows no hardware counters (as virtual "
			      "machines often do)");
		return;
	}
	alone = reader->failed ? open_event(event, -1, reader->is_multiplexed) : -1;
	if (alone < 0) {
		fathom_format(why->text, sizeof(why->text), event->data[0] == PERF_TYPE_SOFTWARE ?
			      "this kernel does not have it (%s)" : "this processor does not have it (%s)",
			      strerrordesc_np(-err));
		return;
	}
	close(alone);
	fathom_format(why->text, sizeof(why->text), "too many at once; %s fit (others in another run, see fathom merge "
		      "--holistic, or FATHOM_METRICS_MULTIPLEX=on)", list_fitting(reader, fit, sizeof(fit)));
}

/* Maps the page that allows reading a counter without a system call. NULL: it is not used, or not available. */
static void *map_page(const struct fathom_metric_reader *reader, const struct fathom_metric_event *event, int fd)
{
	void *page;

	if (event->data[0] == PERF_TYPE_SOFTWARE || reader->is_multiplexed || !fathom_perf_wants_pages())
		return NULL;
	page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);
	return page == MAP_FAILED ? NULL : page;
}

static void unmap_pages(struct fathom_metric_reader *reader)
{
	for (uint32_t i = 0; i < reader->count; i++) {
		if (reader->pages[i])
			munmap(reader->pages[i], (size_t)sysconf(_SC_PAGESIZE));
		reader->pages[i] = NULL;
	}
}

static void close_events(struct fathom_metric_reader *reader)
{
	unmap_pages(reader);
	while (reader->count)
		close(reader->fds[--reader->count]);
}

/* Puts events of the processor before those of the kernel: the leader of a group decides whether it is pinned, and the
 * kernel's own events can join any group. */
static void sort_events(struct fathom_metric_reader *reader)
{
	const struct fathom_metric_event *sorted[FATHOM_METRIC_MOST_STRICT];
	uint32_t count = 0;

	for (int is_software = 0; is_software < 2; is_software++)
		for (uint32_t i = 0; i < reader->count; i++)
			if ((reader->events[i]->data[0] == PERF_TYPE_SOFTWARE) == is_software)
				sorted[count++] = reader->events[i];
	memcpy(reader->events, sorted, count * sizeof(*sorted));
}

/*
 * Opens event number i into the group of the event before it, whose leader is event *first, or else into a new group.
 * New groups are allowed only if they may take turns; then the kernel's own events have a group of their own, which is
 * always counted. Returns the file, or -errno.
 */
static int open_in_group(struct fathom_metric_reader *reader, uint32_t i, uint32_t *first)
{
	const struct fathom_metric_event *event = reader->events[i];
	bool begins_kernels = i && event->data[0] == PERF_TYPE_SOFTWARE &&
			      reader->events[i - 1]->data[0] != PERF_TYPE_SOFTWARE;
	int fd = -EINVAL;

	if (i && !(reader->is_multiplexed && begins_kernels))
		fd = open_event(event, reader->fds[*first], reader->is_multiplexed);
	if (fd < 0 && (!i || (reader->is_multiplexed && (begins_kernels || fd == -EINVAL)))) {
		*first = i;
		reader->group[i] = 0;
		fd = open_event(event, -1, reader->is_multiplexed);
	}
	return fd < 0 ? fd : fathom_metric_move_fd(fd);
}

/* Returns whether the group is counted. If other groups occupy the processor's counters, the kernel puts a pinned group
 * into an error state, and reading it returns no data. */
static bool is_counted(const struct fathom_metric_reader *reader)
{
	uint64_t data[1 + FATHOM_METRIC_MOST_STRICT];

	return reader->is_multiplexed || fathom_kernel_call(SYS_read, reader->fds[0], data, sizeof(data)) > 0;
}

static int open_events(struct fathom_metric_reader *reader, struct fathom_metric_why *why)
{
	uint32_t wanted = reader->count, first = 0, i;
	int err = 0;

	sort_events(reader);
	for (i = 0; i < wanted; i++) {
		int fd = open_in_group(reader, i, &first);

		if (fd < 0) {
			err = fd;
			break;
		}
		reader->fds[i] = fd;
		reader->pages[i] = map_page(reader, reader->events[i], fd);
		reader->estimate[i] = 0;
		reader->waited_ns[i] = 0;
		reader->group[first]++;
	}
	reader->count = i;
	reader->failed = i;
	if (err) {
		explain(reader, err, why);
		close_events(reader);
		reader->count = wanted;
		return err;
	}
	for (i = 0; i < wanted; i += reader->group[i])
		ioctl(reader->fds[i], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	if (is_counted(reader))
		return 0;
	fathom_format(why->text, sizeof(why->text), "other programs use the processor's counters");
	close_events(reader);
	reader->count = wanted;
	/* Software events of the kernel come last and cannot be the reason. */
	for (reader->failed = wanted - 1; reader->failed; reader->failed--)
		if (reader->events[reader->failed]->data[0] != PERF_TYPE_SOFTWARE)
			break;
	return -EBUSY;
}

static void choose(struct fathom_metric_reader *reader, struct fathom_reading *reading)
{
	fathom_perf_choose(reader, reading);
	if (!fathom_perf_wants_pages())
		unmap_pages(reader);
}

const struct fathom_metric_source fathom_metric_perf = {
	.name = "perf",
	.find = find,
	.open = open_events,
	.choose = choose,
	.read = fathom_perf_read,
	.keeps_vectors = true,
	.close = close_events,
	.list = list,
};
