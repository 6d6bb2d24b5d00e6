/*
 * location_state: what one location works on while its own records are read in their order: a call path.
 *
 * A location works outside of teams, and in each team that it is in on the implicit task or an explicit one. The call
 * path of a team begins with the path on which the location entered the team. An explicit task that another location
 * has begun continues here without the regions that it entered there, because only the records of one location are
 * read. The state can be written as bytes and read again, so that reading can continue in the middle.
 * Context of all functions: tool.
 */
#ifndef FATHOM_FRAMES_LOCATION_STATE_H
#define FATHOM_FRAMES_LOCATION_STATE_H

#include "frames/byte_buffer.h"
#include "frames/path_table.h"
#include "otf2/archive_reader.h"
#include "otf2/record_stream.h"

struct fathom_state_activity {	/* of a task, or outside of all teams */
	uint32_t path;
	uint32_t hidden;	/* number of entered regions that the table of paths has no room for */
};

struct fathom_state_task {
	uint32_t creator, number;
	struct fathom_state_activity activity;
};

struct fathom_state_level {	/* a team; the lowest is the work outside of all teams */
	uint32_t base;		/* path on which the team was entered */
	struct fathom_state_activity implicit;
	struct fathom_state_task *tasks;	/* explicit tasks that have run here and are not complete */
	size_t task_count, task_room;
	size_t running;		/* 1 + index of the task that runs; 0: the implicit one */
};

struct fathom_location_state {
	struct fathom_path_table *paths;
	const struct fathom_otf2_defs *defs;
	const struct fathom_otf2_translation *translation;	/* of the location */
	struct fathom_state_level *levels;
	size_t level_count, level_room;
	struct fathom_state_activity *activity;	/* the present one */
};

/* Makes the state of a location before its first record. The other objects must live as long as the state. */
void fathom_location_state_init(struct fathom_location_state *state, struct fathom_path_table *paths,
				const struct fathom_otf2_defs *defs,
				const struct fathom_otf2_translation *translation);
void fathom_location_state_fini(struct fathom_location_state *state);

/* Returns the path that the location works on. */
static inline uint32_t fathom_location_state_path(const struct fathom_location_state *state)
{
	return state->activity->path;
}

/* Changes the state as the record says. */
void fathom_location_state_apply(struct fathom_location_state *state, const struct fathom_stream_record *record);

/* Write the state, and replace the state by a written one. False: the bytes are damaged. */
void fathom_location_state_write(const struct fathom_location_state *state, struct fathom_byte_buffer *buffer);
bool fathom_location_state_read(struct fathom_location_state *state, struct fathom_byte_cursor *cursor);

#endif
