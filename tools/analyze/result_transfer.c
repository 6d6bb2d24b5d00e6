#include "tools/analyze/result_transfer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

/* A message is these numbers, then the call paths, then for each location its values, then the wait states, then their
 * intervals, and what is left out of these. */
struct head {
	uint64_t bytes;		/* of what follows */
	uint64_t path_count, location_count, wait_count, interval_count, left_out_count;
	uint64_t events, unmatched_requests, unknown_neighborhoods;
	uint64_t first, last;
};

struct path {
	uint32_t region, parent;
};

struct location {
	uint64_t first, last;
	uint32_t index, value_count;
};

struct value {
	uint64_t own_ticks, visits;
	uint32_t path;
	uint32_t unused;
};

struct left_out {		/* intervals that a host had no room for */
	uint64_t count, ticks;
	uint32_t location, kind;
};

static void *put(char **at, const void *data, size_t bytes)
{
	memcpy(*at, data, bytes);
	*at += bytes;
	return *at;
}

static uint32_t count_values(const struct fathom_extraction_location *location)
{
	uint32_t count = 0, i;

	for (i = 0; i < location->value_room; i++)
		count += location->values[i].visits || location->values[i].own_ticks;
	return count;
}

static void put_location(char **at, const struct fathom_extraction_location *from, uint32_t index)
{
	struct location location = { from->first, from->last, index, count_values(from) };
	uint32_t i;

	put(at, &location, sizeof(location));
	for (i = 0; i < from->value_room; i++) {
		struct value value = { from->values[i].own_ticks, from->values[i].visits, i, 0 };

		if (value.own_ticks || value.visits)
			put(at, &value, sizeof(value));
	}
}

static void count_intervals(const struct fathom_interval_list *intervals, struct head *head)
{
	for (uint32_t l = 0; l < intervals->location_count; l++)
		for (int kind = 0; kind < FATHOM_INTERVAL_KINDS; kind++) {
			head->interval_count += intervals->parts[l][kind].count;
			head->left_out_count += intervals->parts[l][kind].left_out > 0;
		}
	head->bytes += head->interval_count * sizeof(struct fathom_interval) +
		       head->left_out_count * sizeof(struct left_out);
}

static void put_intervals(char **at, const struct fathom_interval_list *intervals)
{
	for (uint32_t l = 0; l < intervals->location_count; l++)
		for (int kind = 0; kind < FATHOM_INTERVAL_KINDS; kind++)
			if (intervals->parts[l][kind].count)
				put(at, intervals->parts[l][kind].intervals,
				    intervals->parts[l][kind].count * sizeof(struct fathom_interval));
	for (uint32_t l = 0; l < intervals->location_count; l++)
		for (uint32_t kind = 0; kind < FATHOM_INTERVAL_KINDS; kind++) {
			const struct fathom_interval_part *part = &intervals->parts[l][kind];

			if (part->left_out)
				put(at, &(struct left_out){ part->left_out, part->left_out_ticks, l, kind },
				    sizeof(struct left_out));
		}
}

static int send_results(struct fathom_comm *comm, const struct fathom_extraction *extraction,
			const struct fathom_wait_values *waits, const struct fathom_interval_list *intervals)
{
	struct head head = {
		.path_count = extraction->tree.count,
		.wait_count = waits->count,
		.events = extraction->events,
		.unmatched_requests = extraction->unmatched_requests,
		.unknown_neighborhoods = extraction->unknown_neighborhoods,
		.first = extraction->first,
		.last = extraction->last,
	};
	char *message, *at;
	uint32_t i;
	int err;

	head.bytes = head.path_count * sizeof(struct path) + head.wait_count * sizeof(*waits->values);
	for (i = 0; i < extraction->location_count; i++) {
		if (!extraction->locations[i].first)
			continue;
		head.location_count++;
		head.bytes += sizeof(struct location) +
			      count_values(&extraction->locations[i]) * sizeof(struct value);
	}
	count_intervals(intervals, &head);
	at = message = fathom_tool_alloc(head.bytes + 1, 1);
	for (i = 0; i < extraction->tree.count; i++)
		put(&at, &(struct path){ extraction->tree.paths[i].region, extraction->tree.paths[i].parent },
		    sizeof(struct path));
	for (i = 0; i < extraction->location_count; i++)
		if (extraction->locations[i].first)
			put_location(&at, &extraction->locations[i], i);
	if (waits->count)
		put(&at, waits->values, waits->count * sizeof(*waits->values));
	put_intervals(&at, intervals);
	err = comm->send(comm, 0, &head, sizeof(head));
	if (!err)
		err = comm->send(comm, 0, message, head.bytes);
	free(message);
	return err;
}

