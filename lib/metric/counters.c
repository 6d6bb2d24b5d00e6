#include "metric/counters.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "metric/metric_lookup.h"
#include "metric/rdpmc.h"
#include "metric/rotating_reader.h"
#include "platform/arena.h"
#include "platform/clock.h"
#include "platform/lock.h"
#include "platform/log.h"

/* The time in which a thread counts a group. */
struct fathom_counter_turn {
	uint64_t end;		/* in ticks; 0: the first group's time has not begun */
	uint32_t bursts;	/* so many have ended in it */
	uint64_t before[FATHOM_METRIC_MOST_STRICT];	/* added to what is counted, by id (rotating_reader.h) */
};

FATHOM_TLS struct fathom_counters *fathom_own_counters;

/* The counters that were found at the start; constant afterwards except for the unused structures. */
static struct {
	struct fathom_metric_event events[FATHOM_METRIC_MOST_STRICT];
	uint32_t count;
	bool is_multiplexed;
	uint32_t group_count, first_group;	/* fathom_metric_group_count */
	uint64_t turn_ns;
	uint32_t turn_bursts;
	uint32_t has_turned;		/* a thread has changed its group */
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

/* Returns whether a thread that counts a group opens the event. */
static bool is_in(const struct fathom_metric_event *event, uint32_t group)
{
	return event->is_process || event->groups >> group & 1;
}

/* Collects the events of one source and group, of threads or of the process, in a reader that is not open. */
static void collect(struct fathom_metric_reader *reader, const struct fathom_metric_source *source, bool is_process,
		    uint32_t group)
{
	memset(reader, 0, sizeof(*reader));
	reader->source = source;
	reader->is_multiplexed = found.is_multiplexed;
	for (uint32_t i = 0; i < found.count; i++)
		if (found.events[i].source == source && found.events[i].is_process == is_process &&
		    is_in(&found.events[i], group))
			reader->events[reader->count++] = &found.events[i];
}

static const struct fathom_metric_source *source_of(const struct fathom_metric_reader *reader)
{
	return reader->inner ? reader->inner : reader->source;
}

static bool is_collected(const struct fathom_counters *counters, const struct fathom_metric_event *event)
{
	for (uint32_t i = 0; i < counters->part_count; i++)
		if (source_of(&counters->parts[i]) == event->source &&
		    counters->parts[i].events[0]->is_process == event->is_process)
			return true;
	return false;
}

/* Closes all parts behind the first ones. */
static void close_parts(struct fathom_counters *counters, uint32_t first)
{
	while (counters->part_count > first)
		counters->part_count--, counters->parts[counters->part_count].source->close(
						&counters->parts[counters->part_count]);
}

/* Opens the events of the process, or those of threads in the group, as further parts. -errno: sets the failed event
 * and why, and no further part is open. */
static int open_kind(struct fathom_counters *counters, bool is_process, const struct fathom_metric_event **failed,
		     struct fathom_metric_why *why)
{
	uint32_t first = counters->part_count;

	for (uint32_t i = 0; i < found.count; i++) {
		struct fathom_metric_reader *reader = &counters->parts[counters->part_count];
		const struct fathom_metric_event *event = &found.events[i];
		int err;

		if (event->is_process != is_process || !is_in(event, counters->group) || is_collected(counters, event))
			continue;
		collect(reader, event->source, is_process, counters->group);
		err = reader->source->open(reader, why);
		if (err) {
			*failed = reader->events[reader->failed];
			close_parts(counters, first);
			return err;
		}
		if (counters->turn && !is_process)
			fathom_rotating_reader_wrap(reader, counters->turn->before);
		counters->part_count++;
	}
	return 0;
}

/* Opens the events of threads in the first group, and those of the process if with_process. -errno: sets the failed
 * event and why, and nothing is open. */
static int open_parts(struct fathom_counters *counters, bool with_process, const struct fathom_metric_event **failed,
		      struct fathom_metric_why *why)
{
	int err = 0;

