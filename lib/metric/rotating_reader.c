#include "metric/rotating_reader.h"

static void read_sum(struct fathom_metric_reader *reader, uint64_t *values)
{
	uint64_t counted[FATHOM_METRIC_MOST_STRICT];

	for (uint32_t i = 0; i < reader->count; i++) {
		uint32_t id = reader->events[i]->id;

		counted[id] = values[id] - reader->before[id];	/* remains if the event cannot be read */
	}
	reader->inner->read(reader, counted);
	for (uint32_t i = 0; i < reader->count; i++) {
		uint32_t id = reader->events[i]->id;

		values[id] = reader->before[id] + counted[id];
	}
}

static void close_inner(struct fathom_metric_reader *reader)
{
	reader->inner->close(reader);
}

static const struct fathom_metric_source rotating = { .name = "rotating", .read = read_sum, .close = close_inner };

void fathom_rotating_reader_wrap(struct fathom_metric_reader *reader, uint64_t *before)
{
	uint64_t counted[FATHOM_METRIC_MOST_STRICT] = { 0 };

	/* Some sources count from the begin of the thread, and not from the time when they are opened. */
	reader->source->read(reader, counted);
	for (uint32_t i = 0; i < reader->count; i++)
		before[reader->events[i]->id] -= counted[reader->events[i]->id];
	reader->before = before;
	reader->inner = reader->source;
	reader->source = &rotating;
}
