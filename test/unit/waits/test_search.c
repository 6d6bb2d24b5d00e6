/* Whole searches in logs whose wait states, causes and critical path are known, by one and by several hosts. */
#include "unit_test.h"

#include <unistd.h>

#include "define/collective.h"
#include "made_logs.h"
#include "near.h"

/* Searches as made_search_by; all waiting has a cause or is unexplained. */
static bool searched(struct made_program *program, int number)
{
	if (!made_search_by(program, number))
		return false;
	NEAR(program->summary.delays + program->summary.unexplained, program->summary.waiting);
	return true;
}

enum { MAIN = 1, RECV, SEND, COLL, FOO, BAR, A, B, C, D, WAIT };

/* The path of the recording to be tested: rank 1 receives from 5 s on what rank 0 sends at a later time. */
static void a_late_sender_makes_its_receiver_wait(void **state)
{
	struct made_program *program = made_create(2, 1);

	(void)state;
	made_send(program, 0, SEND, 4, 4.5, 1);
	made_receive(program, 1, RECV, 1, 5.2, 0);
	for (int h = 0; searched(program, h); h++) {
		NEAR(made_at(program, 1, RECV, FATHOM_WAITS_LATE_SENDER), 3);
		NEAR(made_at(program, 1, RECV, FATHOM_WAITS_COUNT_LATE_SENDER), 1);
		NEAR(made_sum(program, FATHOM_WAITS_LATE_RECEIVER), 0);
		assert_int_equal(program->summary.messages, 1);
	}
	made_destroy(program);
}

static void messages_in_wrong_order_are_told_apart_by_sender(void **state)
{
	(void)state;
	for (uint32_t other = 0; other < 2; other++) {
		struct made_program *program = made_create(3, 1);

		/* Rank 2 waits for the message with tag 1 from rank 0, though that of rank other was sent at 2. */
		made_operation(program, other, SEND, 2, 2.1, made_part_of(FATHOM_WAITS_SEND, 2, 0, 2, 0));
		made_operation(program, 0, SEND, 10, 10.5, made_part_of(FATHOM_WAITS_SEND, 2, 0, 1, 0));
		made_operation(program, 2, RECV, 5, 11, made_part_of(FATHOM_WAITS_RECEIVE, 0, 0, 1, 0));
		made_operation(program, 2, WAIT, 11, 11.1, made_part_of(FATHOM_WAITS_RECEIVE, other, 0, 2, 1));
		for (int h = 0; searched(program, h); h++) {
			NEAR(made_at(program, 2, RECV, other ? FATHOM_WAITS_WRONG_ORDER_DIFFERENT :
				     FATHOM_WAITS_WRONG_ORDER_SAME), 5);
			NEAR(made_sum(program, FATHOM_WAITS_LATE_SENDER), 0);
			NEAR(made_sum(program, FATHOM_WAITS_COUNT_WRONG_ORDER), 1);
		}
		made_destroy(program);
	}
}

static void a_late_receiver_makes_a_blocking_sender_wait(void **state)
{
	struct made_program *program = made_create(2, 1);
	uint32_t isend;

	(void)state;
	made_send(program, 0, SEND, 2, 9, 1);		/* rendezvous */
	made_receive(program, 1, RECV, 7, 9, 0);
	made_send(program, 0, SEND, 10, 10.1, 1);	/* eager */
	made_receive(program, 1, RECV, 12, 12.1, 0);
	isend = made_operation(program, 0, SEND, 13, 13.1, made_part_of(FATHOM_WAITS_SEND, 1, 0, 0, 0));
	made_operation(program, 0, WAIT, 14, 19, made_part_of(FATHOM_WAITS_SEND_DONE, 0, 0, 0, isend));
	made_operation(program, 1, RECV, 18, 18.1, made_part_of(FATHOM_WAITS_RECEIVE_POSTED, 0, 0, 0, 0));
	made_operation(program, 1, WAIT, 18.5, 19, made_part_of(FATHOM_WAITS_RECEIVE, 0, 0, 0, 2));
	for (int h = 0; searched(program, h); h++) {
		NEAR(made_at(program, 0, SEND, FATHOM_WAITS_LATE_RECEIVER), 5);
		NEAR(made_at(program, 0, WAIT, FATHOM_WAITS_LATE_RECEIVER), 4);
		NEAR(made_sum(program, FATHOM_WAITS_LATE_SENDER), 0);
		NEAR(made_sum(program, FATHOM_WAITS_COUNT_LATE_RECEIVER), 2);
	}
	made_destroy(program);
}

