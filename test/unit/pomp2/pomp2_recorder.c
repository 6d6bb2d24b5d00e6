#include "pomp2_recorder.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "define/region.h"
#include "event/event.h"
#include "event/locks/locks.h"
#include "run/runtime.h"
#include "event/teams/task.h"
#include "event/teams/team.h"
#include "event/teams/waiting.h"

#define MOST_REGIONS 512
#define MOST_PATHS 4096
#define MOST_DEPTH 400
#define LONGEST_PATH 16384

/* Regions that are active: of a thread in a team (or alone), or of a task. */
struct stack {
	const char *base;		/* path under which it hangs */
	const struct fathom_region *regions[MOST_DEPTH];
	uint32_t depth;
};

struct fathom_task {
	const struct fathom_region *region;
	enum { CREATED, RUNS, SUSPENDED, OVER } state;
	struct fathom_task *below;
	struct stack stack;
};

/* A thread, from the begin of its team to the end; or for ever, if it forks nobody knows from where. */
struct place {
	struct fathom_team *team;	/* NULL: in none */
	struct place *outer;
	struct fathom_task *task;	/* NULL: the implicit one */
	struct stack stack;
};

struct fathom_team {
	const struct fathom_region *parallel, *management;
	struct place *leader;
	const char *path;		/* of the fork */
	uint32_t threads, begun, ended, leader_depth;
	bool *is_in;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;	/* all below; tests need no speed */
static struct fathom_region regions[MOST_REGIONS];
static uint32_t region_count;
static struct { char *path; uint64_t visits; } paths[MOST_PATHS];
static uint32_t path_count;
static uint64_t faults;
static bool measures = true, may_cancel, refuses_tasks;
static __thread struct place *self;

static void fault(const char *what, const char *name)
{
	faults++;
	fprintf(stderr, "fault: %s: %s\n", what, name);
}

static void on(void)
{
	pthread_mutex_lock(&lock);
	if (!self) {
		self = calloc(1, sizeof(*self));
		self->stack.base = "";
	}
}

static void off(void)
{
	pthread_mutex_unlock(&lock);
}

static struct stack *active(void)
{
	return self->task ? &self->task->stack : &self->stack;
}

/* --- call paths ------------------------------------------------------------------------------ */

static void path_of(const struct stack *stack, char *path)
{
	strcpy(path, stack->base);
	for (uint32_t i = 0; i < stack->depth; i++) {
		if (*path)
			strcat(path, "/");
		strcat(path, stack->regions[i]->name);
	}
}

static void visit(const struct stack *stack)
{
	static char path[LONGEST_PATH];

	path_of(stack, path);
	for (uint32_t i = 0; i < path_count; i++) {
		if (!strcmp(paths[i].path, path)) {
			paths[i].visits++;
			return;
		}
	}
	if (path_count == MOST_PATHS)
		abort();
	paths[path_count].path = strdup(path);
	paths[path_count++].visits = 1;
}

static void push(const struct fathom_region *region)
{
	struct stack *stack = active();

	if (stack->depth == MOST_DEPTH)
		abort();
	stack->regions[stack->depth++] = region;
	visit(stack);
}

static void pop(const struct fathom_region *region)
{
	struct stack *stack = active();

	if (stack->depth && stack->regions[stack->depth - 1] == region) {
		stack->depth--;
		return;
	}
	if (!may_cancel)
		fault("is left, and is not the innermost region", region->name);
	for (uint32_t i = stack->depth; i > 0; i--) {
		if (stack->regions[i - 1] == region) {
			stack->depth = i - 1;
			return;
		}
	}
	fault("is left, and was not entered", region->name);
}

void fathom_event_enter_block(const struct fathom_region *region)
{
	on();
	push(region);
	off();
}

void fathom_event_exit(const struct fathom_region *region)
{
	on();
	pop(region);
	off();
}

/* --- teams ----------------------------------------------------------------------------------- */

struct fathom_team *fathom_event_fork(const struct fathom_region *parallel, const struct fathom_region *management,
				      uint32_t threads, enum fathom_team_places places)
{
	static char path[LONGEST_PATH];
	struct fathom_team *team = calloc(1, sizeof(*team));

	on();
	if (places != FATHOM_PLACES_LOGICAL || threads < 1 || threads > 4096)
		fault("strange fork", parallel->name);
	team->parallel = parallel;
	team->management = management;
	team->threads = threads;
	team->is_in = calloc(threads, sizeof(*team->is_in));
	team->leader = self;
	path_of(active(), path);
	team->path = strdup(path);
	push(parallel);
	team->leader_depth = active()->depth;
	push(management);
	off();
	return team;
}

static void begin_worker(struct fathom_team *team)
{
	struct place *place = calloc(1, sizeof(*place));

	place->stack.base = team->path;
	place->outer = self;
	place->team = team;
	self = place;
	push(team->parallel);
}

/* The regions of thread 0 go on from the fork's, as in the core; its tasks are those of the team. */
void fathom_event_team_begin(struct fathom_team *team, uint32_t number, uint32_t size)
{
	on();
	if (number >= size || size > team->threads || team->is_in[number]) {
		fault("a thread has a number that is too high or taken", team->parallel->name);
		off();
		return;
	}
	team->is_in[number] = true;
	team->begun++;
	if (number) {
		begin_worker(team);
	} else {
		if (self != team->leader)
			fault("number 0 is another thread than the one that forked", team->parallel->name);
		pop(team->management);
	}
	off();
}

static void check_open(const struct stack *stack, uint32_t depth, const char *what)
{
	if (stack->depth > depth && !may_cancel)
		fault(what, stack->regions[stack->depth - 1]->name);
}

void fathom_event_team_end(struct fathom_team *team)
{
	struct place *place;

	on();
	team->ended++;
	if (self == team->leader) {
		check_open(active(), team->leader_depth, "is active at the end of the team");
		active()->depth = team->leader_depth;
		push(team->management);
	} else if (self->team != team) {
		fault("the end of a team that the thread is not in", team->parallel->name);
	} else {
		if (self->task && !may_cancel)
			fault("a task is active at the end of the team", self->task->region->name);
		check_open(&self->stack, 1, "is active at the end of the team");
		place = self;
		self = place->outer;
		free(place);
	}
	off();
}

void fathom_event_join(struct fathom_team *team)
{
	on();
	if (self != team->leader)
		fault("another thread joins than forked", team->parallel->name);
	if (!team->begun || (team->begun != team->ended && !may_cancel))
		fault("threads have not begun, or not ended", team->parallel->name);
	active()->depth = team->leader_depth - 1;
	off();
}

/* --- tasks ----------------------------------------------------------------------------------- */

struct fathom_task *fathom_event_task_create(const struct fathom_region *region)
{
	struct fathom_task *task = refuses_tasks ? NULL : calloc(1, sizeof(*task));