/* Takes bytes from a message. False: it is shorter. */
static bool get(const char **at, const char *end, void *data, size_t bytes)
{
	if ((size_t)(end - *at) < bytes)
		return false;
	memcpy(data, *at, bytes);
	*at += bytes;
	return true;
}

static bool get_location(struct fathom_extraction *extraction, const uint32_t *path_of, uint64_t path_count,
			 const char **at, const char *end)
{
	struct fathom_extraction_location *to;
	struct location location;
	struct value value;
	uint32_t i;

	if (!get(at, end, &location, sizeof(location)) || location.index >= extraction->location_count)
		return false;
	to = &extraction->locations[location.index];
	to->first = location.first;
	to->last = location.last;
	for (i = 0; i < location.value_count; i++) {
		struct fathom_call_values *values;

		if (!get(at, end, &value, sizeof(value)) || value.path >= path_count)
			return false;
		values = fathom_extraction_values(extraction, location.index, path_of[value.path]);
		values->own_ticks += value.own_ticks;
		values->visits += value.visits;
	}
	return true;
}

static bool get_intervals(struct fathom_interval_list *intervals, const struct head *head, const char **at,
			  const char *end)
{
	struct fathom_interval interval;
	struct left_out left_out;

	for (uint64_t i = 0; i < head->interval_count; i++) {
		if (!get(at, end, &interval, sizeof(interval)) || interval.pattern >= FATHOM_WAITS_PATTERNS)
			return false;
		fathom_interval_list_add(intervals, &interval);
	}
	for (uint64_t i = 0; i < head->left_out_count; i++) {
		if (!get(at, end, &left_out, sizeof(left_out)))
			return false;
		fathom_interval_list_leave_out(intervals, left_out.location, (int)left_out.kind, left_out.count,
					       left_out.ticks);
	}
	return true;
}

static bool unpack(struct fathom_extraction *extraction, struct fathom_wait_values *waits,
		   struct fathom_interval_list *intervals, const struct head *head, const char *message)
{
	const char *at = message, *end = message + head->bytes;
	uint32_t *path_of = fathom_tool_alloc(head->path_count + 1, sizeof(*path_of));
	struct fathom_wait_value wait;
	struct path path;
	bool is_good = true;
	uint64_t i;

	for (i = 0; is_good && i < head->path_count; i++) {
		is_good = get(&at, end, &path, sizeof(path)) && (path.parent == FATHOM_NO_CALL_PATH || path.parent < i);
		if (is_good)
			path_of[i] = fathom_call_tree_child(&extraction->tree, path.parent == FATHOM_NO_CALL_PATH ?
							    FATHOM_NO_CALL_PATH : path_of[path.parent], path.region);
	}
	for (i = 0; is_good && i < head->location_count; i++)
		is_good = get_location(extraction, path_of, head->path_count, &at, end);
	for (i = 0; is_good && i < head->wait_count; i++) {
		is_good = get(&at, end, &wait, sizeof(wait)) && wait.path < head->path_count;
		if (is_good) {
			wait.path = path_of[wait.path];
			fathom_wait_values_add(waits, &wait);
		}
	}
	free(path_of);
	return is_good && get_intervals(intervals, head, &at, end);
}

static int receive_results(struct fathom_comm *comm, int from, struct fathom_extraction *extraction,
			   struct fathom_wait_values *waits, struct fathom_interval_list *intervals)
{
	struct head head;
	char *message;
	int err = comm->receive(comm, from, &head, sizeof(head));

	if (err)
		return err;
	message = fathom_tool_alloc(head.bytes + 1, 1);
	err = comm->receive(comm, from, message, head.bytes);
	if (!err && !unpack(extraction, waits, intervals, &head, message))
		err = -EPROTO;
	extraction->events += head.events;
	extraction->unmatched_requests += head.unmatched_requests;
	extraction->unknown_neighborhoods += head.unknown_neighborhoods;
	extraction->first = head.first < extraction->first ? head.first : extraction->first;
	extraction->last = head.last > extraction->last ? head.last : extraction->last;
	free(message);
	return err;
}

int fathom_results_collect(struct fathom_comm *comm, struct fathom_extraction *extraction,
			   struct fathom_wait_values *waits, struct fathom_interval_list *intervals)
{
	int rank, err = 0;

	if (comm->rank > 0)
		return send_results(comm, extraction, waits, intervals);
	for (rank = 1; !err && rank < comm->size; rank++)
		err = receive_results(comm, rank, extraction, waits, intervals);
	return err;
}
