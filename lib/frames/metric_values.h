/*
 * metric_values: the present values of the counters of one location, and the number of its samples, while its events
 * are read in their order. Context of all functions: tool.
 */
#ifndef FATHOM_FRAMES_METRIC_VALUES_H
#define FATHOM_FRAMES_METRIC_VALUES_H

#include "frames/byte_buffer.h"
#include "otf2/event_reader.h"

#define FATHOM_METRIC_SAMPLES UINT32_MAX	/* the member that stands for the number of samples */

struct fathom_metric_value {
	uint32_t member;		/* index of its definition, or FATHOM_METRIC_SAMPLES */
	double value;			/* the sum, of a counter whose values are increments */
	uint64_t time;			/* when it was recorded, in ticks of the global clock */
};

struct fathom_metric_values {
	struct fathom_metric_value *values;
	size_t count, room;
};

/* The function that gets each new value. */
typedef void fathom_metric_take(void *taker, const struct fathom_metric_value *value);

/* Frees the values. Those of a location before its first event are all zero. */
void fathom_metric_values_fini(struct fathom_metric_values *values);

/* Takes an event; take, which may be NULL, gets each value that is recorded in it. Numbers that are not finite are left
 * out. */
void fathom_metric_values_take(struct fathom_metric_values *values, const struct fathom_otf2_defs *defs,
			       const struct fathom_otf2_event *event, fathom_metric_take *take, void *taker);

/* Sets the value of its member. */
void fathom_metric_values_set(struct fathom_metric_values *values, const struct fathom_metric_value *value);

/* Write the values at a time, and replace the values by written ones. False: the bytes are damaged. */
void fathom_metric_values_write(const struct fathom_metric_values *values, uint64_t time,
				struct fathom_byte_buffer *buffer);
bool fathom_metric_values_read(struct fathom_metric_values *values, uint64_t time, uint64_t member_count,
			       struct fathom_byte_cursor *cursor);

#endif