	if (!task)
		return NULL;
	task->region = region;
	task->stack.base = "TASKS";
	return task;
}

void fathom_event_task_begin(struct fathom_task *task)
{
	if (!task)
		return;
	on();
	if (task->state != CREATED)
		fault("a task begins that has begun already", task->region->name);
	task->state = RUNS;
	task->below = self->task;
	if (self->task)
		self->task->state = SUSPENDED;
	self->task = task;
	push(task->region);
	off();
}

/* Its memory is kept, so that it can be told if somebody still means it. */
void fathom_event_task_end(struct fathom_task *task)
{
	if (!task)
		return;
	on();
	if (self->task != task) {
		fault("a task ends that another thread executes, or nobody", task->region->name);
	} else {
		check_open(&task->stack, 1, "is active at the end of its task");
		self->task = task->below && task->below->state == SUSPENDED ? task->below : NULL;
		if (self->task)
			self->task->state = RUNS;
	}
	task->state = OVER;
	off();
}

void fathom_event_task_switch(struct fathom_task *task)
{
	on();
	if (self->task != task) {
		if (!may_cancel)
			fault("a task has not said its end", self->task ? self->task->region->name : "implicit");
		if (task && task->state != SUSPENDED)
			fault("a thread goes on with a task that is not suspended", task->region->name);
		if (self->task)
			self->task->state = SUSPENDED;
		if (task)
			task->state = RUNS;
		self->task = task;
	}
	off();
}

struct fathom_task *fathom_event_task_current(void)
{
	return self ? self->task : NULL;
}

/* Blame for waiting is tested in test/unit/event/teams/test_idleness.c. */

bool fathom_event_blames_for_waiting(void)
{
	return false;
}

void fathom_event_wait_begin(void)
{
}

void fathom_event_wait_end(void)
{
}

/* --- locks ----------------------------------------------------------------------------------- */

/* Who has which lock is tested in test/run/trace-locks.sh and contention.sh. */

void fathom_event_lock_acquired(const void *lock, enum fathom_paradigm paradigm)
{
	(void)lock, (void)paradigm;
}

void fathom_event_lock_release(const void *lock, enum fathom_paradigm paradigm)
{
	(void)lock, (void)paradigm;
}

void fathom_event_exit_and_release(const struct fathom_region *region, const void *lock, enum fathom_paradigm paradigm)
{
	(void)lock, (void)paradigm;
	if (region)
		fathom_event_exit(region);
}

void fathom_event_lock_forget(const void *lock)
{
	(void)lock;
}

/* --- the rest -------------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

const struct fathom_region *fathom_region_define(const struct fathom_region *spec)
{
	struct fathom_region *region = NULL;

	on();
	for (uint32_t i = 0; i < region_count && !region; i++) {
		if (same_text(regions[i].name, spec->name) && same_text(regions[i].file, spec->file) &&
		    regions[i].begin_line == spec->begin_line && regions[i].end_line == spec->end_line &&
		    regions[i].role == spec->role && regions[i].paradigm == spec->paradigm)
			region = &regions[i];
	}
	if (!region) {
		if (region_count == MOST_REGIONS)
			abort();
		region = &regions[region_count];
		*region = *spec;
		region->name = strdup(spec->name);
		region->file = strdup(spec->file);
		region->id = region_count++;
	}
	off();
	return region;
}

bool fathom_runtime_measures(void)
{
	return measures;
}

void recorder_reset(void)
{
	on();
	path_count = 0;
	faults = 0;
	self->stack.depth = 0;
	self->task = NULL;
	off();
}

void recorder_measure(bool do_measure)
{
	measures = do_measure;
}

uint64_t recorder_visits(const char *path)
{
	for (uint32_t i = 0; i < path_count; i++) {
		if (!strcmp(paths[i].path, path))
			return paths[i].visits;
	}
	return 0;
}

uint64_t recorder_faults(void)
{
	return faults;
}

uint32_t recorder_depth(void)
{
	return self ? active()->depth : 0;
}

uint32_t recorder_region_count(void)
{
	return region_count;
}

const struct fathom_region *recorder_region(const char *name)
{
	for (uint32_t i = 0; i < region_count; i++) {
		if (!strcmp(regions[i].name, name))
			return &regions[i];
	}
	return NULL;
}

void recorder_refuse_tasks(bool refuse)
{
	refuses_tasks = refuse;
}

__attribute__((constructor)) static void start(void)
{
	may_cancel = getenv("RECORDER_CANCEL");
	measures = !getenv("RECORDER_OFF");
}

__attribute__((destructor)) static void end(void)
{
	if (!getenv("RECORDER_DUMP"))
		return;
	for (uint32_t i = 0; i < path_count; i++)
		fprintf(stderr, "%llu %s\n", (unsigned long long)paths[i].visits, paths[i].path);
	if (recorder_depth())
		fault("is active at the end", active()->regions[recorder_depth() - 1]->name);
	fprintf(stderr, "faults %llu\n", (unsigned long long)faults);
}
