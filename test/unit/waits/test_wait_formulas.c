/* How long operations wait, in the plain numbers whose answers are known; and the table of patterns. */
#include "unit_test.h"

#include <math.h>

#include "waits/key_table.h"
#include "waits/wait_formulas.h"
#include "waits/wait_patterns.h"

#define NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-12)

static void messages(void **state)
{
	(void)state;
	NEAR(fathom_waits_late_sender(1, 5.2, 4), 3);
	NEAR(fathom_waits_late_sender(5, 11, 10), 5);
	NEAR(fathom_waits_late_sender(1, 2, 4), 1);	/* never longer than the operation */
	NEAR(fathom_waits_late_sender(5, 6, 4), 0);
	NEAR(fathom_waits_late_receiver(2, 9, 7), 5);
	NEAR(fathom_waits_late_receiver(2, 2.1, 7), 0);	/* eager */
	NEAR(fathom_waits_late_receiver(8, 9, 7), 0);
}

static void collective_operations(void **state)
{
	static const double b[] = { 1, 4, 2 }, e[] = { 6.0, 6.2, 6.1 }, wait[] = { 3, 0, 2 }, completion[] = { 0, .2, .1 };
	struct fathom_waits_meeting meeting = { 4, 6.0 }, early = { 4, 3 };

	(void)state;
	for (int i = 0; i < 3; i++) {
		NEAR(fathom_waits_barrier_wait(b[i], e[i], &meeting), wait[i]);
		NEAR(fathom_waits_barrier_completion(b[i], e[i], &meeting), completion[i]);
		NEAR(fathom_waits_nxn_wait(b[i], e[i], &meeting), wait[i]);
		NEAR(fathom_waits_window_wait(b[i], e[i], &meeting), wait[i]);
	}
	NEAR(fathom_waits_nxn_wait(1, 3, &early), 0);
	NEAR(fathom_waits_nxn_wait(1, 6, &early), 3);
	NEAR(fathom_waits_window_wait(1, 6, &early), 0);
	NEAR(fathom_waits_until(2, 5.5, 5), 3);		/* late broadcast */
	NEAR(fathom_waits_until(6, 6.1, 5), 0);
	NEAR(fathom_waits_until(1, 1.2, 5), .2);
	NEAR(fathom_waits_until(1, 7, 6), 5);		/* early reduce */
	NEAR(fathom_waits_until(2, 6, 5), 3);		/* early scan */
	NEAR(fathom_waits_until(4, 6, 5), 1);
}

static void one_sided_communication(void **state)
{
	(void)state;
	NEAR(fathom_waits_until(1.5, 6, 4), 2.5);	/* late post */
	NEAR(fathom_waits_early_wait(2, 9, 8), 6);
	NEAR(fathom_waits_late_complete(2, 9, 8, 5), 3);
	NEAR(fathom_waits_late_complete(2, 9, 8, 1), 6);
	NEAR(fathom_waits_early_fence(2, 9, 5), 3);
}

static void threads(void **state)
{
	(void)state;
	NEAR(fathom_waits_team_barrier(1, 3.5, 3, 0), 2);
	NEAR(fathom_waits_team_barrier(3, 3.5, 3, 0), 0);
	NEAR(fathom_waits_team_barrier(2, 3.5, 3, 0), 1);
	NEAR(fathom_waits_team_barrier(1, 3.5, 3, 1.5), .5);	/* it executed tasks */
	NEAR(fathom_waits_team_barrier(1, 3.5, 3, 5), 0);
	NEAR(fathom_waits_until(3, 10.1, 10), 7);	/* a lock */
}

static void delay_costs(void **state)
{
	struct fathom_waits_delay delay;

	(void)state;
	delay = fathom_waits_delay_of(5, 5, 5, 0);	/* 4.12: foo of P0 */
	NEAR(delay.scale * 5, 5);
	NEAR(delay.long_scale * 5, 5);
	NEAR(delay.indirect, 0);
	delay = fathom_waits_delay_of(5, 0, 0, 5);	/* P1's waiting made P2 wait */
	NEAR(delay.scale, 1);
	NEAR(delay.indirect, 5);
	delay = fathom_waits_delay_of(6, 0, 1, 5);
	NEAR(delay.scale * 1, 1);
	NEAR(delay.scale * 5, 5);
	delay = fathom_waits_delay_of(5, 2, 1, 1);	/* more waiting than causes */
	NEAR(delay.scale, 1);
	NEAR(delay.unexplained, 3);
	delay = fathom_waits_delay_of(5, 2, 0, 0);
	NEAR(delay.unexplained, 7);
	NEAR(delay.scale, 0);
}

static void patterns_are_a_forest_with_unique_names(void **state)
{
	(void)state;
	for (int p = 0; p < FATHOM_WAITS_PATTERNS; p++) {
		const struct fathom_waits_pattern_info *info = fathom_waits_pattern_info((enum fathom_waits_pattern)p);

		assert_non_null(info->name);
		assert_non_null(info->title);
		assert_non_null(info->description);
		assert_true(info->parent < p);
		if (info->parent != FATHOM_WAITS_NO_PARENT)
			assert_int_equal(fathom_waits_pattern_info((enum fathom_waits_pattern)info->parent)->is_count,
					 info->is_count);
		for (int q = 0; q < p; q++)
			assert_string_not_equal(info->name, fathom_waits_pattern_info((enum fathom_waits_pattern)q)->name);
	}
}

/* A table with many changes has what a plain list has. */
static void a_key_table_finds_what_was_not_removed(void **state)
{
	enum { KEYS = 500 };
	static bool is_in[KEYS];
	struct fathom_waits_key_table table = { 0 };
	uint64_t chance = 5, count = 0;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint32_t n = random_below(&chance, KEYS);
		uint64_t key = n % 3 ? n % 97 + 1 + 128 * n : fathom_waits_key(n, 0), *found = fathom_waits_key_find(&table, key);

		assert_int_equal(found != NULL, is_in[n]);
		if (is_in[n]) {
			assert_int_equal(*found, n);
			fathom_waits_key_remove(&table, key);
			count--;
		} else {
			assert_int_equal(*fathom_waits_key_add(&table, key, n), n);
			count++;
		}
		is_in[n] = !is_in[n];
		assert_int_equal(table.count, count);
	}
	fathom_waits_key_fini(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages),
		cmocka_unit_test(collective_operations),
		cmocka_unit_test(one_sided_communication),
		cmocka_unit_test(threads),
		cmocka_unit_test(delay_costs),
		cmocka_unit_test(patterns_are_a_forest_with_unique_names),
		cmocka_unit_test(a_key_table_finds_what_was_not_removed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
