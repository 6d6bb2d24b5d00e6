#include "frames/location_state.h"

#include <stdlib.h>

#include "otf2/memory.h"
#include "platform/compiler.h"

/* A written state with more levels or tasks than this is damaged. */
enum { MOST_WRITTEN = 1 << 20 };

static struct fathom_state_level *innermost(const struct fathom_location_state *state)
{
	return &state->levels[state->level_count - 1];
}

static void choose_activity(struct fathom_location_state *state)
{
	struct fathom_state_level *level = innermost(state);

	state->activity = level->running ? &level->tasks[level->running - 1].activity : &level->implicit;
}

static void push_level(struct fathom_location_state *state, uint32_t base)
{
	state->levels = fathom_otf2_memory_grow(state->levels, state->level_count, &state->level_room,
						sizeof(*state->levels));
	state->levels[state->level_count++] = (struct fathom_state_level){ .base = base, .implicit.path = base };
	choose_activity(state);
}

static void pop_level(struct fathom_location_state *state)
{
	free(innermost(state)->tasks);
	state->level_count--;
}

void fathom_location_state_init(struct fathom_location_state *state, struct fathom_path_table *paths,
				const struct fathom_otf2_defs *defs,
				const struct fathom_otf2_translation *translation)
{
	*state = (struct fathom_location_state){ .paths = paths, .defs = defs, .translation = translation };
	push_level(state, FATHOM_PATH_NOTHING);
}

void fathom_location_state_fini(struct fathom_location_state *state)
{
	while (state->level_count)
		pop_level(state);
	free(state->levels);
}

static void enter(struct fathom_location_state *state, uint32_t region)
{
	struct fathom_state_activity *activity = state->activity;
	uint32_t path = activity->hidden ? UINT32_MAX : fathom_path_child(state->paths, activity->path, region);

	if (likely(path != UINT32_MAX))
		activity->path = path;
	else
		activity->hidden++;
}

static void leave(struct fathom_location_state *state)
{
	struct fathom_state_activity *activity = state->activity;

	if (unlikely(activity->hidden))
		activity->hidden--;
	else if (activity->path != innermost(state)->base)
		activity->path = state->paths->paths[activity->path].parent;
}

/* Enters the region of a calling context. */
static void enter_context(struct fathom_location_state *state, uint64_t local_id)
{
	uint32_t id = fathom_otf2_global_id(&state->translation->contexts, local_id);
	const struct fathom_otf2_plain *context = fathom_otf2_find(state->defs, FATHOM_OTF2_CONTEXT, id);

	enter(state, context ? context->number : UINT32_MAX);
}

static size_t find_task(const struct fathom_state_level *level, const struct fathom_stream_record *record)
{
	size_t i;

	for (i = 0; i < level->task_count; i++)
		if (level->tasks[i].creator == record->fields[1] && level->tasks[i].number == record->fields[2])
			break;
	return i;
}

static void switch_task(struct fathom_location_state *state, const struct fathom_stream_record *record)
{
	struct fathom_state_level *level = innermost(state);
	size_t i = find_task(level, record);

	level->running = 0;
	if (record->fields[2] != 0) {		/* 0: the implicit task */
		if (i == level->task_count) {
			level->tasks = fathom_otf2_memory_grow(level->tasks, i, &level->task_room,
							       sizeof(*level->tasks));
			level->tasks[level->task_count++] = (struct fathom_state_task){
				(uint32_t)record->fields[1], (uint32_t)record->fields[2], { level->base, 0 } };
		}
		level->running = i + 1;
	}
	choose_activity(state);
}

static void complete_task(struct fathom_location_state *state, const struct fathom_stream_record *record)
{
	struct fathom_state_level *level = innermost(state);
	size_t i = find_task(level, record), last = level->task_count - 1;

	if (i == level->task_count)
		return;
	if (level->running == i + 1)
		level->running = 0;
	else if (level->running == last + 1)
		level->running = i + 1;
	level->tasks[i] = level->tasks[last];
	level->task_count--;
	choose_activity(state);
}

