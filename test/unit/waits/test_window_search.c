/* Whole searches in logs of one-sided communication whose wait states and causes are known, by one and by several hosts. */
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

static void step(struct made_program *program, uint32_t rank, uint64_t path, double begin, double end, int kind, uint32_t peer)
{
	made_operation(program, rank, path, begin, end, made_part_of(FATHOM_WAITS_RMA, peer, 0, kind, 0));
}

static void accesses_wait_for_the_post_of_their_target(void **state)
{
	struct made_program *program = made_create(3, 1);

	(void)state;
	/* The put of the sheet; then a start that waits for the later one of two posts. */
	step(program, 0, A, 1, 1.1, FATHOM_WAITS_RMA_START, 1);
	step(program, 0, B, 1.5, 6, FATHOM_WAITS_RMA_PUT, 1);
	step(program, 0, C, 6.5, 6.6, FATHOM_WAITS_RMA_COMPLETE, 1);
	step(program, 1, D, 4, 4.1, FATHOM_WAITS_RMA_POST, 0);
	step(program, 1, FOO, 6.7, 6.8, FATHOM_WAITS_RMA_WAIT, 0);
	step(program, 0, BAR, 10, 15, FATHOM_WAITS_RMA_START, 1);
	made_part(program, 0, made_part_of(FATHOM_WAITS_RMA, 2, 0, FATHOM_WAITS_RMA_START, 0));
	step(program, 1, D, 12, 12.1, FATHOM_WAITS_RMA_POST, 0);
	step(program, 2, D, 13, 13.1, FATHOM_WAITS_RMA_POST, 0);
	for (int h = 0; searched(program, h); h++) {
		NEAR(made_at(program, 0, B, FATHOM_WAITS_RMA_COMM_LATE_POST), 2.5);
		NEAR(made_at(program, 0, BAR, FATHOM_WAITS_RMA_SYNC_LATE_POST), 3);
		NEAR(made_sum(program, FATHOM_WAITS_RMA_SYNC_LATE_POST), 3);
		NEAR(made_sum(program, FATHOM_WAITS_RMA_EARLY_WAIT), 0);
		NEAR(made_sum(program, FATHOM_WAITS_COUNT_RMA), 2);
	}
	made_destroy(program);
}

static void an_exposure_waits_for_the_last_complete(void **state)
{
	struct made_program *program = made_create(3, 1);

	(void)state;
	step(program, 0, A, .5, .6, FATHOM_WAITS_RMA_POST, 1);
	made_part(program, 0, made_part_of(FATHOM_WAITS_RMA, 2, 0, FATHOM_WAITS_RMA_POST, 0));
	step(program, 0, WAIT, 2, 9, FATHOM_WAITS_RMA_WAIT, 1);
	made_part(program, 0, made_part_of(FATHOM_WAITS_RMA, 2, 0, FATHOM_WAITS_RMA_WAIT, 0));
	for (uint32_t r = 1; r < 3; r++) {
		step(program, r, A, .7, .8, FATHOM_WAITS_RMA_START, 0);
		step(program, r, B, 3, r == 1 ? 5 : 4, FATHOM_WAITS_RMA_PUT, 0);
		step(program, r, C, r == 1 ? 6 : 8, 9, FATHOM_WAITS_RMA_COMPLETE, 0);
	}
	for (int h = 0; searched(program, h); h++) {
		NEAR(made_at(program, 0, WAIT, FATHOM_WAITS_RMA_EARLY_WAIT), 3);
		NEAR(made_at(program, 0, WAIT, FATHOM_WAITS_RMA_LATE_COMPLETE), 3);
		NEAR(made_sum(program, FATHOM_WAITS_RMA_SYNC_LATE_POST), 0);
	}
	made_destroy(program);
}