/* Three ranks in one collective operation. */
static struct made_program *meet(const double begins[3], const double ends[3], int operation, int root)
{
	struct made_program *program = made_create(3, 1);

	for (uint32_t r = 0; r < 3; r++)
		made_collective(program, r, COLL, begins[r], ends[r], operation, root, 0);
	return program;
}

static void expect_three(struct made_program *program, enum fathom_waits_pattern pattern, double a, double b, double c)
{
	for (int h = 0; searched(program, h); h++) {
		NEAR(made_at(program, 0, COLL, pattern), a);
		NEAR(made_at(program, 1, COLL, pattern), b);
		NEAR(made_at(program, 2, COLL, pattern), c);
		assert_int_equal(program->summary.incomplete_collectives, 0);
		assert_int_equal(program->summary.collectives, 3);
	}
}

static void collective_operations_have_their_known_answers(void **state)
{
	static const double b[] = { 1, 4, 2 }, e[] = { 6.0, 6.2, 6.1 };
	struct made_program *program;

	(void)state;
	program = meet(b, e, FATHOM_COLLECTIVE_BARRIER, -1);
	expect_three(program, FATHOM_WAITS_BARRIER_WAIT, 3, 0, 2);
	expect_three(program, FATHOM_WAITS_BARRIER_COMPLETION, 0, .2, .1);
	made_destroy(program);

	program = meet(b, e, FATHOM_COLLECTIVE_ALLREDUCE, -1);
	expect_three(program, FATHOM_WAITS_NXN_WAIT, 3, 0, 2);
	expect_three(program, FATHOM_WAITS_NXN_COMPLETION, 0, .2, .1);
	made_destroy(program);

	/* Rank 0 left before the last one came: it did not wait for that. */
	program = meet(b, (double[]){ 3, 6.2, 6.1 }, FATHOM_COLLECTIVE_ALLTOALL, -1);
	expect_three(program, FATHOM_WAITS_NXN_WAIT, 0, 0, 2);
	made_destroy(program);

	program = meet((double[]){ 5, 2, 6 }, (double[]){ 5.4, 5.5, 6.1 }, FATHOM_COLLECTIVE_BCAST, 0);
	expect_three(program, FATHOM_WAITS_LATE_BROADCAST, 0, 3, 0);
	made_destroy(program);
	program = meet((double[]){ 5, 1, 6 }, (double[]){ 5.4, 1.2, 6.1 }, FATHOM_COLLECTIVE_BCAST, 0);
	expect_three(program, FATHOM_WAITS_LATE_BROADCAST, 0, .2, 0);
	made_destroy(program);

	program = meet((double[]){ 1, 3, 6 }, (double[]){ 7, 3.1, 6.1 }, FATHOM_COLLECTIVE_REDUCE, 0);
	expect_three(program, FATHOM_WAITS_EARLY_REDUCE, 5, 0, 0);
	made_destroy(program);

	program = meet((double[]){ 5, 2, 4 }, (double[]){ 5.5, 6, 6 }, FATHOM_COLLECTIVE_SCAN, -1);
	expect_three(program, FATHOM_WAITS_EARLY_SCAN, 0, 3, 1);
	made_destroy(program);
}