void fathom_location_state_apply(struct fathom_location_state *state, const struct fathom_stream_record *record)
{
	switch (record->kind) {
	case FATHOM_RECORD_ENTER:
		enter(state, fathom_otf2_global_id(&state->translation->regions, record->fields[0]));
		break;
	case FATHOM_RECORD_LEAVE:
	case FATHOM_RECORD_CALLING_CONTEXT_LEAVE:
		leave(state);
		break;
	case FATHOM_RECORD_CALLING_CONTEXT_ENTER:
		enter_context(state, record->fields[0]);
		break;
	case FATHOM_RECORD_THREAD_TEAM_BEGIN:
		push_level(state, fathom_location_state_path(state));
		break;
	case FATHOM_RECORD_THREAD_TEAM_END:
		if (state->level_count > 1)
			pop_level(state);
		choose_activity(state);
		break;
	case FATHOM_RECORD_THREAD_TASK_SWITCH:
		switch_task(state, record);
		break;
	case FATHOM_RECORD_THREAD_TASK_COMPLETE:
		complete_task(state, record);
		break;
	default:
		break;
	}
}

/* --- as bytes ------------------------------------------------------------------------------------------ */

static void write_activity(const struct fathom_state_activity *activity, struct fathom_byte_buffer *buffer)
{
	fathom_byte_buffer_number(buffer, activity->path);
	fathom_byte_buffer_number(buffer, activity->hidden);
}

void fathom_location_state_write(const struct fathom_location_state *state, struct fathom_byte_buffer *buffer)
{
	fathom_byte_buffer_number(buffer, state->level_count);
	for (size_t l = 0; l < state->level_count; l++) {
		const struct fathom_state_level *level = &state->levels[l];

		fathom_byte_buffer_number(buffer, level->base);
		write_activity(&level->implicit, buffer);
		fathom_byte_buffer_number(buffer, level->running);
		fathom_byte_buffer_number(buffer, level->task_count);
		for (size_t t = 0; t < level->task_count; t++) {
			fathom_byte_buffer_number(buffer, level->tasks[t].creator);
			fathom_byte_buffer_number(buffer, level->tasks[t].number);
			write_activity(&level->tasks[t].activity, buffer);
		}
	}
}

static struct fathom_state_activity read_activity(const struct fathom_location_state *state,
						  struct fathom_byte_cursor *cursor)
{
	struct fathom_state_activity activity;

	activity.path = (uint32_t)fathom_byte_cursor_number(cursor);
	activity.hidden = (uint32_t)fathom_byte_cursor_number(cursor);
	if (activity.path >= state->paths->count)
		cursor->at = NULL;
	return activity;
}

static bool read_level(struct fathom_location_state *state, struct fathom_byte_cursor *cursor)
{
	struct fathom_state_level *level;
	uint64_t base = fathom_byte_cursor_number(cursor), count;

	if (base >= state->paths->count)
		return false;
	push_level(state, (uint32_t)base);
	level = innermost(state);
	level->implicit = read_activity(state, cursor);
	level->running = (size_t)fathom_byte_cursor_number(cursor);
	count = fathom_byte_cursor_number(cursor);
	if (level->running > count || count > MOST_WRITTEN)
		return false;
	for (uint64_t t = 0; t < count && cursor->at; t++) {
		struct fathom_state_task task;

		task.creator = (uint32_t)fathom_byte_cursor_number(cursor);
		task.number = (uint32_t)fathom_byte_cursor_number(cursor);
		task.activity = read_activity(state, cursor);
		level->tasks = fathom_otf2_memory_grow(level->tasks, level->task_count, &level->task_room,
						       sizeof(*level->tasks));
		level->tasks[level->task_count++] = task;
	}
	return cursor->at;
}

bool fathom_location_state_read(struct fathom_location_state *state, struct fathom_byte_cursor *cursor)
{
	uint64_t count = fathom_byte_cursor_number(cursor);
	bool is_good = count > 0 && count < MOST_WRITTEN;

	while (state->level_count)
		pop_level(state);
	for (uint64_t l = 0; l < count && is_good; l++)
		is_good = read_level(state, cursor);
	if (!is_good) {
		while (state->level_count)
			pop_level(state);
		push_level(state, FATHOM_PATH_NOTHING);
	}
	choose_activity(state);
	return is_good;
}
