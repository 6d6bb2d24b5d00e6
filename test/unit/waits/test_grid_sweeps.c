/* Late senders in a grid: the direction of sweeps and the refilling of pipelines, by one and by several hosts. */
#include "unit_test.h"

#include <unistd.h>

#include "define/collective.h"
#include "made_logs.h"
#include "near.h"

/* Searches as made_search_by; all waiting for late senders is in one of the parts. */
static bool searched(struct made_program *program, int number)
{
	if (!made_search_by(program, number))
		return false;
	NEAR(made_sum(program, FATHOM_WAITS_LATE_SENDER), made_sum(program, FATHOM_WAITS_SWEEP_INSIDE) +
	     made_sum(program, FATHOM_WAITS_REFILL_OTHER) + made_sum(program, FATHOM_WAITS_REFILL_X_UP) +
	     made_sum(program, FATHOM_WAITS_REFILL_X_DOWN) + made_sum(program, FATHOM_WAITS_REFILL_Y_UP) +
	     made_sum(program, FATHOM_WAITS_REFILL_Y_DOWN) + made_sum(program, FATHOM_WAITS_REFILL_Z_UP) +
	     made_sum(program, FATHOM_WAITS_REFILL_Z_DOWN));
	return true;
}

enum { RECV = 1, SEND, COLL };

static void give_grid(struct made_program *program, const struct fathom_waits_grid *grid)
{
	for (uint32_t r = 0; r < program->ranks; r++)
		program->processes[r].grid = grid;
}

static void barrier(struct made_program *program, double first, double step, double end)
{
	for (uint32_t r = 0; r < program->ranks; r++)
		made_collective(program, r, COLL, first + r * step, end, FATHOM_COLLECTIVE_BARRIER, -1, 0);
}

/* Four ranks in a row, one second of work in each: a sweep to the right, a barrier, a sweep to the left. */
static void a_pipeline_is_refilled_in_both_directions(void **state)
{
	static const uint32_t sizes[] = { 4 };
	static const struct fathom_waits_grid row = { .dimension_count = 1, .sizes = sizes };
	struct made_program *program = made_create(4, 1);

	(void)state;
	give_grid(program, &row);
	for (uint32_t r = 0; r < 4; r++) {
		if (r > 0)
			made_receive(program, r, RECV, 0, r, r - 1);
		if (r < 3)
			made_send(program, r, SEND, r + 1, r + 1, r + 1);
	}
	barrier(program, 1, 1, 4);
	for (uint32_t r = 0; r < 4; r++) {
		if (r < 3)
			made_receive(program, r, RECV, 4, 7 - r, r + 1);
		if (r > 0)
			made_send(program, r, SEND, 8 - r, 8 - r, r - 1);
	}
	for (int h = 0; searched(program, h); h++) {
		for (uint32_t r = 0; r < 4; r++) {
			NEAR(made_at(program, r, RECV, FATHOM_WAITS_REFILL_X_UP), r);
			NEAR(made_at(program, r, RECV, FATHOM_WAITS_REFILL_X_DOWN), 3 - r);
		}
		NEAR(made_sum(program, FATHOM_WAITS_LATE_SENDER), 12);
		NEAR(made_sum(program, FATHOM_WAITS_SWEEP_INSIDE), 0);
		NEAR(made_sum(program, FATHOM_WAITS_REFILL_Y_UP), 0);
	}
	made_destroy(program);
}

/* Rank 1 waits for each message of rank 0; after the third one there is a barrier. */
static void only_the_first_message_of_a_sweep_refills(void **state)
{
	static const uint32_t sizes[] = { 2 };
	static const struct fathom_waits_grid row = { .dimension_count = 1, .sizes = sizes };

	(void)state;
	for (int with_barrier = 0; with_barrier < 2; with_barrier++) {
		struct made_program *program = made_create(2, 1);

		give_grid(program, &row);
		for (int i = 0; i < 5; i++) {
			made_send(program, 0, SEND, 2 * i + 1, 2 * i + 1, 1);
			made_receive(program, 1, RECV, 2 * i, 2 * i + 1, 0);
			if (with_barrier && i == 2)
				barrier(program, 5.5, 0, 5.5);
		}
		for (int h = 0; searched(program, h); h++) {
			NEAR(made_at(program, 1, RECV, FATHOM_WAITS_REFILL_X_UP), with_barrier ? 2 : 1);
			NEAR(made_at(program, 1, RECV, FATHOM_WAITS_SWEEP_INSIDE), with_barrier ? 3 : 4);
		}
		made_destroy(program);
	}
}