static void the_begin_and_the_end_of_mpi_are_collective(void **state)
{
	struct made_program *program = made_create(3, 1);
	static const double b[] = { 1, 4, 2 };

	(void)state;
	for (uint32_t r = 0; r < 3; r++) {
		made_operation(program, r, MAIN, .1, .5 + .1 * r, made_part_of(FATHOM_WAITS_INIT, 0, 0, 0, 0));
		made_operation(program, r, COLL, b[r], 7, made_part_of(FATHOM_WAITS_FINALIZE, 0, 0, 0, 0));
	}
	for (int h = 0; searched(program, h); h++) {
		NEAR(made_at(program, 0, COLL, FATHOM_WAITS_FINALIZE_WAIT), 3);
		NEAR(made_at(program, 1, COLL, FATHOM_WAITS_FINALIZE_WAIT), 0);
		NEAR(made_at(program, 2, COLL, FATHOM_WAITS_FINALIZE_WAIT), 2);
		NEAR(made_at(program, 2, MAIN, FATHOM_WAITS_INIT_COMPLETION), .2);
	}
	made_destroy(program);
}

/* The first example of section 4.12; foo of rank 2 lasts as long as given. */
static struct made_program *chain_of_three(double foo)
{
	struct made_program *program = made_create(3, 1);

	made_time(program, 0, FOO, 8);
	made_send(program, 0, SEND, 8, 8, 1);
	made_time(program, 1, FOO, 3);
	made_receive(program, 1, RECV, 3, 8, 0);
	made_time(program, 1, BAR, 1);
	made_send(program, 1, SEND, 9, 9, 2);
	made_time(program, 2, FOO, foo);
	made_time(program, 2, BAR, 1);
	made_receive(program, 2, RECV, foo + 1, 9, 1);
	return program;
}

static void waiting_is_charged_to_its_root_cause(void **state)
{
	struct made_program *program = chain_of_three(3);

	(void)state;
	for (int h = 0; searched(program, h); h++) {
		NEAR(made_at(program, 0, FOO, FATHOM_WAITS_DELAY_LATE_SENDER_SHORT), 5);
		NEAR(made_at(program, 0, FOO, FATHOM_WAITS_DELAY_LATE_SENDER_LONG), 5);
		NEAR(made_sum(program, FATHOM_WAITS_DELAY_LATE_SENDER_SHORT), 5);
		NEAR(made_sum(program, FATHOM_WAITS_DELAY_LATE_SENDER_LONG), 5);
		NEAR(made_at(program, 1, RECV, FATHOM_WAITS_DIRECT), 5);
		NEAR(made_at(program, 1, RECV, FATHOM_WAITS_PROPAGATING), 5);
		NEAR(made_at(program, 1, RECV, FATHOM_WAITS_TERMINAL), 0);
		NEAR(made_at(program, 2, RECV, FATHOM_WAITS_INDIRECT), 5);
		NEAR(made_at(program, 2, RECV, FATHOM_WAITS_TERMINAL), 5);
		NEAR(program->summary.waiting, 10);
		NEAR(program->summary.unexplained, 0);
		assert_int_equal(program->summary.forced, 0);
	}
	made_destroy(program);
	program = chain_of_three(2);
	for (int h = 0; searched(program, h); h++) {
		NEAR(made_at(program, 0, FOO, FATHOM_WAITS_DELAY_LATE_SENDER_SHORT), 5);
		NEAR(made_at(program, 0, FOO, FATHOM_WAITS_DELAY_LATE_SENDER_LONG), 5);
		NEAR(made_at(program, 1, FOO, FATHOM_WAITS_DELAY_LATE_SENDER_SHORT), 1);
		NEAR(program->summary.waiting, 11);
		NEAR(program->summary.delays, 11);
	}
	made_destroy(program);
}

