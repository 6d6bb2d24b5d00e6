/*
 * The event core, seen by a substrate that writes down what arrives: +region, -region, and records in
 * brackets. Each test runs in a thread of its own, so it begins unborn, and is judged when that is over.
 */
#include "unit_test.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "define/communicator.h"
#include "define/region.h"
#include "event/event.h"
#include "run/runtime.h"
#include "event/state.h"
#include "profile/recording/callpath.h"
#include "profile/profile.h"

static const struct fathom_region *a, *b, *c, *d;

/* What siglongjmp is in the shared library. */
void fathom_interposed_siglongjmp(struct __jmp_buf_tag buffer[1], int value);

/* --- the substrate --------------------------------------------------------------------------- */

static __thread char heard[4096];		/* of this thread */
static __thread size_t heard_length;
static __thread uint64_t enters, exits;
static __thread void (*in_core)(void);		/* to be called once, inside the core */

static void hear(const char *format, ...)
{
	va_list arguments;
	size_t room = sizeof(heard) - heard_length;

	va_start(arguments, format);
	if (heard_length < sizeof(heard) - 64)
		heard_length += (size_t)vsnprintf(heard + heard_length, room, format, arguments);
	va_end(arguments);
}

static void disturb(void)
{
	void (*call)(void) = in_core;

	in_core = NULL;
	if (call)
		call();
}

static const struct fathom_substrate *profile;
static const struct fathom_communicator comm = { .size = 1, .remote_size = 1 };

/* An event on a scratch location is not the program's: the first check of the budget, which a thread of a slow build
 * comes to, measures with such events what an event costs. */
static bool is_of_program(const struct fathom_location *self)
{
	return self->kind != FATHOM_KIND_SCRATCH;
}

static void record_enter(struct fathom_location *self, struct fathom_frame *frame)
{
	disturb();
	if (is_of_program(self)) {
		hear("+%s", frame->region->name);
		enters++;
	}
	profile->chain.enter(self, frame);
}

static void record_exit(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	disturb();
	if (is_of_program(self)) {
		hear("-%s", frame->region->name);
		exits++;
	}
	profile->chain.exit(self, frame, now);
}

static void record_send(struct fathom_location *self, const struct fathom_communicator *comm, int32_t peer,
			int32_t tag, uint64_t bytes, uint64_t request)
{
	disturb();
	hear("[send %d %d %lu %s]", peer, tag, (unsigned long)bytes, request == FATHOM_NO_REQUEST ? "now" : "later");
	profile->send(self, comm, peer, tag, bytes, request);
}

static void record_receive(struct fathom_location *self, const struct fathom_communicator *comm, int32_t peer,
			   int32_t tag, uint64_t bytes, uint64_t request)
{
	hear("[receive %d %d %lu %s]", peer, tag, (unsigned long)bytes, request == FATHOM_NO_REQUEST ? "now" : "later");
	profile->receive(self, comm, peer, tag, bytes, request);
}

static void record_collective(struct fathom_location *self, const struct fathom_communicator *comm,
			      enum fathom_collective operation, int32_t root, uint64_t sent, uint64_t received,
			      uint64_t request)
{
	hear("[collective %d %d %lu %lu %s]", operation, root, (unsigned long)sent, (unsigned long)received,
	     request == FATHOM_NO_REQUEST ? "now" : "later");
	profile->collective(self, comm, operation, root, sent, received, request);
}

static void install_recorder(void)
{
	static struct fathom_substrate recorder;

	profile = fathom.substrate;
	recorder = *profile;
	recorder.chain.enter = record_enter;
	recorder.chain.exit = record_exit;
	recorder.send = record_send;
	recorder.receive = record_receive;
	recorder.collective = record_collective;
	fathom_runtime_use(&recorder);
}

/* --- one test: a thread ---------------------------------------------------------------------- */

static struct {			/* what is left of the thread that ran last */
	char heard[4096];
	uint64_t enters, exits;
	struct fathom_location *location;
	uint64_t said;		/* what the body wants to tell */
} after;

/* Keys are destroyed in the order they were made: this one after the core's, to hear its last words. */
static pthread_key_t last_words;

static void keep(void *unused)
{
	(void)unused;
	memcpy(after.heard, heard, sizeof(heard));
	after.enters = enters;
	after.exits = exits;
	after.location = fathom_self;
}

static void *run_body(void *body)
{
	pthread_setspecific(last_words, &after);
	(*(void (**)(void))body)();
	return NULL;
}