static void a_fence_waits_for_all_and_for_accesses(void **state)
{
	struct made_program *program = made_create(3, 1);

	(void)state;
	for (uint32_t r = 0; r < 3; r++) {
		made_operation(program, r, A, .5, .5, made_part_of(FATHOM_WAITS_RMA, 0, 0, FATHOM_WAITS_RMA_CREATE, 0));
		if (r == 1)	/* it lasts longer than its call: until the fence of rank 1 would begin */
			step(program, r, B, 1, 3, FATHOM_WAITS_RMA_PUT, 2);
		made_operation(program, r, C, r == 1 ? 4 : r == 2 ? 2 : 1, 5,
			       made_part_of(FATHOM_WAITS_RMA, 0, 0, FATHOM_WAITS_RMA_FENCE, 0));
	}
	for (int h = 0; searched(program, h); h++) {
		NEAR(made_at(program, 0, C, FATHOM_WAITS_RMA_AT_FENCE), 3);
		NEAR(made_at(program, 0, C, FATHOM_WAITS_RMA_EARLY_FENCE), 0);
		NEAR(made_at(program, 2, C, FATHOM_WAITS_RMA_AT_FENCE), 1);
		NEAR(made_at(program, 2, C, FATHOM_WAITS_RMA_EARLY_FENCE), 1);
		NEAR(made_of(program, 1, FATHOM_WAITS_RMA_AT_FENCE), 0);
	}
	made_destroy(program);
}

static void epochs_compete_for_a_window(void **state)
{
	struct made_program *program = made_create(4, 1);
	struct fathom_waits_part shared = made_part_of(FATHOM_WAITS_RMA, 3, 0, FATHOM_WAITS_RMA_LOCK, 0);

	(void)state;
	shared.flags = FATHOM_WAITS_IMPLICIT;
	/* Rank 0 has the window of rank 3 until 4; rank 1 waits in its lock; rank 2 in its put, which waits for rank 1. */
	step(program, 0, A, 1, 1.1, FATHOM_WAITS_RMA_LOCK, 3);
	step(program, 0, B, 3, 4, FATHOM_WAITS_RMA_UNLOCK, 3);
	step(program, 1, A, 2, 4.5, FATHOM_WAITS_RMA_LOCK, 3);
	step(program, 1, B, 5, 6, FATHOM_WAITS_RMA_UNLOCK, 3);
	made_operation(program, 2, A, 2, 2.1, shared);
	step(program, 2, C, 3, 7, FATHOM_WAITS_RMA_PUT, 3);
	step(program, 2, B, 7.1, 7.2, FATHOM_WAITS_RMA_UNLOCK, 3);
	/* Shared locks do not compete. */
	made_operation(program, 1, A, 6.5, 7.5, shared);
	step(program, 1, B, 7.6, 8, FATHOM_WAITS_RMA_UNLOCK, 3);
	for (int h = 0; searched(program, h); h++) {
		NEAR(made_at(program, 1, A, FATHOM_WAITS_RMA_SYNC_LOCK_COMPETITION), 2);
		NEAR(made_at(program, 2, C, FATHOM_WAITS_RMA_COMM_LOCK_COMPETITION), 3);
		NEAR(made_sum(program, FATHOM_WAITS_RMA_SYNC_LOCK_COMPETITION), 2);
	}
	made_destroy(program);
}

static void an_unlock_returns_after_the_next_lock(void **state)
{
	struct made_program *program = made_create(3, 1);

	(void)state;
	/* Rank 0's unlock gives the window of rank 2 to rank 1, whose epoch is over before the unlock returns. */
	step(program, 0, A, 1, 1.1, FATHOM_WAITS_RMA_LOCK, 2);
	step(program, 0, B, 3, 4, FATHOM_WAITS_RMA_UNLOCK, 2);
	step(program, 1, A, 2, 3.5, FATHOM_WAITS_RMA_LOCK, 2);
	step(program, 1, B, 3.6, 3.7, FATHOM_WAITS_RMA_UNLOCK, 2);
	for (int h = 0; searched(program, h); h++) {
		NEAR(made_at(program, 1, A, FATHOM_WAITS_RMA_SYNC_LOCK_COMPETITION), 1.5);
		NEAR(made_sum(program, FATHOM_WAITS_RMA_SYNC_LOCK_COMPETITION), 1.5);
	}
	made_destroy(program);
}

