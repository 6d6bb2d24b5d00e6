#include "replay/slice_length.h"

#include <errno.h>
#include <math.h>

static const double shortest = 20e-6, longest = 50e-3;	/* schedulers of Linux give 0.7 to 24 ms */
enum { SCAN_STEPS = 13, REFINING_STEPS = 5 };

struct fit {
	const struct fathom_replay_program *program;
	struct fathom_machine *machine;
	double seconds;		/* that the replay should take */
	double best, best_error;
};

/* Replays with a length and keeps it if it is the best one so far. 0 or -errno. */
static int try_length(struct fit *fit, double length)
{
	struct fathom_replay how = { .program = fit->program, .machine = fit->machine, .measured_slice = length };
	struct fathom_replay_result result;
	double error;
	int err;

	fit->machine->slice_seconds = length;
	err = fathom_replay_run(&how, &result);
	if (err == -EDEADLK)
		fathom_replay_result_fini(&result, fit->program->task_count);
	if (err)
		return err;
	error = fabs(result.seconds - result.start_seconds - fit->seconds);
	if (fit->best <= 0 || error < fit->best_error) {
		fit->best = length;
		fit->best_error = error;
	}
	fathom_replay_result_fini(&result, fit->program->task_count);
	return 0;
}

int fathom_slice_length_fit(const struct fathom_replay_program *program, struct fathom_machine *machine,
			   double seconds)
{
	struct fit fit = { .program = program, .machine = machine, .seconds = seconds };
	double ratio = pow(longest / shortest, 1.0 / (SCAN_STEPS - 1)), length = shortest;
	int err = 0;

	for (int i = 0; !err && i < SCAN_STEPS; i++, length *= ratio)
		err = try_length(&fit, length);
	for (int i = 0; !err && i < REFINING_STEPS; i++) {
		double center = fit.best;

		ratio = sqrt(ratio);
		err = try_length(&fit, center / ratio);
		if (!err)
			err = try_length(&fit, center * ratio);
	}
	machine->slice_seconds = fit.best;
	return err;
}
