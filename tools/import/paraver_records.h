/*
 * paraver_records: reads the records of a Paraver trace (.prv), and what its first lines say of processes, threads and
 * communicators. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_IMPORT_PARAVER_RECORDS_H
#define FATHOM_TOOLS_IMPORT_PARAVER_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum fathom_paraver_kind { FATHOM_PARAVER_STATE = 1, FATHOM_PARAVER_EVENT = 2, FATHOM_PARAVER_MESSAGE = 3 };

struct fathom_paraver_pair {	/* of an event */
	uint32_t type;
	uint64_t value;
};

struct fathom_paraver_record {
	enum fathom_paraver_kind kind;
	uint32_t thread;		/* index; of a message: the sender */
	uint64_t time;			/* begin; of a message: when the call that sends it began */
	uint64_t end;			/* of a state; of a message: when it was sent */
	uint64_t state;
	struct fathom_paraver_pair *pairs;	/* of an event */
	size_t pair_count;
	uint32_t receiver;		/* index of a thread */
	uint64_t receive_call, received;
	uint64_t bytes, tag;
};

struct fathom_paraver_task {		/* a process */
	uint32_t application, number;	/* from 1 */
	uint32_t node;			/* from 0 */
	uint32_t first_thread;		/* index; the threads of a task are neighbours */
	uint32_t thread_count;
};

struct fathom_paraver_comm {
	uint64_t id;
	uint32_t application;
	uint32_t *tasks;		/* indices */
	size_t count;
};

struct fathom_paraver_file {
	const char *path;
	FILE *stream;
	char *line;
	size_t line_room;
	uint64_t line_number;
	uint64_t ticks_per_second;
	uint64_t duration;
	uint32_t node_count, thread_count;
	struct fathom_paraver_task *tasks;
	size_t task_count, task_room;
	uint32_t *first_tasks;		/* by application, from 0, and one more: where its tasks begin */
	size_t application_count, application_room;
	struct fathom_paraver_comm *comms;
	size_t comm_count, comm_room;
	uint64_t records_at;		/* position of the first record in the file */
	uint64_t records_line;
	size_t pair_room;
};

/* Opens a trace and reads its first lines. 0, or -errno after an error message; then nothing is open. */
int fathom_paraver_file_open(struct fathom_paraver_file *file, const char *path);
void fathom_paraver_file_close(struct fathom_paraver_file *file, struct fathom_paraver_record *record);

/* Goes back to the first record. */
void fathom_paraver_file_rewind(struct fathom_paraver_file *file);

/* Reads the next record, whose memory is used again by the next call; it is all zero at first. 1, 0 at the end of the
 * file, or -errno after an error message. */
int fathom_paraver_file_next(struct fathom_paraver_file *file, struct fathom_paraver_record *record);

#endif
