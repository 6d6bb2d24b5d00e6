/* Samples as they are taken, and events that get their contexts: the bytes are those that OTF2's own writer makes. */
#include "otf2_events.h"
#include "unit_test.h"

#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>

#include "define/region.h"
#include "event/location.h"
#include "platform/module.h"
#include "trace/archive.h"
#include "trace/buffer.h"
#include "trace/records/record.h"
#include "trace/samples/calling_contexts.h"
#include "trace/samples/event_conversion.h"
#include "trace/samples/raw_samples.h"

/* --- what the files ask others ------------------------------------------------------------------- */

uint64_t fathom_trace_tick_mask;	/* 0: a sample has the time of the event before */
bool fathom_trace_reads_counter;

static char directory[64];
static int failure;
static struct fathom_location location;
static struct fathom_trace trace;

void fathom_trace_event_path(const struct fathom_trace *of, char *path, size_t bytes)
{
	(void)of;
	snprintf(path, bytes, "%s/raw", directory);
}

void fathom_trace_archive_moved_path(const struct fathom_trace *of, const char *to, uint32_t rank, char *path,
				     size_t bytes)
{
	(void)of;
	snprintf(path, bytes, "%s/%u", to, rank);
}

struct fathom_trace *fathom_trace_archive_newest(void)
{
	return &trace;
}

void fathom_trace_fail(int error)
{
	failure = error;
}

void fathom_trace_lose(struct fathom_trace *of)
{
	(void)of;
	failure = -1;
}

/* --- the two writers ----------------------------------------------------------------------------- */

enum { PROGRAM, MAIN, WORK, TASK, RECEIVE, REGIONS };

static const struct fathom_region *regions[REGIONS];
static struct fathom_frame frames[REGIONS + 1];
static OTF2_EvtWriter *writer;
static uint64_t ticks;

static void define(int number, const char *name, enum fathom_paradigm paradigm, enum fathom_role role)
{
	const struct fathom_region spec = { .name = name, .paradigm = paradigm, .role = role };

	regions[number] = fathom_region_define(&spec);
	assert_non_null(regions[number]);
}

static int begin(void **state)
{
	(void)state;
	define(PROGRAM, "program", FATHOM_PARADIGM_MEASUREMENT, FATHOM_ROLE_ARTIFICIAL);
	define(MAIN, "main", FATHOM_PARADIGM_COMPILER, FATHOM_ROLE_FUNCTION);
	define(WORK, "work", FATHOM_PARADIGM_COMPILER, FATHOM_ROLE_FUNCTION);
	define(TASK, "task", FATHOM_PARADIGM_OPENMP, FATHOM_ROLE_TASK);
	define(RECEIVE, "MPI_Recv", FATHOM_PARADIGM_MPI, FATHOM_ROLE_POINT2POINT);
	strcpy(directory, "event_conversion_XXXXXX");
	assert_non_null(mkdtemp(directory));
	writer = otf2_events_open(directory);
	memset(&trace, 0, sizeof(trace));
	memset(&location, 0, sizeof(location));
	memset(frames, 0, sizeof(frames));
	trace.location = &location;
	location.trace_data = &trace;
	location.kind = FATHOM_KIND_INITIAL;
	location.root = location.top = frames;
	failure = 0;
	ticks = 1000;
	assert_int_equal(fathom_trace_buffer_init(&trace), 0);
	return 0;
}

static int end(void **state)
{
	char command[128];

	(void)state;
	otf2_events_close();
	fathom_arena_fini(&location.arena);
	fathom_calling_contexts_fini();
	snprintf(command, sizeof(command), "rm -rf %s", directory);
	return system(command);
}

static void find_contexts(void)
{
	assert_int_equal(fathom_trace_buffer_close(&trace), 0);
	assert_int_equal(fathom_trace_find_contexts(true), 0);
}