static void an_epoch_for_all_competes_for_what_it_accesses(void **state)
{
	struct made_program *program = made_create(4, 1);
	struct fathom_waits_part all = made_part_of(FATHOM_WAITS_RMA, FATHOM_WAITS_NO_PEER, 0, FATHOM_WAITS_RMA_LOCK, 0);

	(void)state;
	all.flags = FATHOM_WAITS_IMPLICIT;
	/* Rank 0 has the window of rank 3 until 4. Rank 1 accesses those of ranks 2 and 3 in an epoch for all. */
	step(program, 0, A, 1, 1.1, FATHOM_WAITS_RMA_LOCK, 3);
	step(program, 0, B, 3.5, 4, FATHOM_WAITS_RMA_UNLOCK, 3);
	made_operation(program, 1, A, 2, 2.1, all);
	step(program, 1, C, 2.2, 2.3, FATHOM_WAITS_RMA_PUT, 2);
	step(program, 1, C, 3, 4.5, FATHOM_WAITS_RMA_PUT, 3);
	step(program, 1, B, 5, 5.1, FATHOM_WAITS_RMA_UNLOCK, FATHOM_WAITS_NO_PEER);
	/* Rank 2 waits in its lock until this epoch is over; rank 1 does not hold its own window. */
	step(program, 2, A, 4.6, 5.3, FATHOM_WAITS_RMA_LOCK, 3);
	step(program, 2, B, 5.4, 5.5, FATHOM_WAITS_RMA_UNLOCK, 3);
	step(program, 3, A, 4.6, 5.3, FATHOM_WAITS_RMA_LOCK, 1);
	step(program, 3, B, 5.4, 5.5, FATHOM_WAITS_RMA_UNLOCK, 1);
	for (int h = 0; searched(program, h); h++) {
		NEAR(made_at(program, 1, C, FATHOM_WAITS_RMA_COMM_LOCK_COMPETITION), 1);
		NEAR(made_at(program, 2, A, FATHOM_WAITS_RMA_SYNC_LOCK_COMPETITION), .5);
		NEAR(made_of(program, 3, FATHOM_WAITS_RMA_SYNC_LOCK_COMPETITION), 0);
	}
	made_destroy(program);
}

static void passive_epochs_wait_until_their_target_calls_mpi(void **state)
{
	struct made_program *program = made_create(3, 1);
	struct fathom_waits_part shared = made_part_of(FATHOM_WAITS_RMA, 1, 0, FATHOM_WAITS_RMA_LOCK, 0);

	(void)state;
	shared.flags = FATHOM_WAITS_IMPLICIT;
	/* The target is in MPI until 2, and again from 6 on. */
	made_operation(program, 1, COLL, 1, 2, made_part_of(FATHOM_WAITS_NOTHING, 0, 0, 0, 0));
	made_time(program, 1, FOO, 4);
	made_operation(program, 1, COLL, 6, 6.1, made_part_of(FATHOM_WAITS_NOTHING, 0, 0, 0, 0));
	made_operation(program, 0, A, 1.5, 6.2, shared);		/* the target was in MPI */
	step(program, 0, A, 6.3, 6.4, FATHOM_WAITS_RMA_UNLOCK, 1);
	made_operation(program, 2, A, 3, 3.1, shared);			/* it ends before the target calls MPI */
	step(program, 2, C, 3.5, 6.05, FATHOM_WAITS_RMA_PUT, 1);
	step(program, 2, B, 6.1, 6.5, FATHOM_WAITS_RMA_UNLOCK, 1);	/* the target does not call MPI any more */
	step(program, 2, D, 7, 8, FATHOM_WAITS_RMA_PUT, 1);		/* no epoch */
	for (int h = 0; searched(program, h); h++) {
		NEAR(made_at(program, 2, C, FATHOM_WAITS_RMA_COMM_PROGRESS), 2.5);
		NEAR(made_sum(program, FATHOM_WAITS_RMA_COMM_PROGRESS), 2.5);
		NEAR(made_sum(program, FATHOM_WAITS_RMA_SYNC_PROGRESS), 0);
		NEAR(made_of(program, 1, FATHOM_WAITS_DELAY_RMA_SHORT), 2.5);
		NEAR(program->summary.unexplained, 0);
	}
	made_destroy(program);
}