static void run(void (*body)(void))
{
	pthread_t thread;

	memset(&after, 0, sizeof(after));
	assert_int_equal(pthread_create(&thread, NULL, run_body, &body), 0);
	pthread_join(thread, NULL);
}

static uint64_t dropped(enum fathom_drop why)
{
	return after.location->dropped[why];
}

static uint32_t count_locations(void)
{
	uint32_t count = 0;

	for (struct fathom_location *l = fathom_location_newest(); l; l = l->next)
		count++;
	return count;
}

/* --- balance --------------------------------------------------------------------------------- */

static void nest(void)
{
	fathom_event_enter(a);
	fathom_event_enter(b);
	fathom_event_exit(b);
	fathom_event_enter(c);
	fathom_event_exit(c);
	fathom_event_exit(a);
	fathom_event_enter(d);
	fathom_event_exit(d);
}

static void events_arrive_in_order(void **state)
{
	(void)state;
	run(nest);
	assert_string_equal(after.heard, "+a+b-b+c-c-a+d-d");
	for (int why = 0; why < FATHOM_DROP_COUNT; why++)
		assert_int_equal(dropped(why), 0);
}

static void miss_exits(void)
{
	fathom_event_enter(a);
	fathom_event_enter(b);
	fathom_event_enter(c);
	fathom_event_exit(a);
	fathom_event_enter(d);
	fathom_event_exit(d);
}

static void missing_exits_are_made_up(void **state)
{
	(void)state;
	run(miss_exits);
	assert_string_equal(after.heard, "+a+b+c-c-b-a+d-d");
	assert_int_equal(dropped(FATHOM_DROP_UNBALANCED), 0);
}

static void miss_enters(void)
{
	fathom_event_exit(a);
	fathom_event_enter(a);
	fathom_event_exit(b);
	fathom_event_exit(c);
	fathom_event_exit(a);
	fathom_event_exit(a);
}

static void exits_without_enters_are_dropped_and_counted(void **state)
{
	(void)state;
	run(miss_enters);
	assert_string_equal(after.heard, "+a-a");
	assert_int_equal(dropped(FATHOM_DROP_UNBALANCED), 4);
}

static void recurse(void)
{
	fathom_event_enter(a);
	fathom_event_enter(a);
	fathom_event_enter(a);
	fathom_event_exit(a);
	fathom_event_exit(a);
	fathom_event_enter(a);
	fathom_event_exit(a);
	fathom_event_exit(a);
}

static void recursion_ends_the_innermost(void **state)
{
	(void)state;
	run(recurse);
	assert_string_equal(after.heard, "+a+a+a-a-a+a-a-a");
}

static void end_inside(void)
{
	fathom_event_enter(a);
	fathom_event_enter(b);
	hear("|");	/* no tail call above: both were entered at one place of the stack */
}

static void a_thread_that_ends_ends_its_regions(void **state)
{
	(void)state;
	run(end_inside);
	assert_string_equal(after.heard, "+a+b|-b-a");
	assert_true(after.location->end_ticks >= after.location->birth_ticks && after.location->end_ticks != 0);
}

enum { DEEP = 100000 };

static void go_deep(void)
{
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < DEEP; i++)
			fathom_event_enter(i % 2 ? a : b);
		for (int i = DEEP; i-- > 0;)
			fathom_event_exit(i % 2 ? a : b);
	}
}

static void a_hundred_thousand_levels_stay_balanced(void **state)
{
	(void)state;
	run(go_deep);
	assert_int_equal(after.enters, 2 * DEEP);
	assert_int_equal(after.exits, 2 * DEEP);
	for (int why = 0; why < FATHOM_DROP_COUNT; why++)
		assert_int_equal(dropped(why), 0);
	assert_true(after.location->top->flags & FATHOM_FRAME_BOTTOM);
}

/* Chance, against the rule written down with an array. */
enum { STEPS = 20000 };

static void random_walk(void)
{
	const struct fathom_region *regions[4] = { a, b, c, d }, *stack[64];
	uint64_t chance = 11, expected_enters = 0, expected_exits = 0, unbalanced = 0;
	int depth = 0;

	for (int i = 0; i < STEPS; i++) {
		const struct fathom_region *region = regions[random_below(&chance, 4)];
		int at = depth;

		if (depth < 60 && random_below(&chance, 2)) {
			fathom_event_enter(region);
			stack[depth++] = region;
			expected_enters++;
			continue;
		}
		fathom_event_exit(region);
		while (at > 0 && stack[at - 1] != region)
			at--;
		if (at == 0) {
			unbalanced++;
			continue;
		}
		expected_exits += (uint64_t)(depth - at + 1);
		depth = at - 1;
	}
	after.said = enters == expected_enters && exits == expected_exits &&
		     fathom_self->dropped[FATHOM_DROP_UNBALANCED] == unbalanced;
}