static void the_critical_path_goes_through_the_late_sender(void **state)
{
	struct made_program *program = made_create(2, 1);

	(void)state;
	made_time(program, 0, A, 10);
	made_send(program, 0, SEND, 10, 10, 1);
	made_time(program, 0, D, 2);
	made_end(program, 0, 12);
	made_time(program, 1, B, 4);
	made_receive(program, 1, RECV, 4, 10, 0);
	made_time(program, 1, C, 6);
	made_end(program, 1, 16);
	for (uint32_t r = 0; r < 2; r++)	/* the times after the last message */
		made_operation(program, r, MAIN, r ? 16 : 12, r ? 16 : 12, made_part_of(FATHOM_WAITS_NOTHING, 0, 0, 0, 0));
	for (int h = 0; searched(program, h); h++) {
		NEAR(made_at(program, 0, A, FATHOM_WAITS_CRITICAL_PATH), 10);
		NEAR(made_sum(program, FATHOM_WAITS_CRITICAL_PATH), 16);
		NEAR(made_at(program, 0, A, FATHOM_WAITS_CRITICAL_PATH_IMBALANCE), 5);
		NEAR(made_at(program, 1, C, FATHOM_WAITS_CRITICAL_PATH_IMBALANCE), 3);
		NEAR(made_at(program, 0, A, FATHOM_WAITS_IMPACT_INTER), 6);
		NEAR(made_at(program, 1, C, FATHOM_WAITS_IMPACT_INTER), 4);
		NEAR(made_sum(program, FATHOM_WAITS_IMPACT_INTRA), 0);
		NEAR(made_sum(program, FATHOM_WAITS_IMPACT_ACTIVITIES), 16);
		NEAR(made_sum(program, FATHOM_WAITS_IMPACT_NON_CRITICAL), 6);
		NEAR(made_at(program, 1, C, FATHOM_WAITS_CRITICAL_PATH), 6);
		NEAR(made_at(program, 0, D, FATHOM_WAITS_CRITICAL_PATH), 0);
		NEAR(made_at(program, 1, B, FATHOM_WAITS_CRITICAL_PATH), 0);
	}
	made_destroy(program);
}

/* --- nonblocking operations ---------------------------------------------------------------------------- */

static void messages_match_in_the_order_in_which_they_were_posted(void **state)
{
	struct made_program *program = made_create(2, 1);
	uint32_t first, second;

	(void)state;
	/* Two receives of one channel are complete in the reverse order, in two calls. */
	made_send(program, 0, SEND, 3, 3.1, 1);
	made_send(program, 0, SEND, 8, 8.1, 1);
	first = made_operation(program, 1, RECV, 1, 1.1, made_part_of(FATHOM_WAITS_RECEIVE_POSTED, 0, 0, 0, 0));
	second = made_operation(program, 1, RECV, 2, 2.1, made_part_of(FATHOM_WAITS_RECEIVE_POSTED, 0, 0, 0, 0));
	made_operation(program, 1, WAIT, 4, 9, made_part_of(FATHOM_WAITS_RECEIVE, 0, 0, 0, second));
	made_operation(program, 1, BAR, 9, 9.1, made_part_of(FATHOM_WAITS_RECEIVE, 0, 0, 0, first));
	for (int h = 0; searched(program, h); h++) {
		NEAR(made_at(program, 1, WAIT, FATHOM_WAITS_WRONG_ORDER_SAME), 4);
		NEAR(made_of(program, 1, FATHOM_WAITS_LATE_SENDER), 0);
	}
	made_destroy(program);
}

static void a_test_does_not_wait(void **state)
{
	struct made_program *program = made_create(2, 1);
	struct fathom_waits_part part = made_part_of(FATHOM_WAITS_RECEIVE, 0, 0, 0, 0);

	(void)state;
	part.flags = FATHOM_WAITS_TEST;
	made_send(program, 0, SEND, 4, 4.5, 1);
	made_operation(program, 1, RECV, 1, 1.1, made_part_of(FATHOM_WAITS_RECEIVE_POSTED, 0, 0, 0, 0));
	made_operation(program, 1, WAIT, 2, 5, part);
	for (int h = 0; searched(program, h); h++) {
		NEAR(made_sum(program, FATHOM_WAITS_LATE_SENDER), 0);
		NEAR(made_sum(program, FATHOM_WAITS_LATE_RECEIVER), 0);
		assert_int_equal(program->summary.messages, 1);
	}
	made_destroy(program);
}

