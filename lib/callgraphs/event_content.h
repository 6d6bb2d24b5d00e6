/*
 * event_content: an event without its time and location as a list of numbers, which is equal for events that say the
 * same.
 *
 * Numbers that grow during the run are stored as the difference from an earlier number of the same location: a
 * request from the last request that was begun, a counter's value from its previous value, and so on. The difference
 * d is stored as 2d, or -2d - 1 if it is negative. Therefore the events of a location must be converted in their
 * order, in both directions. Context of all functions: tool.
 *
 * The numbers: the first one holds the kind (8 bits), a bit for each of the nine fields of struct fathom_otf2_event
 * that is not 0 (9 bits), the number of values of a metric or arguments of a program (16 bits), and that of
 * attributes (8 bits); then these fields in the order ref, other, id, peer, tag, op, count, bytes, bytes_received;
 * then for each value its type and difference, or each argument; then for each attribute its id, type and value.
 */
#ifndef FATHOM_CALLGRAPHS_EVENT_CONTENT_H
#define FATHOM_CALLGRAPHS_EVENT_CONTENT_H

#include "otf2/event_reader.h"

enum fathom_content_sequence {	/* sequences of numbers of which only the last one begun counts */
	FATHOM_CONTENT_REQUESTS, FATHOM_CONTENT_WINDOW_OPERATIONS, FATHOM_CONTENT_FILE_OPERATIONS, FATHOM_CONTENT_TASKS,
	FATHOM_CONTENT_SEQUENCES
};

struct fathom_content_state {	/* of a location */
	uint64_t last[FATHOM_CONTENT_SEQUENCES];
	struct fathom_table values;	/* last values of metrics, parameters and acquisitions of locks */
};

struct fathom_content_numbers {	/* of the event that was converted last; the caller frees numbers */
	uint64_t *numbers;
	uint32_t count;
	size_t room;
};

struct fathom_content_event {	/* an event that was made of numbers, with what it points to */
	struct fathom_otf2_event event;
	OTF2_Type types[UINT8_MAX];
	OTF2_MetricValue values[UINT8_MAX];
	uint32_t *arguments;		/* these two are freed by fathom_content_event_free */
	OTF2_AttributeList *attributes;
	size_t argument_room;
};

/* Begin and end the state of a location, in the caller's storage. */
void fathom_content_state_init(struct fathom_content_state *state);
void fathom_content_state_fini(struct fathom_content_state *state);

/* A copy of the state of a location, to continue from later. */
struct fathom_content_copy {
	uint64_t last[FATHOM_CONTENT_SEQUENCES];
	struct fathom_content_value {
		uint64_t key[3], value;
	} *values;
	size_t count;
};

/* Copy a state, set a state to a copy, and free a copy. */
void fathom_content_state_save(const struct fathom_content_state *state, struct fathom_content_copy *copy);
void fathom_content_state_set(struct fathom_content_state *state, const struct fathom_content_copy *copy);
void fathom_content_copy_free(struct fathom_content_copy *copy);

/* Converts an event to numbers. */
void fathom_content_make(struct fathom_content_state *state, struct fathom_content_numbers *numbers,
			 const struct fathom_otf2_event *event);

/* Converts numbers to the event at that time. count is the count of the numbers. False: they are no event. */
bool fathom_content_restore(struct fathom_content_state *state, struct fathom_content_event *event,
			    const uint64_t *numbers, uint32_t count, uint64_t time);
void fathom_content_event_free(struct fathom_content_event *event);

/* Return the kind of an event, the ref, and the number of numbers that the first one announces. */
enum fathom_record fathom_content_kind(const uint64_t *numbers);
uint64_t fathom_content_ref(const uint64_t *numbers);
uint32_t fathom_content_count(uint64_t first);

#endif