static void any_order_of_events_is_balanced(void **state)
{
	(void)state;
	run(random_walk);
	assert_true(after.said);
	assert_int_equal(after.enters, after.exits);
}

/* --- no memory --------------------------------------------------------------------------------- */

static void run_out_of_memory(void)
{
	struct rlimit before, none;
	uint64_t tries = 0;

	fathom_event_enter(a);
	getrlimit(RLIMIT_AS, &before);
	none = before;
	none.rlim_cur = 1 << 20;
	setrlimit(RLIMIT_AS, &none);
	/* Until there is no room for a deeper stack; then some more. */
	while (!fathom_self->dropped[FATHOM_DROP_DEPTH] && tries < 10000000)
		fathom_event_enter(b), tries++;
	for (int i = 0; i < 1000; i++)
		fathom_event_enter(i % 2 ? c : d), tries++;
	for (int i = 1000; i-- > 0; tries--)
		fathom_event_exit(i % 2 ? c : d);
	while (tries-- > 0)
		fathom_event_exit(b);
	setrlimit(RLIMIT_AS, &before);
	fathom_event_exit(a);
	after.said = (fathom_self->top->flags & FATHOM_FRAME_BOTTOM);
}

static void a_dropped_enter_takes_its_exit_along(void **state)
{
	(void)state;
	if (UNDER_SANITIZER)
		skip();		/* needs memory of its own at any time */
	run(run_out_of_memory);
	assert_true(after.said);
	assert_int_equal(after.enters, after.exits);
	assert_true(dropped(FATHOM_DROP_DEPTH) > 0);
	assert_int_equal(dropped(FATHOM_DROP_UNBALANCED), 0);
}

/* --- signals and jumps ------------------------------------------------------------------------- */

static void handle(int number)
{
	(void)number;
	fathom_event_enter(c);
	fathom_event_send(&comm, 1, 2, 3);
	fathom_event_exit(c);
}

static void be_interrupted(void)
{
	signal(SIGUSR1, handle);
	raise(SIGUSR1);		/* the thread's first event is in a handler */
	fathom_event_enter(a);
	raise(SIGUSR1);
	fathom_event_exit(a);
	signal(SIGUSR1, SIG_IGN);
}

static void handlers_are_recorded_where_they_interrupt(void **state)
{
	(void)state;
	run(be_interrupted);
	assert_string_equal(after.heard, "+c[send 1 2 3 now]-c+a+c[send 1 2 3 now]-c-a");
}

static void raise_in_core(void)
{
	raise(SIGUSR1);
}

static void be_interrupted_in_core(void)
{
	signal(SIGUSR1, handle);
	in_core = raise_in_core;
	fathom_event_enter(a);
	in_core = raise_in_core;
	fathom_event_send(&comm, 4, 5, 6);
	in_core = raise_in_core;
	fathom_event_exit(a);
	signal(SIGUSR1, SIG_IGN);
}

static void events_inside_the_core_are_not_recorded(void **state)
{
	(void)state;
	run(be_interrupted_in_core);
	assert_string_equal(after.heard, "+a[send 4 5 6 now]-a");
	assert_int_equal(dropped(FATHOM_DROP_UNBALANCED), 0);
}

static __thread sigjmp_buf way_out;

static void leave_handler(int number)
{
	(void)number;
	fathom_interposed_siglongjmp(way_out, 1);
}

static __attribute__((noinline)) void enter_and_jump(void)
{
	volatile char room[256];	/* so that this frame is deeper for sure */

	room[0] = 0;
	fathom_event_enter(b);
	fathom_event_enter(c);
	fathom_interposed_siglongjmp(way_out, 1 + room[0]);
}

static void jump_out_of_regions(void)
{
	fathom_event_enter(a);
	if (!sigsetjmp(way_out, 1))
		enter_and_jump();
	hear("|");
	fathom_event_enter(d);
	fathom_event_exit(d);
	fathom_event_exit(a);
}

static void longjmp_ends_the_regions_it_leaves(void **state)
{
	(void)state;
	run(jump_out_of_regions);
	assert_string_equal(after.heard, "+a+b+c-c-b|+d-d-a");
}

static __attribute__((noinline)) void be_thrown_out_of_core(bool at_exit)
{
	volatile char room[256];

	room[0] = 0;
	if (!at_exit)
		in_core = raise_in_core;
	fathom_event_enter(b);
	in_core = raise_in_core;
	fathom_event_exit(b);
	hear("?%d", room[0]);	/* never comes here */
}

