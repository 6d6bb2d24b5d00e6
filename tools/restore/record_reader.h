/*
 * record_reader: reads the records of a chunk of events (otf2/records.h), one after the other.
 *
 * A chunk comes from a file or from a copy of memory. It may be cut off at any byte, and damaged: the reader reads
 * nothing outside of the chunk, and stops at a record that is invalid.
 */
#ifndef FATHOM_TOOLS_RESTORE_RECORD_READER_H
#define FATHOM_TOOLS_RESTORE_RECORD_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record_reader {
	const uint8_t *at, *end;
	uint64_t ticks;		/* time of the previous record */
	bool has_time;		/* the chunk has a time already */
};

enum { EVENT_MOST_FIELDS = 8, EVENT_MOST_VALUES = 255 };

struct event {
	uint8_t record;		/* enum fathom_record */
	uint64_t ticks;
	uint64_t fields[EVENT_MOST_FIELDS];	/* in their order; for a metric, only its number */
	uint32_t value_count;	/* the number of values of a metric; the next two are these values */
	uint8_t types[EVENT_MOST_VALUES];
	uint64_t values[EVENT_MOST_VALUES];
};

enum record_result {
	RECORD_READ,
	RECORD_END,		/* the chunk has no further record, or is cut off */
	RECORD_DAMAGED,		/* the following bytes are no record */
};

/* Begins to read a chunk of that many bytes. Returns the number of its first record; 0: this is no chunk. */
uint64_t record_reader_begin(struct record_reader *reader, const uint8_t *chunk, size_t bytes);

/* Reads the next record. If the result is not RECORD_READ, reader->at stays behind the previous record. */
enum record_result record_reader_next(struct record_reader *reader, struct event *event);

/* The number of defined objects of each kind that records refer to; objects are numbered from 0. */
struct event_limits {
	uint64_t regions, comms, strings, parameters, metrics, windows, ranks, files, handles;
};

/* Returns whether all objects that the record refers to are defined. */
bool event_is_defined(const struct event *event, const struct event_limits *limits);

#endif
