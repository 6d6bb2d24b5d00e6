/*
 * event_queue: the events of a simulation that are to come, the earliest first: a binary heap.
 *
 * Events at the same time are in the order of their kinds and, within a kind, of their numbers, so that a simulation
 * gives the same result each time. Context of all functions: tool.
 */
#ifndef FATHOM_REPLAY_EVENT_QUEUE_H
#define FATHOM_REPLAY_EVENT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fathom_queued_event {
	double time;
	uint32_t kind, number;	/* chosen by the simulation */
};

struct fathom_event_queue {	/* all zero: empty */
	struct fathom_queued_event *events;
	size_t count, room;
};

/* Adds an event. False: no memory. */
bool fathom_event_queue_add(struct fathom_event_queue *queue, struct fathom_queued_event event);

/* Takes the earliest event out of the queue, which must not be empty. */
struct fathom_queued_event fathom_event_queue_take(struct fathom_event_queue *queue);

/* Frees the memory; the queue is empty. */
void fathom_event_queue_fini(struct fathom_event_queue *queue);

#endif