static void jump_out_of_core(void)
{
	signal(SIGUSR1, leave_handler);
	for (volatile int round = 0; round < 2; round++) {
		fathom_event_enter(a);
		if (!sigsetjmp(way_out, 1))
			be_thrown_out_of_core(round == 1);
		hear("|");
		fathom_event_enter(d);
		fathom_event_exit(d);
		fathom_event_exit(a);
	}
	signal(SIGUSR1, SIG_IGN);
}

/* What was entered when the handler came may be there or not, but never without its end. */
static void a_handler_that_leaves_the_core_by_longjmp_leaves_it_in_order(void **state)
{
	(void)state;
	run(jump_out_of_core);
	assert_string_equal(after.heard, "+a|+d-d-a+a+b-b|+d-d-a");
	assert_int_equal(dropped(FATHOM_DROP_UNBALANCED), 0);
}

/* --- records --------------------------------------------------------------------------------- */

static void record_everything(void)
{
	fathom_event_send(&comm, 1, 2, 3);
	fathom_event_receive(&comm, 1, 2, 3);
	fathom_event_send_begin(&comm, 1, 2, 3, 9);
	fathom_event_send_complete(9);
	fathom_event_receive_begin(9);
	fathom_event_receive_matched(9);
	fathom_event_receive_complete(&comm, 1, 2, 3, 9);
	fathom_event_request_cancelled(9);
	fathom_event_collective(&comm, FATHOM_COLLECTIVE_BCAST, 0, 5, 6);
	fathom_event_collective_begin(9);
	fathom_event_collective_complete(&comm, FATHOM_COLLECTIVE_BCAST, 0, 5, 6, 9);
	fathom_event_rma(1, 2);
	fathom_event_io(3, 4);
}

static const char everything[] = "[send 1 2 3 now][receive 1 2 3 now][send 1 2 3 later][receive 1 2 3 later]"
				 "[collective 1 0 5 6 now][collective 1 0 5 6 later]";

static void record_unborn(void)
{
	after.said = fathom_event_recording();
	record_everything();
}

static void records_of_a_thread_without_regions_are_dropped(void **state)
{
	uint32_t before = count_locations();

	(void)state;
	run(record_unborn);
	assert_false(after.said);
	assert_string_equal(after.heard, "");
	assert_int_equal(count_locations(), before);
}

static void record_outside_and_inside(void)
{
	fathom_event_enter(a);
	fathom_event_exit(a);
	record_everything();
	fathom_event_enter(b);
	after.said = fathom_event_recording();
	record_everything();
	fathom_event_exit(b);
}

static const uint64_t *counters_of(const struct fathom_region *region)
{
	const struct fathom_callpaths *paths = after.location->substrate_data;

	const struct fathom_node *node = paths->root;

	if (region)
		for (node = node->first_child; node && node->region != region; node = node->sibling)
			;
	return node && node->tally ? node->tally->counters : NULL;
}

static void records_count_where_the_thread_is(void **state)
{
	static const uint64_t expected[FATHOM_COUNTER_COUNT] = {
		[FATHOM_COUNTER_BYTES_SENT] = 3 + 3 + 5 + 5,	 [FATHOM_COUNTER_BYTES_RECEIVED] = 3 + 3 + 6 + 6,
		[FATHOM_COUNTER_MESSAGES_SENT] = 2,		 [FATHOM_COUNTER_MESSAGES_RECEIVED] = 2,
		[FATHOM_COUNTER_BYTES_PUT] = 1,			 [FATHOM_COUNTER_BYTES_GET] = 2,
		[FATHOM_COUNTER_IO_READ] = 3,			 [FATHOM_COUNTER_IO_WRITTEN] = 4,
	};
	char all[1024];

	(void)state;
	run(record_outside_and_inside);
	assert_true(after.said);
	snprintf(all, sizeof(all), "+a-a%s+b%s-b", everything, everything);
	assert_string_equal(after.heard, all);
	assert_memory_equal(counters_of(NULL), expected, sizeof(expected));
	assert_memory_equal(counters_of(b), expected, sizeof(expected));
	assert_null(counters_of(a));
}

/* --- processes and threads ------------------------------------------------------------------- */

static void fork_inside(void)
{
	pid_t child;
	int status = 0;

	fathom_event_enter(a);
	child = fork();
	if (child == 0) {
		bool silent;

		fathom_event_enter(b);
		silent = !fathom_event_recording() && !fathom_runtime_measures();
		record_everything();
		fathom_event_exit(b);
		fathom_event_exit(a);
		_exit(silent && heard_length == 2 ? 42 : 1);
	}
	waitpid(child, &status, 0);
	after.said = (uint64_t)status;
	fathom_event_exit(a);
}