static void a_nonblocking_barrier_waits_where_it_is_completed(void **state)
{
	struct made_program *program = made_create(2, 1);

	(void)state;
	/* Rank 1 begins the barrier at 6; rank 0 began it at 1, and waits for it from 4 on. */
	for (uint32_t r = 0; r < 2; r++) {
		uint32_t posted = made_operation(program, r, COLL, r ? 6 : 1, r ? 6.1 : 1.1,
						 made_part_of(FATHOM_WAITS_COLLECTIVE_POSTED, 0, 0, 0, 0));

		made_operation(program, r, WAIT, r ? 6.5 : 4, 7, made_part_of(FATHOM_WAITS_COLLECTIVE, FATHOM_WAITS_NO_PEER, 0,
									     FATHOM_COLLECTIVE_BARRIER, posted));
	}
	for (int h = 0; searched(program, h); h++) {
		NEAR(made_at(program, 0, WAIT, FATHOM_WAITS_BARRIER_WAIT), 2);
		NEAR(made_of(program, 1, FATHOM_WAITS_BARRIER_WAIT), 0);
	}
	made_destroy(program);
}

static void neighbours_wait_for_neighbours_only(void **state)
{
	struct made_program *program = made_create(3, 1);

	(void)state;
	/* A chain: rank 1 has both others as neighbours. */
	for (uint32_t r = 0; r < 3; r++) {
		double begin = (double[]){ 1, 3, 7 }[r];
		uint32_t record = made_next(program, r);

		made_operation(program, r, COLL, begin, 8, made_part_of(FATHOM_WAITS_NOTHING, 0, 0, 0, 0));
		for (uint32_t n = 0; n < 3; n++) {
			if (n + 1 != r && n != r + 1)
				continue;
			made_part(program, r, made_part_of(FATHOM_WAITS_NEIGHBOR_OUT, n, 0, 0, 0));
			made_part(program, r, made_part_of(FATHOM_WAITS_NEIGHBOR_IN, n, 0, 0, record));
		}
	}
	for (int h = 0; searched(program, h); h++) {
		NEAR(made_at(program, 0, COLL, FATHOM_WAITS_NXN_WAIT), 2);
		NEAR(made_at(program, 1, COLL, FATHOM_WAITS_NXN_WAIT), 4);
		NEAR(made_at(program, 2, COLL, FATHOM_WAITS_NXN_WAIT), 0);
	}
	made_destroy(program);
}

/* --- logs in which something is wrong ------------------------------------------------------------------ */

