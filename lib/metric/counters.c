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

/* The counters that were found at the start; constant afterwards except for the unused structures. */
static struct {
	struct fathom_metric_event events[FATHOM_METRIC_MOST_STRICT];
	uint32_t count;
	bool is_multiplexed;
	struct fathom_reading reading;
	struct fathom_lock lock;	/* protects spare; no other lock is taken inside */
	struct fathom_arena arena;
	struct fathom_counters *spare;
	uint32_t has_said;		/* a thread could not open its counters, and fathom has said so */
	pthread_key_t end_key;		/* its destructor runs when a thread ends */
	bool has_key;
} found;

int fathom_metric_move_fd(int fd)
{
	struct rlimit limit;
	int moved, least = 512;

	/* The lowest file numbers stay free, because the program may rely on getting them. */
	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < 1 << 20)
		least = (int)limit.rlim_cur / 2;
	moved = fcntl(fd, F_DUPFD_CLOEXEC, least);
	if (moved < 0)
		moved = -errno;
	close(fd);
	return moved;
}

/* --- parts --------------------------------------------------------------------------------------- */

/* Collects the events of one source, of threads or of the process, in a reader that is not open. */
static void collect(struct fathom_metric_reader *reader, const struct fathom_metric_source *source, bool is_process)
{
	memset(reader, 0, sizeof(*reader));
	reader->source = source;
	reader->is_multiplexed = found.is_multiplexed;
	for (uint32_t i = 0; i < found.count; i++)
		if (found.events[i].source == source && found.events[i].is_process == is_process)
			reader->events[reader->count++] = &found.events[i];
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

/* Opens all events of threads, and those of the process if with_process. -errno: sets the failed event and why. */
static int open_parts(struct fathom_counters *counters, bool with_process, const struct fathom_metric_event **failed,
		      struct fathom_metric_why *why)
{
	counters->part_count = 0;
	for (uint32_t i = 0; i < found.count; i++) {
		struct fathom_metric_reader *reader = &counters->parts[counters->part_count];
		int err;

		if ((found.events[i].is_process && !with_process) || is_collected(counters, &found.events[i]))
			continue;
		collect(reader, found.events[i].source, found.events[i].is_process);
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

	fathom_lock_take(&found.lock);
	counters = found.spare;
	if (counters)
		found.spare = counters->next;
	else
		counters = fathom_arena_alloc(&found.arena, sizeof(*counters));
	fathom_lock_give(&found.lock);
	return counters;
}

static void thread_ends(void *data)
{
	struct fathom_counters *counters = data;

	fathom_own_counters = NULL;
	close_parts(counters);
	fathom_lock_take(&found.lock);
	counters->next = found.spare;
	found.spare = counters;
	fathom_lock_give(&found.lock);
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
	/* The program may disable cancellation as its first action, so the thread must not end while it opens files. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	if (open_parts(counters, false, &failed, &why) && !__atomic_exchange_n(&found.has_said, 1, __ATOMIC_RELAXED))
		fathom_log(FATHOM_LOG_SAY, "FATHOM_METRICS: %s cannot be counted on a thread: %s; no metric is counted "
			   "on such threads", failed->name, why.text);
	fathom_own_counters = counters;
	if (found.has_key)
		pthread_setspecific(found.end_key, counters);
	pthread_setcancelstate(cancel_state, NULL);
	errno = saved;
	return counters;
}

void fathom_counters_say_silent(const uint64_t *values)
{
	for (uint32_t i = 0; i < found.count; i++)
		if (!strncmp(found.events[i].name, "sde:::", 6) && !values[found.events[i].id])
			fathom_log(FATHOM_LOG_SAY, "FATHOM_METRICS: %s was always 0: PAPI accepts any name there; "
				   "check that the program or one of its libraries registers it", found.events[i].name);
}

void fathom_counters_forget(void)
{
	fathom_own_counters = NULL;
	if (found.has_key)
		pthread_setspecific(found.end_key, NULL);
	fathom_lock_reset(&found.lock);
}

/* --- start --------------------------------------------------------------------------------------- */

/* Removes an event that cannot be opened, and notes the reason. */
static void drop(struct fathom_metric_refused *refused, const struct fathom_metric_event *event,
		 const struct fathom_metric_why *why)
{
	uint32_t at = (uint32_t)(event - found.events);

	fathom_metric_refuse(refused, event->name, why->text);
	found.count--;
	memmove(&found.events[at], &found.events[at + 1], (found.count - at) * sizeof(*event));
}

/* Defines the metrics, those of threads first. False: no memory. */
static bool define_metrics(void)
{
	for (int process = 0; process < 2; process++)
		for (uint32_t i = 0; i < found.count; i++) {
			struct fathom_metric_event *event = &found.events[i];
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

/* Chooses the way to read the counters, and measures the time: the minimum of a few readings. */
static void measure_reading(struct fathom_counters *counters)
{
	enum { TRIES = 5 };
	uint64_t values[FATHOM_METRIC_MOST_STRICT] = { 0 };

	for (uint32_t i = 0; i < counters->part_count; i++)
		if (counters->parts[i].source->choose)
			counters->parts[i].source->choose(&counters->parts[i], &found.reading);
	for (int i = 0; i < TRIES; i++) {
		uint64_t begin = fathom_clock_ticks(), ticks;

		for (uint32_t part = 0; part < counters->part_count; part++)
			fathom_counters_read_part(&counters->parts[part], values);
		ticks = fathom_clock_ticks() - begin;
		if (!i || ticks < found.reading.all_ticks)
			found.reading.all_ticks = ticks;
	}
}

const struct fathom_reading *fathom_counters_reading(void)
{
	return found.reading.all_ticks ? &found.reading : NULL;
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
	found.is_multiplexed = multiplex;
	err = fathom_metric_find_all(list, found.events, &found.count, &refused, error, error_bytes);
	if (err)
		return err;
	while (open_parts(counters, true, &failed, &why))
		drop(&refused, failed, &why);
	if (says)
		fathom_metric_say_refused(&refused, found.count);
	if (!found.count || !define_metrics())
		return 0;
	measure_reading(counters);
	fathom_own_counters = counters;
	found.has_key = pthread_key_create(&found.end_key, thread_ends) == 0;
	return 0;
}