static void a_forked_child_records_nothing(void **state)
{
	(void)state;
	run(fork_inside);
	assert_true(WIFEXITED(after.said));
	assert_int_equal(WEXITSTATUS(after.said), 42);
	assert_string_equal(after.heard, "+a-a");
}

static void keep_errno(void)
{
	errno = ERANGE;
	fathom_event_enter(a);		/* birth: takes memory and locks */
	after.said = errno == ERANGE;
	for (int i = 0; i < 3000; i++)	/* grows its stack of regions */
		fathom_event_enter(b);
	after.said = after.said && errno == ERANGE;
	fathom_event_exit(a);
	after.said = after.said && errno == ERANGE;
}

static void errno_is_kept(void **state)
{
	(void)state;
	run(keep_errno);
	assert_true(after.said);
}

enum { THREADS = 4, ROUNDS = 20000 };

static void *be_busy(void *result)
{
	for (int i = 0; i < ROUNDS; i++)
		nest();
	*(bool *)result = enters == 4 * ROUNDS && exits == 4 * ROUNDS && (fathom_self->top->flags & FATHOM_FRAME_BOTTOM);
	return NULL;
}

static void threads_do_not_disturb_each_other(void **state)
{
	uint32_t before = count_locations();
	pthread_t threads[THREADS];
	bool good[THREADS];

	(void)state;
	for (int t = 0; t < THREADS; t++)
		assert_int_equal(pthread_create(&threads[t], NULL, be_busy, &good[t]), 0);
	for (int t = 0; t < THREADS; t++) {
		pthread_join(threads[t], NULL);
		assert_true(good[t]);
	}
	assert_int_equal(count_locations(), before + THREADS);
	for (struct fathom_location *l = fathom_location_newest(); l && l->next; l = l->next)
		assert_int_equal(l->id, l->next->id + 1);
}

static void off_and_on(void)
{
	fathom.phase = FATHOM_PHASE_OFF;
	fathom_event_enter(a);
	fathom.phase = FATHOM_PHASE_RECORDING;
	fathom_event_enter(b);
	fathom_event_exit(b);
	fathom_event_exit(a);
}

static void a_thread_that_began_while_off_stays_silent(void **state)
{
	uint32_t before = count_locations();

	(void)state;
	run(off_and_on);
	assert_string_equal(after.heard, "");
	assert_int_equal(count_locations(), before);
}

/* --------------------------------------------------------------------------------------------- */

static const struct fathom_region *define(const char *name)
{
	const struct fathom_region spec = { .name = name, .paradigm = FATHOM_PARADIGM_USER };

	return fathom_region_define(&spec);
}

/* Nothing is written when this program ends: what it did was no program's measurement. */
static int end_measurement(void **state)
{
	(void)state;
	fathom.phase = FATHOM_PHASE_FINISHED;
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_arrive_in_order),
		cmocka_unit_test(missing_exits_are_made_up),
		cmocka_unit_test(exits_without_enters_are_dropped_and_counted),
		cmocka_unit_test(recursion_ends_the_innermost),
		cmocka_unit_test(a_thread_that_ends_ends_its_regions),
		cmocka_unit_test(a_hundred_thousand_levels_stay_balanced),
		cmocka_unit_test(any_order_of_events_is_balanced),
		cmocka_unit_test(a_dropped_enter_takes_its_exit_along),
		cmocka_unit_test(handlers_are_recorded_where_they_interrupt),
		cmocka_unit_test(events_inside_the_core_are_not_recorded),
		cmocka_unit_test(longjmp_ends_the_regions_it_leaves),
		cmocka_unit_test(a_handler_that_leaves_the_core_by_longjmp_leaves_it_in_order),
		cmocka_unit_test(records_of_a_thread_without_regions_are_dropped),
		cmocka_unit_test(records_count_where_the_thread_is),
		cmocka_unit_test(a_forked_child_records_nothing),
		cmocka_unit_test(errno_is_kept),
		cmocka_unit_test(threads_do_not_disturb_each_other),
		cmocka_unit_test(a_thread_that_began_while_off_stays_silent),
	};

	a = define("a");
	b = define("b");
	c = define("c");
	d = define("d");
	pthread_key_create(&last_words, keep);
	install_recorder();
	return cmocka_run_group_tests(tests, NULL, end_measurement);
}