static void files_are_the_same(void)
{
	enum { MOST = 64 };
	uint32_t same[MOST];
	struct fathom_context_numbers numbers = { same, fathom_calling_context_count(), same };
	char path[128];
	uint64_t events;

	assert_in_range(numbers.context_count, 1, MOST);
	for (uint32_t i = 0; i < MOST; i++)
		same[i] = i;
	assert_int_equal(fathom_trace_write_contexts(directory, 7, &numbers), 0);
	assert_int_equal(OTF2_EvtWriter_GetNumberOfEvents(writer, &events), OTF2_SUCCESS);
	assert_int_equal(trace.buffer.events, events);
	snprintf(path, sizeof(path), "%s/7", directory);
	otf2_events_equal(path);
	assert_int_equal(failure, 0);
}

/* --- events ---------------------------------------------------------------------------------------- */

/* Enters a region, whose context shall have that number and distance. */
static void enter(int region, uint32_t context, uint32_t distance)
{
	ticks += 10;
	FATHOM_TRACE_PUT(&trace, ticks, FATHOM_RECORD_ENTER, regions[region]->id);
	location.top++;
	location.top->region = regions[region];
	assert_int_equal(OTF2_EvtWriter_CallingContextEnter(writer, NULL, ticks, context, distance), OTF2_SUCCESS);
}

static void leave(int region, uint32_t context)
{
	ticks += 10;
	FATHOM_TRACE_PUT(&trace, ticks, FATHOM_RECORD_LEAVE, regions[region]->id);
	location.top--;
	assert_int_equal(OTF2_EvtWriter_CallingContextLeave(writer, NULL, ticks, context), OTF2_SUCCESS);
}

static void switch_task(uint32_t number)
{
	ticks += 10;
	FATHOM_TRACE_PUT(&trace, ticks, FATHOM_RECORD_THREAD_TASK_SWITCH, 5, 1, number);
	assert_int_equal(OTF2_EvtWriter_ThreadTaskSwitch(writer, NULL, ticks, 5, 1, number), OTF2_SUCCESS);
}

static void sample_at(struct fathom_frame *top, const struct fathom_sample_frame *list, uint32_t count, bool has_own)
{
	const struct fathom_sample sample = {
		.frames = list,
		.count = count,
		.has_own = has_own,
		.period = 5000000,
		.mean_period = 5000000,
		.name = "time",
	};

	fathom_trace_sample(&location, top, &sample);
}

static void expect_sample(uint32_t context, uint32_t distance)
{
	assert_int_equal(OTF2_EvtWriter_CallingContextSample(writer, NULL, ticks, context, distance, 0), OTF2_SUCCESS);
}

/* Functions of the program that is sampled: nobody calls them. */
static int inner(int value)
{
	return value + 1;
}

static int outer(int value)
{
	return inner(value) * 2;
}

static struct fathom_sample_frame frame_in(int (*function)(int), int distance)
{
	return (struct fathom_sample_frame){ (uintptr_t)function + (uintptr_t)distance, (uintptr_t)function };
}

static void enters_leaves_and_samples_get_contexts(void **state)
{
	const struct fathom_sample_frame list[] = { frame_in(inner, 2), frame_in(outer, 3) };
	const struct fathom_calling_context *context;

	(void)state;
	fathom_trace_samples_choose(1000, "1000");
	enter(PROGRAM, 0, 2);
	enter(MAIN, 1, 2);
	sample_at(location.top, NULL, 0, false);
	expect_sample(1, 1);
	/* The outermost frame is that of main itself: contexts 2 (main at that place) and 3 (inner below it). */
	sample_at(location.top, list, 2, true);
	expect_sample(3, 3);
	sample_at(location.top, list, 2, true);
	expect_sample(3, 1);
	enter(WORK, 4, 3);
	/* Frames below a recorded region whose own frame is not known: outer (5) and inner (6). */
	sample_at(location.top, list, 2, false);
	expect_sample(6, 3);
	/* A jump has left work. */
	sample_at(location.top - 1, NULL, 0, false);
	expect_sample(1, 1);
	leave(WORK, 4);
	enter(RECEIVE, 7, 2);
	/* What is below a call of MPI says nothing. */
	sample_at(location.top, list, 2, false);
	expect_sample(7, 1);
	leave(RECEIVE, 7);
	leave(MAIN, 1);
	leave(PROGRAM, 0);
	assert_int_equal(trace.samples, 6);
	assert_int_equal(trace.samples_lost, 0);
	find_contexts();
	context = fathom_calling_context_at(2);
	assert_int_equal(context->parent, 0);
	assert_int_equal(context->region, regions[MAIN]->id);
	assert_string_equal(fathom_code_module_path(context->module - 1), fathom_module_program());
	context = fathom_calling_context_at(3);
	assert_int_equal(context->parent, 2);
	assert_int_equal(context->offset - fathom_region_by_id(context->region)->offset, 2);
	assert_true(fathom_calling_context_uses(context->region));
	files_are_the_same();
}