/* Two rows of two: rank 3 receives from the left (rank 2) and from above (rank 1), in each of two steps. */
static void a_wavefront_goes_along_both_dimensions(void **state)
{
	static const uint32_t sizes[] = { 2, 2 };
	static const struct fathom_waits_grid grid = { .dimension_count = 2, .sizes = sizes };
	struct made_program *program = made_create(4, 1);

	(void)state;
	give_grid(program, &grid);
	for (int i = 0; i < 2; i++) {
		double t = 10 * i;

		made_send(program, 2, SEND, t + 2, t + 2, 3);
		made_send(program, 1, SEND, t + 5, t + 5, 3);
		made_receive(program, 3, RECV, t, t + 2, 2);
		made_receive(program, 3, RECV, t + 4, t + 5, 1);
	}
	for (int h = 0; searched(program, h); h++) {
		NEAR(made_at(program, 3, RECV, FATHOM_WAITS_REFILL_Y_UP), 2);
		NEAR(made_at(program, 3, RECV, FATHOM_WAITS_REFILL_X_UP), 1);
		NEAR(made_at(program, 3, RECV, FATHOM_WAITS_SWEEP_INSIDE), 3);
	}
	made_destroy(program);
}

/* In a ring, rank 0 is behind rank 3; in a communicator of reversed order, rank 1 is before rank 0. */
static void directions_follow_the_grid_and_not_the_ranks(void **state)
{
	static const uint32_t sizes[] = { 4 }, order[] = { 3, 2, 1, 0 }, at[] = { 0, 2, 1, 3 };
	static const bool is_periodic[] = { true };
	static const struct fathom_waits_grid ring = {
		.dimension_count = 1, .sizes = sizes, .are_periodic = is_periodic,
	}, reversed = { .comm = 1, .dimension_count = 1, .sizes = sizes }, mixed = {
		.dimension_count = 1, .sizes = sizes, .at = at,
	};
	static const struct {
		const struct fathom_waits_grid *grid;
		uint32_t from, to;
		bool is_up;
	} cases[] = {
		{ &ring, 3, 0, true }, { &ring, 0, 3, false }, { &ring, 1, 2, true },
		{ &reversed, 0, 1, false }, { &reversed, 3, 0, true }, { &mixed, 1, 2, false }, { &mixed, 0, 2, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct made_program *program = made_create(4, 1);

		made_communicator(program, order, 4);
		give_grid(program, cases[i].grid);
		made_send(program, cases[i].from, SEND, 2, 2, cases[i].to);
		made_receive(program, cases[i].to, RECV, 1, 2, cases[i].from);
		for (int h = 0; searched(program, h); h++)
			NEAR(made_at(program, cases[i].to, RECV, cases[i].is_up ? FATHOM_WAITS_REFILL_X_UP :
				     FATHOM_WAITS_REFILL_X_DOWN), 1);
		made_destroy(program);
	}
}

/* Ranks 0 and 1 are in the grid, rank 2 is not. */
static void processes_without_a_position_have_no_direction(void **state)
{
	static const uint32_t sizes[] = { 2 }, members[] = { 0, 1 };
	static const struct fathom_waits_grid row = { .comm = 1, .dimension_count = 1, .sizes = sizes };
	struct made_program *program = made_create(3, 1);

	(void)state;
	made_communicator(program, members, 2);
	give_grid(program, &row);
	made_send(program, 2, SEND, 2, 2, 1);
	made_receive(program, 1, RECV, 1, 2, 2);
	made_send(program, 0, SEND, 3, 3, 2);
	made_receive(program, 2, RECV, 2, 3, 0);
	assert_int_equal(made_search(program, 2), 0);
	NEAR(made_sum(program, FATHOM_WAITS_LATE_SENDER), 2);
	NEAR(made_sum(program, FATHOM_WAITS_REFILL_X_UP), 0);
	NEAR(made_sum(program, FATHOM_WAITS_REFILL_X_DOWN), 0);
	NEAR(made_sum(program, FATHOM_WAITS_SWEEP_INSIDE), 0);
	made_destroy(program);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pipeline_is_refilled_in_both_directions),
		cmocka_unit_test(only_the_first_message_of_a_sweep_refills),
		cmocka_unit_test(a_wavefront_goes_along_both_dimensions),
		cmocka_unit_test(directions_follow_the_grid_and_not_the_ranks),
		cmocka_unit_test(processes_without_a_position_have_no_direction),
	};

	alarm(120);	/* a host that waits for ever */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
