#include "otf2/region_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "otf2/memory.h"


void fathom_otf2_stacks_init(struct fathom_otf2_stacks *stacks, const struct fathom_otf2_defs *defs)
{
	uint32_t location;

	stacks->thread_count = fathom_otf2_count(defs, FATHOM_OTF2_LOCATION);
	stacks->threads = fathom_otf2_memory_alloc(stacks->thread_count, sizeof(*stacks->threads));
	fathom_table_init(&stacks->tasks, sizeof(struct fathom_otf2_task));
	for (location = 0; location < stacks->thread_count; location++)
		fathom_otf2_stacks_enter_team(stacks, location, OTF2_UNDEFINED_UINT64);
}

void fathom_otf2_stacks_fini(struct fathom_otf2_stacks *stacks)
{
	struct fathom_otf2_task *task = NULL;
	size_t i, team;

	while ((task = fathom_table_next(&stacks->tasks, task)) != NULL)
		free(task->stack.regions);
	for (i = 0; i < stacks->thread_count; i++) {
		for (team = 0; team < stacks->threads[i].team_room; team++)	/* teams that ended have memory, too */
			free(stacks->threads[i].teams[team].stack.regions);
		free(stacks->threads[i].teams);
	}
	free(stacks->threads);
	fathom_table_fini(&stacks->tasks);
	memset(stacks, 0, sizeof(*stacks));
}

static struct fathom_otf2_team *innermost(struct fathom_otf2_stacks *stacks, uint32_t location)
{
	struct fathom_otf2_thread *thread = &stacks->threads[location];

	return &thread->teams[thread->team_count - 1];
}

struct fathom_otf2_stack *fathom_otf2_stack_of(struct fathom_otf2_stacks *stacks, uint32_t location)
{
	struct fathom_otf2_team *team = innermost(stacks, location);

	return team->task ? &team->task->stack : &team->stack;
}

void fathom_otf2_stack_push(struct fathom_otf2_stack *stack, uint32_t region)
{
	stack->regions = fathom_otf2_memory_grow(stack->regions, stack->count, &stack->room, sizeof(*stack->regions));
	stack->regions[stack->count++] = region;
}

void fathom_otf2_stacks_enter_team(struct fathom_otf2_stacks *stacks, uint32_t location, uint64_t comm)
{
	struct fathom_otf2_thread *thread = &stacks->threads[location];
	size_t room = thread->team_room;

	thread->teams = fathom_otf2_memory_grow(thread->teams, thread->team_count, &thread->team_room,
						sizeof(*thread->teams));
	if (room != thread->team_room)
		memset(thread->teams + room, 0, (thread->team_room - room) * sizeof(*thread->teams));
	/* A team that ended earlier may have used this entry; its memory for the stack is used again. */
	thread->teams[thread->team_count].comm = comm;
	thread->teams[thread->team_count].task = NULL;
	thread->teams[thread->team_count++].stack.count = 0;
}

struct fathom_otf2_team *fathom_otf2_stacks_team(struct fathom_otf2_stacks *stacks, uint32_t location)
{
	return stacks->threads[location].team_count > 1 ? innermost(stacks, location) : NULL;
}

void fathom_otf2_stacks_leave_team(struct fathom_otf2_stacks *stacks, uint32_t location)
{
	fathom_otf2_stacks_switch(stacks, location, NULL);
	if (stacks->threads[location].team_count > 1)
		stacks->threads[location].team_count--;
}

struct fathom_otf2_task *fathom_otf2_stacks_task(struct fathom_otf2_stacks *stacks, uint32_t process,
						 const struct fathom_otf2_event *event)
{
	struct fathom_otf2_task *task;
	uint64_t number = (uint64_t)event->peer << 32 | event->tag;

	if (event->tag == 0)
		return NULL;
	task = fathom_table_find(&stacks->tasks, process, event->ref, number);
	if (task)
		return task;
	task = fathom_table_add(&stacks->tasks, process, event->ref, number);
	task->first_time = event->time;
	task->first_location = event->location;
	return task;
}

void fathom_otf2_stacks_switch(struct fathom_otf2_stacks *stacks, uint32_t location, struct fathom_otf2_task *task)
{
	struct fathom_otf2_team *team = innermost(stacks, location);

	if (team->task)
		team->task->runs--;
	team->task = task;
	if (task)
		task->runs++;
}

void fathom_otf2_stacks_complete(struct fathom_otf2_stacks *stacks, uint32_t location, struct fathom_otf2_task *task)
{
	struct fathom_otf2_team *team = innermost(stacks, location);

	if (team->task == task)
		fathom_otf2_stacks_switch(stacks, location, NULL);
	/* The task runs on another location too, which is an error of the trace; the task must stay for that
	 * location. */
	if (task->runs > 0)
		return;
	free(task->stack.regions);
	fathom_table_remove(&stacks->tasks, task);
}
