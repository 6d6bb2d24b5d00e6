#include "metric/counters.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "metric/metric_lookup.h"
#include "metric/rdpmc.h"
#include "platform/arena.h"
#include "platform/clock.h"
#include "platform/lock.h"
#include "platform/log.h"

FATHOM_TLS struct fathom_counters *fathom_own_counters;

/* What was found at the start; constant afterwards but for the spare ones. */
static struct {
	struct fathom_metric_event events[FATHOM_METRIC_MOST_STRICT];
	uint32_t count;
	bool is_multiplexed;
	struct fathom_reading reading;
	struct fathom_lock lock;	/* held while a thread takes or gives counters; nests in nothing */
	struct fathom_arena arena;
	struct fathom_counters *spare;
	uint32_t has_said;		/* that a thread cannot open its own */
	pthread_key_t end_key;		/* its destructor tells that a thread ends */
	bool has_key;
} all;

int fathom_metric_move_fd(int fd)
{
	struct rlimit limit;
	int moved, least = 512;

	/* The lowest numbers are the program's: it may count on getting them. */
	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < 1 << 20)
		least = (int)limit.rlim_cur / 2;
	moved = fcntl(fd, F_DUPFD_CLOEXEC, least);
	if (moved < 0)
		moved = -errno;
	close(fd);
	return moved;
}

/* --- parts --------------------------------------------------------------------------------------- */

/* The events of one source, of threads or of the process, as a reader that is not open. */
static void collect(struct fathom_metric_reader *reader, const struct fathom_metric_source *source, bool is_process)
{
	memset(reader, 0, sizeof(*reader));
	reader->source = source;
	reader->is_multiplexed = all.is_multiplexed;
	for (uint32_t i = 0; i < all.count; i++)
		if (all.events[i].source == source && all.events[i].is_process == is_process)
			reader->events[reader->count++] = &all.events[i];
}

static bool is_collected(const struct fathom_counters *counters, const struct fathom_metric_event *event)
{
	for (uint32_t i = 0; i < counters->part_count; i++)
		if (counters->parts[i].source == event->source &&
		    counters->parts[i].events[0]->is_process == event->is_process)
			return true;
	return false;
}

static void close_parts(struct fathom_counters *counters)
{
	while (counters->part_count)
		counters->part_count--, counters->parts[counters->part_count].source->close(
						&counters->parts[counters->part_count]);
}

/* Open all events of threads, and those of the process if with_process. What fails: -errno, its event and why. */
static int open_parts(struct fathom_counters *counters, bool with_process, const struct fathom_metric_event **failed,
		      struct fathom_metric_why *why)
{
	counters->part_count = 0;
	for (uint32_t i = 0; i < all.count; i++) {
		struct fathom_metric_reader *reader = &counters->parts[counters->part_count];
		int err;

		if ((all.events[i].is_process && !with_process) || is_collected(counters, &all.events[i]))
			continue;
		collect(reader, all.events[i].source, all.events[i].is_process);
		err = reader->source->open(reader, why);
		if (err) {
			*failed = reader->events[reader->failed];
			close_parts(counters);
			return err;
		}
		counters->part_count++;
	}
	return 0;
}

static struct fathom_counters *take(void)
{
	struct fathom_counters *counters;

	fathom_lock_take(&all.lock);
	counters = all.spare;
	if (counters)
		all.spare = counters->next;
	else
		counters = fathom_arena_alloc(&all.arena, sizeof(*counters));
	fathom_lock_give(&all.lock);
	return counters;
}

static void thread_ends(void *data)
{
	struct fathom_counters *counters = data;

	fathom_own_counters = NULL;
	close_parts(counters);
	fathom_lock_take(&all.lock);
	counters->next = all.spare;
	all.spare = counters;
	fathom_lock_give(&all.lock);
}

void fathom_counters_read_part(struct fathom_metric_reader *part, uint64_t *values)
{
	int saved = errno;

	part->source->read(part, values);
	errno = saved;
}

/* --- threads ------------------------------------------------------------------------------------- */

struct fathom_counters *fathom_counters_open(void)
{
	const struct fathom_metric_event *failed;
	struct fathom_counters *counters = fathom_own_counters;
	struct fathom_metric_why why;
	int saved = errno, cancel_state;