static void a_flush_of_all_waits_for_the_targets_that_were_accessed(void **state)
{
	struct made_program *program = made_create(4, 1);

	(void)state;
	for (uint32_t r = 1; r < 4; r++) {	/* they are in MPI until 1, and again from 5, 6 and 7 on */
		made_operation(program, r, COLL, .5, 1, made_part_of(FATHOM_WAITS_NOTHING, 0, 0, 0, 0));
		made_operation(program, r, COLL, 4 + r, 7.5, made_part_of(FATHOM_WAITS_NOTHING, 0, 0, 0, 0));
		made_operation(program, r, COLL, 12, 12.5, made_part_of(FATHOM_WAITS_NOTHING, 0, 0, 0, 0));
	}
	step(program, 0, A, .1, .2, FATHOM_WAITS_RMA_LOCK, FATHOM_WAITS_NO_PEER);
	for (uint32_t r = 1; r < 3; r++)
		step(program, 0, C, .2 * r, .2 * r + .1, FATHOM_WAITS_RMA_PUT, r);
	step(program, 0, B, 3, 6.1, FATHOM_WAITS_RMA_FLUSH, FATHOM_WAITS_NO_PEER);
	step(program, 0, D, 6.2, 6.9, FATHOM_WAITS_RMA_FLUSH, FATHOM_WAITS_NO_PEER);	/* nothing to complete */
	step(program, 0, C, 7.1, 7.2, FATHOM_WAITS_RMA_PUT, 3);
	step(program, 0, FOO, 8, 13, FATHOM_WAITS_RMA_UNLOCK, FATHOM_WAITS_NO_PEER);
	for (int h = 0; searched(program, h); h++) {
		NEAR(made_at(program, 0, B, FATHOM_WAITS_RMA_SYNC_PROGRESS), 3);
		NEAR(made_at(program, 0, FOO, FATHOM_WAITS_RMA_SYNC_PROGRESS), 4);
		NEAR(made_sum(program, FATHOM_WAITS_RMA_SYNC_PROGRESS), 7);
	}
	made_destroy(program);
}

static void pairs_that_synchronise_without_data_are_counted(void **state)
{
	struct made_program *program = made_create(4, 1);

	(void)state;
	/* Before the first fence ranks 0 and 1 exchange data, in both directions; rank 2 puts to itself. */
	step(program, 0, A, 1, 1.1, FATHOM_WAITS_RMA_PUT, 1);
	step(program, 0, A, 1.2, 1.3, FATHOM_WAITS_RMA_GET, 1);
	step(program, 1, A, 1, 1.1, FATHOM_WAITS_RMA_PUT, 0);
	step(program, 2, A, 1, 1.1, FATHOM_WAITS_RMA_PUT, 2);
	for (uint32_t r = 0; r < 4; r++)
		step(program, r, COLL, 2, 2.5, FATHOM_WAITS_RMA_FENCE, 0);
	step(program, 3, A, 3, 3.1, FATHOM_WAITS_RMA_PUT, 2);
	for (uint32_t r = 0; r < 4; r++)
		step(program, r, COLL, 4, 4.5, FATHOM_WAITS_RMA_FENCE, 0);
	/* Rank 0 may access ranks 1 and 2, and accesses rank 1. */
	for (uint32_t r = 1; r < 3; r++)
		step(program, r, A, 4.6, 4.7, FATHOM_WAITS_RMA_POST, 0);
	step(program, 0, A, 5, 5.1, FATHOM_WAITS_RMA_START, 1);
	made_part(program, 0, made_part_of(FATHOM_WAITS_RMA, 2, 0, FATHOM_WAITS_RMA_START, 0));
	step(program, 0, A, 5.2, 5.3, FATHOM_WAITS_RMA_PUT, 1);
	step(program, 0, C, 6, 6.1, FATHOM_WAITS_RMA_COMPLETE, 1);
	made_part(program, 0, made_part_of(FATHOM_WAITS_RMA, 2, 0, FATHOM_WAITS_RMA_COMPLETE, 0));
	for (uint32_t r = 1; r < 3; r++)
		step(program, r, B, 6.2, 6.3, FATHOM_WAITS_RMA_WAIT, 0);
	for (int h = 0; searched(program, h); h++) {
		NEAR(made_at(program, 0, COLL, FATHOM_WAITS_PAIR_SYNC), 1);
		NEAR(made_at(program, 0, COLL, FATHOM_WAITS_PAIR_SYNC_UNNEEDED), 2 + 3);
		NEAR(made_at(program, 2, COLL, FATHOM_WAITS_PAIR_SYNC), 1);
		NEAR(made_at(program, 2, COLL, FATHOM_WAITS_PAIR_SYNC_UNNEEDED), 3 + 2);
		NEAR(made_at(program, 0, C, FATHOM_WAITS_PAIR_SYNC), 1);
		NEAR(made_at(program, 0, C, FATHOM_WAITS_PAIR_SYNC_UNNEEDED), 1);
		NEAR(made_at(program, 1, B, FATHOM_WAITS_PAIR_SYNC), 1);
		NEAR(made_at(program, 2, B, FATHOM_WAITS_PAIR_SYNC_UNNEEDED), 1);
		NEAR(made_sum(program, FATHOM_WAITS_PAIR_SYNC), 4 + 1 + 1);
		NEAR(made_sum(program, FATHOM_WAITS_PAIR_SYNC_UNNEEDED), 2 * 4 * 3 - 4 + 1 + 1);
	}
	made_destroy(program);
}