static void what_has_no_partner_is_counted(void **state)
{
	struct made_program *program = made_create(3, 1);
	uint32_t isend;

	(void)state;
	/* Rank 2 ended early: it takes part in nothing. */
	made_send(program, 0, SEND, 1, 1.1, 2);
	made_receive(program, 1, RECV, 1, 1.5, 2);
	made_collective(program, 0, COLL, 2, 3, FATHOM_COLLECTIVE_BARRIER, -1, 0);
	made_collective(program, 1, COLL, 2, 3, FATHOM_COLLECTIVE_BARRIER, -1, 0);
	/* A message is cancelled: the next one of the channel is the first. */
	isend = made_operation(program, 0, SEND, 4, 4.1, made_part_of(FATHOM_WAITS_SEND, 1, 0, 5, 0));
	made_operation(program, 0, WAIT, 5, 5.1, made_part_of(FATHOM_WAITS_CANCELLED, 0, 0, 0, isend));
	made_operation(program, 0, SEND, 6, 6.1, made_part_of(FATHOM_WAITS_SEND, 1, 0, 5, 0));
	made_operation(program, 1, RECV, 5.5, 6.5, made_part_of(FATHOM_WAITS_RECEIVE, 0, 0, 5, made_next(program, 1)));
	/* A message to itself. */
	isend = made_operation(program, 0, SEND, 7, 7.1, made_part_of(FATHOM_WAITS_SEND, 0, 0, 0, 0));
	made_receive(program, 0, RECV, 8, 8.1, 0);
	/* Another collective operation than the other ranks call, and one on a communicator that is not known. */
	made_collective(program, 0, COLL, 9, 9.1, FATHOM_COLLECTIVE_BARRIER, -1, 17);
	for (uint32_t absent = 2; absent == 2 || absent == UINT32_MAX; absent = absent == 2 ? UINT32_MAX : 0) {
		program->absent = absent;
		for (int h = 0; h < 2; h++) {
			assert_true(searched(program, h));
			assert_int_equal(program->summary.unmatched_sends, absent == 2 ? 0 : 1);
			assert_int_equal(program->summary.unhosted > 0, absent == 2);
			assert_int_equal(program->summary.unmatched_receives, 1);
			assert_int_equal(program->summary.incomplete_collectives, 2);
			assert_int_equal(program->summary.skipped_collectives, 1);
			assert_int_equal(program->summary.messages, 2);
			NEAR(made_at(program, 1, RECV, FATHOM_WAITS_LATE_SENDER), .5);
		}
	}
	made_destroy(program);
}

static void members_that_call_different_operations_are_left_out(void **state)
{
	struct made_program *program = made_create(2, 1);

	(void)state;
	made_collective(program, 0, COLL, 1, 3, FATHOM_COLLECTIVE_BARRIER, -1, 0);
	made_collective(program, 1, COLL, 2, 3, FATHOM_COLLECTIVE_ALLREDUCE, -1, 0);
	for (int h = 0; searched(program, h); h++) {
		assert_int_equal(program->summary.incomplete_collectives, 2);
		NEAR(made_sum(program, FATHOM_WAITS_BARRIER_WAIT), 0);
	}
	made_destroy(program);
}

static void wrong_clocks_give_no_negative_time_and_no_hang(void **state)
{
	struct made_program *program = made_create(2, 1);

	(void)state;
	/* Each rank receives what the other one sends a second later, though it sends before. */
	for (uint32_t r = 0; r < 2; r++) {
		made_time(program, r, FOO, 1);
		made_receive(program, r, RECV, 1, 2, 1 - r);
		made_time(program, r, BAR, 1);
		made_send(program, r, SEND, 3, 3.1, 1 - r);
		made_time(program, r, FOO, 1);
		made_receive(program, r, RECV, 4.1, 4.2, 1 - r);
		made_send(program, r, SEND, 4.3, 4.4, 1 - r);
	}
	for (int h = 0; searched(program, h); h++) {
		assert_int_equal(program->summary.clock_violations, 4);
		assert_true(program->summary.forced > 0);
		for (int pattern = 0; pattern < FATHOM_WAITS_PATTERNS; pattern++)
			for (uint32_t r = 0; r < 2; r++)
				assert_true(made_of(program, r, (enum fathom_waits_pattern)pattern) >= 0);
		NEAR(made_at(program, 0, RECV, FATHOM_WAITS_LATE_SENDER), 1.1);
	}
	made_destroy(program);
}

static void an_empty_program_has_no_results(void **state)
{
	struct made_program *program = made_create(3, 2);

	(void)state;
	for (int h = 0; searched(program, h); h++)
		assert_int_equal(program->summary.operations, 0);
	made_destroy(program);
}

/* --- threads ------------------------------------------------------------------------------------------- */

