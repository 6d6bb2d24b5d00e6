#include "ompt_core.h"

#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "define/region.h"
#include "event/event.h"
#include "event/locks/locks.h"
#include "run/runtime.h"
#include "event/teams/task.h"
#include "event/teams/team.h"
#include "event/teams/waiting.h"
#include "event/thread.h"

#define MOST_REGIONS 4096

static struct fathom_region regions[MOST_REGIONS];
static uint32_t region_count;
static char told[1 << 16];
static bool measures = true, refuses_tasks;
static int tasks;
static struct fathom_task { char name[16]; } task_store[64];
static struct fathom_team { char name[16]; } team_store[64];
static int teams;

static void tell(const char *format, ...)
{
	size_t length = strlen(told);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(told + length, sizeof(told) - length, format, arguments);
	va_end(arguments);
	strncat(told, "\n", sizeof(told) - strlen(told) - 1);
}

/* The construct, and the line as which this test counts addresses. */
static const char *name_of(const struct fathom_region *region)
{
	static char text[128];

	if (region->name)
		return region->name;
	snprintf(text, sizeof(text), "%s", region->canonical);
	snprintf(text + strlen(text), sizeof(text) - strlen(text), " @%d", (int)region->begin_line);
	return text;
}

const char *const ompt_core_code = (const char *)name_of;

const struct fathom_region *fathom_region_define(const struct fathom_region *spec)
{
	static uint64_t base;
	struct link_map *map;
	Dl_info info;

	if (!base) {
		assert_true(dladdr1((const void *)name_of, &info, (void **)&map, RTLD_DL_LINKMAP));
		base = (uintptr_t)name_of - map->l_addr;
	}
	for (uint32_t i = 0; i < region_count; i++)
		if (regions[i].role == spec->role && regions[i].offset == spec->offset &&
		    !strcmp(regions[i].name ? regions[i].name : regions[i].canonical,
			    spec->name ? spec->name : spec->canonical))
			return &regions[i];
	assert_true(region_count < MOST_REGIONS);
	assert_int_equal(spec->paradigm, FATHOM_PARADIGM_OPENMP);
	assert_true(!spec->name == !!spec->canonical && !spec->name == !!spec->module);
	regions[region_count] = *spec;
	regions[region_count].begin_line = spec->module ? (uint32_t)(spec->offset - base) : 0;
	return &regions[region_count++];
}

void fathom_event_enter_block(const struct fathom_region *region) { tell("enter %s", name_of(region)); }
void fathom_event_exit(const struct fathom_region *region) { tell("exit %s", name_of(region)); }
bool fathom_runtime_measures(void) { return measures; }
void fathom_event_thread_ignore(void) { tell("ignore"); }

struct fathom_team *fathom_event_fork(const struct fathom_region *parallel, const struct fathom_region *management,
				      uint32_t threads, enum fathom_team_places places)
{
	struct fathom_team *team = &team_store[teams++ % 64];

	snprintf(team->name, sizeof(team->name), "team%d", teams);
	assert_int_equal(places, FATHOM_PLACES_THREADS);
	assert_true(strncmp(name_of(management), "!$omp fork and join", 19) == 0);
	tell("fork %s %s %u", team->name, name_of(parallel), threads);
	return team;
}

void fathom_event_team_begin(struct fathom_team *team, uint32_t number, uint32_t size)
{
	if (team)
		tell("begin %s %u of %u", team->name, number, size);
}

void fathom_event_team_wait(const struct fathom_region *barrier)
{
	tell("wait in %s", name_of(barrier));
}

void fathom_event_team_end(struct fathom_team *team)
{
	if (team)
		tell("end %s", team->name);
}

void fathom_event_join(struct fathom_team *team)
{
	tell("join %s", team->name);
}

struct fathom_task *fathom_event_task_create(const struct fathom_region *region)
{
	struct fathom_task *task = &task_store[tasks % 64];

	if (refuses_tasks)
		return NULL;
	snprintf(task->name, sizeof(task->name), "task%d", ++tasks);
	tell("create %s %s", task->name, name_of(region));
	return task;
}

void fathom_event_task_begin(struct fathom_task *task) { tell("run %s", task->name); }
void fathom_event_task_end(struct fathom_task *task) { tell("over %s", task->name); }
void fathom_event_task_switch(struct fathom_task *task) { tell("switch %s", task ? task->name : "implicit"); }

void ompt_core_compare(const char *file, int line, const char *const *lines)
{
	static char expected[sizeof(told)];

	*expected = '\0';
	for (; *lines; lines++)
		strcat(strcat(expected, *lines), "\n");
	if (strcmp(expected, told)) {
		print_error("expected:\n%stold:\n%s", expected, told);
		_fail(file, line);
	}
	*told = '\0';
}

const char *ompt_core_told(void)
{
	return told;
}

void ompt_core_forget(void)
{
	*told = '\0';
}

void ompt_core_reset(void)
{
	teams = tasks = 0;
	measures = true;
	refuses_tasks = false;
	ompt_core_forget();
}

void ompt_core_measure(bool on)
{
	measures = on;
}

void ompt_core_refuse_tasks(bool refuse)
{
	refuses_tasks = refuse;
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

/* Who has which lock is tested in test/run/trace-locks.sh and contention.sh. */

void fathom_event_lock_acquired(const void *lock, enum fathom_paradigm paradigm)
{
	(void)lock, (void)paradigm;
}

void fathom_event_lock_released(const void *lock, enum fathom_paradigm paradigm)
{
	(void)lock, (void)paradigm;
}

void fathom_event_lock_forget(const void *lock)
{
	(void)lock;
}