	if (counters)
		return counters;
	counters = take();
	if (!counters)
		return NULL;
	/* The program may want to disable cancellation first of all: opening files must not be where the thread
	 * ends. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	if (open_parts(counters, false, &failed, &why) && !__atomic_exchange_n(&all.has_said, 1, __ATOMIC_RELAXED))
		fathom_log(FATHOM_LOG_SAY, "FATHOM_METRICS: %s is not counted on a thread: %s; other metrics of such "
			   "threads are not either", failed->name, why.text);
	fathom_own_counters = counters;
	if (all.has_key)
		pthread_setspecific(all.end_key, counters);
	pthread_setcancelstate(cancel_state, NULL);
	errno = saved;
	return counters;
}

void fathom_counters_say_silent(const uint64_t *values)
{
	for (uint32_t i = 0; i < all.count; i++)
		if (!strncmp(all.events[i].name, "sde:::", 6) && !values[all.events[i].id])
			fathom_log(FATHOM_LOG_SAY, "FATHOM_METRICS: %s was 0 all the time: PAPI takes any name there; "
				   "is it one that the program or its libraries register?", all.events[i].name);
}

void fathom_counters_forget(void)
{
	fathom_own_counters = NULL;
	if (all.has_key)
		pthread_setspecific(all.end_key, NULL);
	fathom_lock_reset(&all.lock);
}

/* --- start --------------------------------------------------------------------------------------- */

/* An event that cannot be opened is one that was refused. */
static void drop(struct fathom_metric_refused *refused, const struct fathom_metric_event *event,
		 const struct fathom_metric_why *why)
{
	uint32_t at = (uint32_t)(event - all.events);

	fathom_metric_refuse(refused, event->name, why->text);
	all.count--;
	memmove(&all.events[at], &all.events[at + 1], (all.count - at) * sizeof(*event));
}

/* Metrics of threads first. False: no memory. */
static bool define_metrics(void)
{
	for (int process = 0; process < 2; process++)
		for (uint32_t i = 0; i < all.count; i++) {
			struct fathom_metric_event *event = &all.events[i];
			const struct fathom_metric *metric, spec = {
				.name = event->name,
				.unit = event->unit,
				.description = event->description,
				.type = event->is_signed ? FATHOM_METRIC_INT64 : FATHOM_METRIC_UINT64,
				.mode = FATHOM_METRIC_STRICT,
				.origin = event->origin,
				.is_process = event->is_process,
			};

			if (event->is_process != process)
				continue;
			metric = fathom_metric_define(&spec);
			if (!metric)
				return false;
			event->id = metric->id;
		}
	return true;
}

/* Decides how the counters are read, and measures what that takes: the least of a few readings. */
static void measure_reading(struct fathom_counters *counters)
{
	enum { TRIES = 5 };
	uint64_t values[FATHOM_METRIC_MOST_STRICT] = { 0 };

	for (uint32_t i = 0; i < counters->part_count; i++)
		if (counters->parts[i].source->choose)
			counters->parts[i].source->choose(&counters->parts[i], &all.reading);
	for (int i = 0; i < TRIES; i++) {
		uint64_t begin = fathom_clock_ticks(), ticks;

		for (uint32_t part = 0; part < counters->part_count; part++)
			fathom_counters_read_part(&counters->parts[part], values);
		ticks = fathom_clock_ticks() - begin;
		if (!i || ticks < all.reading.all_ticks)
			all.reading.all_ticks = ticks;
	}
}

const struct fathom_reading *fathom_counters_reading(void)
{
	return all.reading.all_ticks ? &all.reading : NULL;
}

bool fathom_counters_recover(int signal, void *context)
{
	return fathom_rdpmc_recover(signal, context);
}

int fathom_counters_start(const char *list, bool multiplex, bool says, char *error, size_t error_bytes)
{
	static struct fathom_metric_refused refused;	/* large, and needed once */
	const struct fathom_metric_event *failed;
	struct fathom_metric_why why = { "" };
	struct fathom_counters *counters = take();
	int err;

	if (!counters)
		return 0;
	all.is_multiplexed = multiplex;
	err = fathom_metric_find_all(list, all.events, &all.count, &refused, error, error_bytes);
	if (err)
		return err;
	while (open_parts(counters, true, &failed, &why))
		drop(&refused, failed, &why);
	if (says)
		fathom_metric_say_refused(&refused, all.count);
	if (!all.count || !define_metrics())
		return 0;
	measure_reading(counters);
	fathom_own_counters = counters;
	all.has_key = pthread_key_create(&all.end_key, thread_ends) == 0;
	return 0;
}