static void threads_wait_for_the_last_of_their_team(void **state)
{
	struct made_program *program = made_create(1, 3);
	static const double enters[] = { 1, 3, 2 };

	(void)state;
	made_operation(program, 0, MAIN, .5, .5, made_part_of(FATHOM_WAITS_FORK, 0, 4, 3, 0));
	for (uint32_t t = 0; t < 3; t++) {
		if (t)
			made_thread_operation(program, 0, t, MAIN, .5, .5, made_part_of(FATHOM_WAITS_TEAM_BEGIN, t, 4, 0, 0));
		made_thread_time(program, 0, t, FOO, enters[t] - .5);
		made_thread_operation(program, 0, t, COLL, enters[t], 3, made_part_of(FATHOM_WAITS_BARRIER, t, 4, 0, 0));
	}
	made_operation(program, 0, MAIN, 3, 3, made_part_of(FATHOM_WAITS_JOIN, 0, 4, 0, 0));
	made_end(program, 0, 4);
	assert_true(searched(program, 0));
	NEAR(program->results[0][COLL][FATHOM_WAITS_OMP_BARRIER_EXPLICIT], 2);
	NEAR(program->results[1][COLL][FATHOM_WAITS_OMP_BARRIER_EXPLICIT], 0);
	NEAR(program->results[2][COLL][FATHOM_WAITS_OMP_BARRIER_EXPLICIT], 1);
	NEAR(program->results[1][FOO][FATHOM_WAITS_DELAY_OMP_BARRIER_SHORT], 3);
	/* The path: the last thread, then the initial thread before the fork and behind the barrier. */
	NEAR(program->results[1][FOO][FATHOM_WAITS_CRITICAL_PATH], 2.5);
	NEAR(made_sum(program, FATHOM_WAITS_CRITICAL_PATH), 4);
	made_destroy(program);
}

static void the_holder_of_a_lock_is_blamed(void **state)
{
	struct made_program *program = made_create(1, 2);

	(void)state;
	made_thread_operation(program, 0, 0, A, 0, 0, made_part_of(FATHOM_WAITS_LOCK, FATHOM_WAITS_MUTEX, 9, 1, 0));
	made_thread_operation(program, 0, 0, B, 10, 10, made_part_of(FATHOM_WAITS_UNLOCK, FATHOM_WAITS_MUTEX, 9, 1, 0));
	made_thread_operation(program, 0, 1, C, 3, 10.1, made_part_of(FATHOM_WAITS_LOCK, FATHOM_WAITS_MUTEX, 9, 2, 0));
	made_thread_operation(program, 0, 1, D, 11, 11, made_part_of(FATHOM_WAITS_UNLOCK, FATHOM_WAITS_MUTEX, 9, 2, 0));
	assert_true(searched(program, 0));
	NEAR(program->results[1][C][FATHOM_WAITS_CONTENTION_MUTEX], 7);
	NEAR(program->results[0][B][FATHOM_WAITS_LOCK_BLAME], 7);
	NEAR(made_sum(program, FATHOM_WAITS_COUNT_THREADS), 1);
	made_destroy(program);
}

/* The first thread holds the lock from 0 to 10 and the second one from 10 to 13; these ask for it at 2 and 4. All of
 * the waiting is explained by what the holders did. */
