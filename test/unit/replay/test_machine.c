/* Factors and times of collective operations in the plain numbers whose answers are known. */
#include "made_programs.h"

static void factors(void **state)
{
	(void)state;
	NEAR(fathom_phase_factor(FATHOM_PHASE_LOGARITHMIC, 8, 0), 3);
	NEAR(fathom_phase_factor(FATHOM_PHASE_LOGARITHMIC, 8, 1), 7);
	NEAR(fathom_phase_factor(FATHOM_PHASE_LOGARITHMIC, 8, 2), 4);
	NEAR(fathom_phase_factor(FATHOM_PHASE_LOGARITHMIC, 5, 0), 3);
	NEAR(fathom_phase_factor(FATHOM_PHASE_LOGARITHMIC, 1, 0), 0);
	NEAR(fathom_phase_factor(FATHOM_PHASE_LINEAR, 8, 0), 7);
	NEAR(fathom_phase_factor(FATHOM_PHASE_CONSTANT, 8, 0), 1);
	NEAR(fathom_phase_factor(FATHOM_PHASE_NONE, 8, 0), 0);
}

static void sizes(void **state)
{
	struct fathom_collective_bytes bytes = { .least = 10, .most = 30, .sum = 80, .sent_and_received = 50 };
	struct fathom_network network = { .latency = 1, .bandwidth = 10 };
	static const double seconds[FATHOM_PHASE_SIZES] = { 2, 4, 3, 7, 6 };

	(void)state;
	for (int size = 0; size < FATHOM_PHASE_SIZES; size++) {
		struct fathom_collective_model model = {
			.in = { FATHOM_PHASE_CONSTANT, (enum fathom_phase_size)size },
			.out = { FATHOM_PHASE_NONE, FATHOM_PHASE_MAX },
		};

		NEAR(fathom_collective_seconds(&model, &network, 4, 4, &bytes), seconds[size]);
	}
}

static void ideal_network(void **state)
{
	struct fathom_collective_bytes bytes = { .most = 30 };
	struct fathom_machine machine;

	(void)state;
	fathom_machine_init_ideal(&machine);
	for (int o = 0; o < FATHOM_COLLECTIVES; o++)
		NEAR(fathom_collective_seconds(&machine.collectives[o], &machine.between, 8, 8, &bytes), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(factors),
		cmocka_unit_test(sizes),
		cmocka_unit_test(ideal_network),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