	counters->part_count = 0;
	counters->group = found.first_group;
	if (counters->turn)
		memset(counters->turn, 0, sizeof(*counters->turn));
	if (with_process)
		err = open_kind(counters, true, failed, why);
	if (!err)
		err = open_kind(counters, false, failed, why);
	if (err)
		close_parts(counters, 0);
	return err;
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
	if (counters && !counters->turn && found.group_count > 1) {
		counters->turn = fathom_arena_alloc(&found.arena, sizeof(*counters->turn));
		if (!counters->turn)
			counters = NULL;
	}
	fathom_lock_give(&found.lock);
	return counters;
}

static void thread_ends(void *data)
{
	struct fathom_counters *counters = data;

	fathom_own_counters = NULL;
	close_parts(counters, 0);
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

static void say_not_opened(const struct fathom_metric_event *failed, const struct fathom_metric_why *why)
{
	if (!__atomic_exchange_n(&found.has_said, 1, __ATOMIC_RELAXED))
		fathom_log(FATHOM_LOG_SAY, "FATHOM_METRICS: %s cannot be counted on a thread: %s; no metric is counted "
			   "on such threads", failed->name, why->text);
}

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
	if (open_parts(counters, false, &failed, &why)) {
		counters->group = FATHOM_NO_COUNTER_GROUP;
		say_not_opened(failed, &why);
	}
	fathom_own_counters = counters;
	if (found.has_key)
		pthread_setspecific(found.end_key, counters);
	pthread_setcancelstate(cancel_state, NULL);
	errno = saved;
	return counters;
}

/* Closes the counters of the group that is open, and opens those of the next one. The events of the process stay open.
 * If an event cannot be opened, the thread counts no group until the next change. */
static void change_group(struct fathom_counters *counters, uint64_t *values)
{
	const struct fathom_metric_event *failed;
	struct fathom_metric_why why;
	uint32_t last = counters->group == FATHOM_NO_COUNTER_GROUP ? found.first_group : counters->group;
	uint32_t first = 0;
	int cancel_state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	while (first < counters->part_count && counters->parts[first].events[0]->is_process)
		first++;
	for (uint32_t i = first; i < counters->part_count; i++)
		counters->parts[i].source->read(&counters->parts[i], values);
	close_parts(counters, first);
	memcpy(counters->turn->before, values, fathom_metric_thread_count() * sizeof(*values));
	counters->group = (last + 1) % found.group_count;
	if (open_kind(counters, false, &failed, &why)) {
		counters->group = FATHOM_NO_COUNTER_GROUP;
		say_not_opened(failed, &why);
	}
	__atomic_store_n(&found.has_turned, 1, __ATOMIC_RELAXED);
	pthread_setcancelstate(cancel_state, NULL);
}

bool fathom_counters_turn(struct fathom_counters *counters, uint64_t now, uint64_t *values)
{
	struct fathom_counter_turn *turn = counters->turn;
	bool is_over = turn->end && now >= turn->end;
	int saved = errno;

	turn->bursts++;
	if (found.turn_bursts && turn->bursts >= found.turn_bursts)
		is_over = true;
	if (turn->end && !is_over)
		return false;
	turn->end = now + fathom_clock_ticks_in(found.turn_ns);
	if (!is_over)
		return false;
	turn->bursts = 0;
	change_group(counters, values);
	errno = saved;
	return true;
}

void fathom_counters_say_silent(const uint64_t *values)
{
	if (found.group_count > 1 && !found.has_turned)
		fathom_log(FATHOM_LOG_SAY, "FATHOM_METRICS_ROTATE: one list of counters was counted only: there was no "
			   "call of MPI, OpenMP, threads or files after the turn of the first one "
			   "(FATHOM_METRICS_ROTATE_TIME)");
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
				.groups = event->is_process ? UINT32_MAX : event->groups,
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
		if (source_of(&counters->parts[i])->choose)
			source_of(&counters->parts[i])->choose(&counters->parts[i], &found.reading);
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

/* Adds the events of a list to those that were found, as members of the group. */
static int add_list(const char *list, uint32_t group, struct fathom_metric_refused *refused, char *error,
		    size_t error_bytes)
{
	static struct fathom_metric_event events[FATHOM_METRIC_MOST_STRICT];	/* large, and needed once */
	uint32_t count, e;
	int err = fathom_metric_find_all(list, events, &count, refused, error, error_bytes);

	for (uint32_t i = 0; !err && i < count; i++) {
		for (e = 0; e < found.count && strcmp(found.events[e].name, events[i].name); e++)
			;
		if (e == FATHOM_METRIC_MOST_STRICT) {
			fathom_metric_refuse(refused, events[i].name, "too many in all groups together");
			continue;
		}
		if (e == found.count)
			found.events[found.count++] = events[i];
		found.events[e].groups |= 1u << group;
	}
	return err;
}

/* Finds the events of all groups. */
static int find_groups(const char *lists, struct fathom_metric_refused *refused, char *error, size_t error_bytes)
{
	char list[4096];

	for (uint32_t group = 0; ; group++) {
		size_t length = strcspn(lists, "|");
		int err;

		if (group == FATHOM_METRIC_MOST_GROUPS || length >= sizeof(list)) {
			fathom_format(error, error_bytes, "FATHOM_METRICS: at most %d groups of at most %zu characters "
				      "can take turns", (int)FATHOM_METRIC_MOST_GROUPS, sizeof(list) - 1);
			return -EINVAL;
		}
		memcpy(list, lists, length);
		list[length] = '\0';
		err = add_list(list, group, refused, error, error_bytes);
		if (err)
			return err;
		found.group_count = group + 1;
		if (!lists[length])
			return 0;
		lists += length + 1;
	}
}

/* Opens the events of each group once, for the calling thread and for the process, and forgets those that cannot be
 * opened; at the end the first group is open. */
static void open_all(struct fathom_counters *counters, uint32_t first_group, struct fathom_metric_refused *refused)
{
	const struct fathom_metric_event *failed;
	struct fathom_metric_why why = { "" };

	for (uint32_t step = 1; step <= found.group_count; step++) {
		found.first_group = (first_group + step) % found.group_count;
		while (open_parts(counters, true, &failed, &why))
			drop(refused, failed, &why);
		if (step < found.group_count)
			close_parts(counters, 0);
	}
}

int fathom_counters_start(const struct fathom_counter_wishes *wishes, char *error, size_t error_bytes)
{
	static struct fathom_metric_refused refused;	/* large, and needed once */
	const struct fathom_metric_event *failed;
	struct fathom_metric_why why = { "" };
	struct fathom_counters *counters;
	int err = find_groups(wishes->lists, &refused, error, error_bytes);

	if (err)
		return err;
	counters = take();
	if (!counters)
		return 0;
	found.is_multiplexed = wishes->multiplex;
	found.turn_ns = wishes->turn_ns;
	found.turn_bursts = wishes->turn_bursts;
	open_all(counters, wishes->first_group % found.group_count, &refused);
	if (wishes->says)
		fathom_metric_say_refused(&refused, found.count);
	fathom_metric_set_group_count(found.group_count);
	if (!found.count || !define_metrics())
		return 0;
	if (found.group_count > 1) {	/* what is added to values has its place by id, which was unknown before */
		close_parts(counters, 0);
		open_parts(counters, true, &failed, &why);
	}
	measure_reading(counters);
	fathom_own_counters = counters;
	found.has_key = pthread_key_create(&found.end_key, thread_ends) == 0;
	return 0;
}