static void a_task_has_contexts_of_its_own(void **state)
{
	(void)state;
	fathom_trace_samples_choose(1000, "1000");
	enter(MAIN, 0, 2);
	switch_task(1);
	enter(TASK, 1, 2);
	enter(WORK, 2, 2);
	switch_task(0);
	location.top = location.root + 1;	/* the frames of the task are elsewhere */
	sample_at(location.top, NULL, 0, false);
	expect_sample(0, 2);
	location.top = location.root + 3;
	switch_task(1);
	leave(WORK, 2);
	leave(TASK, 1);
	ticks += 10;
	FATHOM_TRACE_PUT(&trace, ticks, FATHOM_RECORD_THREAD_TASK_COMPLETE, 5, 1, 1);
	assert_int_equal(OTF2_EvtWriter_ThreadTaskComplete(writer, NULL, ticks, 5, 1, 1), OTF2_SUCCESS);
	switch_task(0);
	leave(MAIN, 0);
	find_contexts();
	assert_int_equal(fathom_calling_context_at(1)->parent, FATHOM_NO_CONTEXT);
	assert_int_equal(fathom_calling_context_count(), 3);
	files_are_the_same();
}

static void of_samples_of_time_every_tenth_is_recorded(void **state)
{
	(void)state;
	fathom_trace_samples_choose(100, "1000");
	enter(MAIN, 0, 2);
	for (int i = 0; i < 25; i++)
		sample_at(location.top, NULL, 0, false);
	assert_int_equal(trace.samples, 2);
	expect_sample(0, 1);
	expect_sample(0, 1);
	leave(MAIN, 0);
	find_contexts();
	assert_int_equal(fathom_trace_generator_count(), 1);
	assert_int_equal(fathom_trace_generator_at(0, &(uint32_t){ 0 })->period, 50000000);
	files_are_the_same();
}

static void contexts_with_one_number_are_the_same(void **state)
{
	const struct fathom_code_place none = { 0 }, first = { 1, 16 }, second = { 1, 20 };
	const uint32_t names[] = { 0, 1, 1, 2, 2 };
	uint32_t root = fathom_calling_context_find(FATHOM_NO_CONTEXT, regions[MAIN]->id, none);
	uint32_t a = fathom_calling_context_find(root, regions[WORK]->id, first);
	uint32_t b = fathom_calling_context_find(root, regions[WORK]->id, second);
	uint32_t below_a = fathom_calling_context_find(a, regions[TASK]->id, none);
	uint32_t below_b = fathom_calling_context_find(b, regions[TASK]->id, none);

	(void)state;
	assert_int_equal(fathom_calling_context_find(root, regions[WORK]->id, first), a);
	assert_int_equal(below_b, 4);
	assert_int_equal(fathom_calling_context_distance(a, b, names), 1);
	assert_int_equal(fathom_calling_context_distance(below_a, below_b, names), 1);
	assert_int_equal(fathom_calling_context_distance(below_a, b, names), 1);
	assert_int_equal(fathom_calling_context_distance(a, below_b, names), 2);
	assert_int_equal(fathom_calling_context_distance(FATHOM_NO_CONTEXT, below_b, names), 4);
	assert_int_equal(fathom_calling_context_distance(below_b, root, names), 1);
	assert_true(outer(1) == 4);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(enters_leaves_and_samples_get_contexts, begin, end),
		cmocka_unit_test_setup_teardown(a_task_has_contexts_of_its_own, begin, end),
		cmocka_unit_test_setup_teardown(of_samples_of_time_every_tenth_is_recorded, begin, end),
		cmocka_unit_test_setup_teardown(contexts_with_one_number_are_the_same, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
