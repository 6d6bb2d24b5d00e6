/*
 * record_reader: the records of a chunk of events (otf2/records.h), one after the other.
 *
 * A chunk comes from a file or from a copy of memory. It may be cut off anywhere, and damaged: nothing outside of it is
 * read, and a record that cannot be one ends the reading.
 */
#ifndef FATHOM_TOOLS_RESTORE_RECORD_READER_H
#define FATHOM_TOOLS_RESTORE_RECORD_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record_reader {
	const uint8_t *at, *end;
	uint64_t ticks;		/* of the record before */
	bool has_time;		/* the chunk has a time already */
};

enum { EVENT_MOST_FIELDS = 8, EVENT_MOST_VALUES = 255 };

struct event {
	uint8_t record;		/* enum fathom_record */
	uint64_t ticks;
	uint64_t fields[EVENT_MOST_FIELDS];	/* in their order; of a metric, its number alone */
	uint32_t value_count;	/* of a metric: */
	uint8_t types[EVENT_MOST_VALUES];
	uint64_t values[EVENT_MOST_VALUES];
};

enum record_result {
	RECORD_READ,
	RECORD_END,		/* the chunk has no further record, or is cut off */
	RECORD_DAMAGED,		/* what follows is no record */
};

/* Begins to read a chunk of so many bytes. The number of its first record; 0: this is no chunk. */
uint64_t record_reader_begin(struct record_reader *reader, const uint8_t *chunk, size_t bytes);

/* Reads the next record. Unless it is RECORD_READ, reader->at stays behind the record before. */
enum record_result record_reader_next(struct record_reader *reader, struct event *event);

/* Up to which number things are defined that records refer to: numbers count from 0. */
struct event_limits {
	uint64_t regions, comms, strings, parameters, metrics, windows, ranks, files, handles;
};

/* Returns whether all that the record refers to is defined. */
bool event_is_defined(const struct event *event, const struct event_limits *limits);

#endif
