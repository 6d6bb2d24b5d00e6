/*
 * message_lines: the messages of a trace, each with its sender and receiver. Context of all functions: tool.
 *
 * Sends and receives of a channel (sender, receiver, communicator, tag) belong together in the order in which they were
 * begun, so all of them from the beginning of the trace are needed.
 */
#ifndef FATHOM_TOOLS_COMMON_MESSAGE_LINES_H
#define FATHOM_TOOLS_COMMON_MESSAGE_LINES_H

#include "otf2/archive_reader.h"

struct fathom_message_line {
	uint32_t from_row, to_row;
	uint64_t send, receive;		/* in ticks of the global clock */
	uint64_t bytes;
};

struct fathom_message_end;
struct fathom_posted_receive;

struct fathom_message_lines {
	struct fathom_message_line *lines;	/* after fathom_message_lines_match: by the time of the send */
	size_t count, line_room;
	bool has_too_many;			/* the lines are not known, because there are too many */
	struct fathom_message_end *sends, *receives;
	size_t send_count, send_room, receive_count, receive_room;
	struct fathom_posted_receive *posted;	/* receives that have begun and are not complete */
	size_t posted_count, posted_room;
};

/* Takes an event of a location that has that row; row < 0: the location is not shown. */
void fathom_message_lines_take(struct fathom_message_lines *lines, struct fathom_otf2_defs *defs,
			       const struct fathom_otf2_event *event, int64_t row);

/* Finds the lines, after the last event. Messages from or to threads that are not shown have none. */
void fathom_message_lines_match(struct fathom_message_lines *lines);
void fathom_message_lines_fini(struct fathom_message_lines *lines);

#endif