/* What makes others wait in prefix operations and in one-sided communication explains all of this waiting. */
static void delays_of_scans_and_windows_are_all_of_their_waiting(void **state)
{
	struct made_program *program = made_create(3, 1);

	(void)state;
	for (uint32_t r = 0; r < 3; r++) {
		double begin = (double[]){ 5, 2, 4 }[r];

		made_time(program, r, FOO, begin);
		made_operation(program, r, COLL, begin, 6, made_part_of(FATHOM_WAITS_COLLECTIVE, FATHOM_WAITS_NO_PEER, 0,
									FATHOM_COLLECTIVE_SCAN, FATHOM_WAITS_ITSELF));
	}
	/* Rank 0 accesses the window of rank 1, which waits from 8 on. */
	step(program, 0, A, 6, 6, FATHOM_WAITS_RMA_START, 1);
	made_time(program, 0, FOO, 7);
	step(program, 0, B, 13, 14, FATHOM_WAITS_RMA_COMPLETE, 1);
	step(program, 1, A, 6, 6, FATHOM_WAITS_RMA_POST, 0);
	made_time(program, 1, BAR, 2);
	step(program, 1, B, 8, 14, FATHOM_WAITS_RMA_WAIT, 0);
	for (int h = 0; searched(program, h); h++) {
		NEAR(made_sum(program, FATHOM_WAITS_EARLY_SCAN), 3 + 1);
		NEAR(made_at(program, 0, FOO, FATHOM_WAITS_DELAY_SCAN_SHORT), 3 + 1);
		NEAR(made_sum(program, FATHOM_WAITS_RMA_EARLY_WAIT), 0);
		NEAR(made_sum(program, FATHOM_WAITS_RMA_LATE_COMPLETE), 5);
		NEAR(made_at(program, 0, FOO, FATHOM_WAITS_DELAY_RMA_SHORT), 5);
		NEAR(program->summary.waiting, 9);
		NEAR(program->summary.unexplained, 0);
	}
	made_destroy(program);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accesses_wait_for_the_post_of_their_target),
		cmocka_unit_test(an_exposure_waits_for_the_last_complete),
		cmocka_unit_test(a_fence_waits_for_all_and_for_accesses),
		cmocka_unit_test(epochs_compete_for_a_window),
		cmocka_unit_test(an_unlock_returns_after_the_next_lock),
		cmocka_unit_test(an_epoch_for_all_competes_for_what_it_accesses),
		cmocka_unit_test(passive_epochs_wait_until_their_target_calls_mpi),
		cmocka_unit_test(a_flush_of_all_waits_for_the_targets_that_were_accessed),
		cmocka_unit_test(pairs_that_synchronise_without_data_are_counted),
		cmocka_unit_test(delays_of_scans_and_windows_are_all_of_their_waiting),
	};

	alarm(120);	/* a host that waits for ever */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