static void holders_of_a_lock_cause_all_waiting_for_it(void **state)
{
	struct made_program *program = made_create(1, 3);
	const uint32_t mutex = FATHOM_WAITS_MUTEX;

	(void)state;
	made_thread_operation(program, 0, 0, A, 0, 0, made_part_of(FATHOM_WAITS_LOCK, mutex, 9, 1, 0));
	made_thread_time(program, 0, 0, FOO, 10);
	made_thread_operation(program, 0, 0, B, 10, 10, made_part_of(FATHOM_WAITS_UNLOCK, mutex, 9, 1, 0));
	made_thread_operation(program, 0, 1, A, 2, 10, made_part_of(FATHOM_WAITS_LOCK, mutex, 9, 2, 0));
	made_thread_time(program, 0, 1, BAR, 3);
	made_thread_operation(program, 0, 1, B, 13, 13, made_part_of(FATHOM_WAITS_UNLOCK, mutex, 9, 2, 0));
	made_thread_operation(program, 0, 2, A, 4, 13, made_part_of(FATHOM_WAITS_LOCK, mutex, 9, 3, 0));
	made_thread_operation(program, 0, 2, B, 14, 14, made_part_of(FATHOM_WAITS_UNLOCK, mutex, 9, 3, 0));
	assert_true(searched(program, 0));
	NEAR(made_sum(program, FATHOM_WAITS_CONTENTION_MUTEX), 17);
	/* The second holder's 3 seconds and its own waiting of 8 seconds made the last thread wait 9 seconds. */
	NEAR(program->results[1][BAR][FATHOM_WAITS_DELAY_LOCK_SHORT], 9 * 3 / 11.0);
	NEAR(program->results[0][FOO][FATHOM_WAITS_DELAY_LOCK_SHORT], 8);
	NEAR(program->results[0][FOO][FATHOM_WAITS_DELAY_LOCK_LONG], 9 * 8 / 11.0);
	NEAR(program->summary.waiting, 17);
	NEAR(program->summary.delays, 17);
	NEAR(program->summary.unexplained, 0);
	made_destroy(program);
}

static void idle_threads_are_charged_to_serial_code(void **state)
{
	struct made_program *program = made_create(1, 4);

	(void)state;
	made_time(program, 0, FOO, 6);
	made_time(program, 0, BAR, 2);
	made_operation(program, 0, MAIN, 8, 8, made_part_of(FATHOM_WAITS_FORK, 0, 1, 2, 0));
	made_operation(program, 0, MAIN, 13, 13, made_part_of(FATHOM_WAITS_JOIN, 0, 1, 0, 0));
	made_time(program, 0, A, 2);
	made_operation(program, 0, MAIN, 15, 15, made_part_of(FATHOM_WAITS_NOTHING, 0, 0, 0, 0));
	made_end(program, 0, 15);
	assert_true(searched(program, 0));
	NEAR(made_at(program, 0, FOO, FATHOM_WAITS_IDLE_THREADS), 18);
	NEAR(made_at(program, 0, BAR, FATHOM_WAITS_DELAY_OMP_IDLE_SHORT), 6);
	NEAR(made_at(program, 0, A, FATHOM_WAITS_DELAY_OMP_IDLE_SHORT), 6);
	NEAR(made_sum(program, FATHOM_WAITS_IDLE_THREADS), 30);
	NEAR(made_sum(program, FATHOM_WAITS_LIMITED_PARALLELISM), 10);
	made_destroy(program);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_late_sender_makes_its_receiver_wait),
		cmocka_unit_test(messages_in_wrong_order_are_told_apart_by_sender),
		cmocka_unit_test(a_late_receiver_makes_a_blocking_sender_wait),
		cmocka_unit_test(collective_operations_have_their_known_answers),
		cmocka_unit_test(the_begin_and_the_end_of_mpi_are_collective),
		cmocka_unit_test(waiting_is_charged_to_its_root_cause),
		cmocka_unit_test(the_critical_path_goes_through_the_late_sender),
		cmocka_unit_test(messages_match_in_the_order_in_which_they_were_posted),
		cmocka_unit_test(a_test_does_not_wait),
		cmocka_unit_test(a_nonblocking_barrier_waits_where_it_is_completed),
		cmocka_unit_test(neighbours_wait_for_neighbours_only),
		cmocka_unit_test(what_has_no_partner_is_counted),
		cmocka_unit_test(members_that_call_different_operations_are_left_out),
		cmocka_unit_test(wrong_clocks_give_no_negative_time_and_no_hang),
		cmocka_unit_test(an_empty_program_has_no_results),
		cmocka_unit_test(threads_wait_for_the_last_of_their_team),
		cmocka_unit_test(the_holder_of_a_lock_is_blamed),
		cmocka_unit_test(holders_of_a_lock_cause_all_waiting_for_it),
		cmocka_unit_test(idle_threads_are_charged_to_serial_code),
	};

	alarm(120);	/* a host that waits for ever */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
