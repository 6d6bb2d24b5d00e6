#include "frames/metric_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "otf2/memory.h"

/* A value is written as an integer if it is one that is not larger than this. */
#define LARGEST_INTEGER 4503599627370496.0	/* 2^52 */

enum { AS_INTEGER, AS_NEGATIVE, AS_DOUBLE };

void fathom_metric_values_fini(struct fathom_metric_values *values)
{
	free(values->values);
	memset(values, 0, sizeof(*values));
}

/* Returns the value of a member, which is added with 0 if there is none. */
static struct fathom_metric_value *value_of(struct fathom_metric_values *values, uint32_t member)
{
	for (size_t i = 0; i < values->count; i++)
		if (values->values[i].member == member)
			return &values->values[i];
	values->values = fathom_otf2_memory_grow(values->values, values->count, &values->room,
						 sizeof(*values->values));
	values->values[values->count] = (struct fathom_metric_value){ .member = member };
	return &values->values[values->count++];
}

static double number_of(OTF2_Type type, OTF2_MetricValue value)
{
	return type == OTF2_TYPE_DOUBLE ? value.floating_point : type == OTF2_TYPE_INT64 ? (double)value.signed_int :
	       (double)value.unsigned_int;
}

/* Sets a value at a time, or adds to it. */
static void take_value(struct fathom_metric_value *value, uint64_t time, double number, bool is_increment,
		       fathom_metric_take *take, void *taker)
{
	value->value = is_increment ? value->value + number : number;
	value->time = time;
	if (take)
		take(taker, value);
}

static void take_metric(struct fathom_metric_values *values, const struct fathom_otf2_defs *defs,
			const struct fathom_otf2_event *event, fathom_metric_take *take, void *taker)
{
	const struct fathom_otf2_metric *metric = fathom_otf2_find(defs, FATHOM_OTF2_METRIC, event->ref);
	const OTF2_Type *types = event->types;

	if (metric && metric->of_class >= 0)
		metric = fathom_otf2_at(defs, FATHOM_OTF2_METRIC, (uint64_t)metric->of_class);
	for (uint32_t m = 0; metric && m < metric->count && m < event->count; m++) {
		int64_t index = fathom_otf2_index(defs, FATHOM_OTF2_MEMBER, metric->members[m]);
		double number = number_of(types[m], event->values[m]);
		const struct fathom_otf2_typed *member;

		if (index < 0 || !isfinite(number))
			continue;
		member = fathom_otf2_at(defs, FATHOM_OTF2_MEMBER, (uint64_t)index);
		take_value(value_of(values, (uint32_t)index), event->time, number,
			   (member->mode & OTF2_METRIC_VALUE_MASK) == OTF2_METRIC_VALUE_RELATIVE, take, taker);
	}
}

void fathom_metric_values_take(struct fathom_metric_values *values, const struct fathom_otf2_defs *defs,
			       const struct fathom_otf2_event *event, fathom_metric_take *take, void *taker)
{
	if (event->kind == FATHOM_RECORD_METRIC)
		take_metric(values, defs, event, take, taker);
	else if (event->kind == FATHOM_RECORD_CALLING_CONTEXT_SAMPLE)
		take_value(value_of(values, FATHOM_METRIC_SAMPLES), event->time, 1, true, take, taker);
}

void fathom_metric_values_set(struct fathom_metric_values *values, const struct fathom_metric_value *value)
{
	*value_of(values, value->member) = *value;
}

/* --- as bytes ------------------------------------------------------------------------------------------ */

static void write_number(double number, struct fathom_byte_buffer *buffer)
{
	if (fabs(number) <= LARGEST_INTEGER && number == floor(number)) {
		fathom_byte_buffer_number(buffer, number < 0 ? AS_NEGATIVE : AS_INTEGER);
		fathom_byte_buffer_number(buffer, (uint64_t)fabs(number));
	} else {
		fathom_byte_buffer_number(buffer, AS_DOUBLE);
		fathom_byte_buffer_bytes(buffer, &number, sizeof(number));
	}
}

static double read_number(struct fathom_byte_cursor *cursor)
{
	uint64_t form = fathom_byte_cursor_number(cursor);
	double number;

	if (form == AS_INTEGER)
		return (double)fathom_byte_cursor_number(cursor);
	if (form == AS_NEGATIVE)
		return -(double)fathom_byte_cursor_number(cursor);
	if (form != AS_DOUBLE || !cursor->at || cursor->end - cursor->at < (ptrdiff_t)sizeof(number)) {
		cursor->at = NULL;
		return 0;
	}
	memcpy(&number, cursor->at, sizeof(number));
	cursor->at += sizeof(number);
	return number;
}

void fathom_metric_values_write(const struct fathom_metric_values *values, uint64_t time,
				struct fathom_byte_buffer *buffer)
{
	fathom_byte_buffer_number(buffer, values->count);
	for (size_t i = 0; i < values->count; i++) {
		const struct fathom_metric_value *value = &values->values[i];

		fathom_byte_buffer_number(buffer, (uint32_t)(value->member + 1));
		fathom_byte_buffer_number(buffer, time - value->time);
		write_number(value->value, buffer);
	}
}

bool fathom_metric_values_read(struct fathom_metric_values *values, uint64_t time, uint64_t member_count,
			       struct fathom_byte_cursor *cursor)
{
	uint64_t count = fathom_byte_cursor_number(cursor);

	values->count = 0;
	for (uint64_t i = 0; i < count && cursor->at; i++) {
		uint64_t member = fathom_byte_cursor_number(cursor);
		struct fathom_metric_value *value;

		if (member > member_count)
			return false;
		value = value_of(values, (uint32_t)member - 1);
		value->time = time - fathom_byte_cursor_number(cursor);
		value->value = read_number(cursor);
	}
	return cursor->at;
}
