#include "trace/repeats/repeat_detector.h"

int fathom_repeat_detector_init(struct fathom_repeat_detector *detector, struct fathom_arena *arena,
				const struct fathom_repeat_size *sizes, uint32_t count, uint32_t whole_periods)
{
	int err = 0;

	*detector = (struct fathom_repeat_detector){
		.whole_periods = whole_periods,
		.count = count,
		.next_rest = FATHOM_REPEAT_LOOK,
	};
	for (uint32_t i = 0; i < count && !err; i++)
		err = fathom_period_finder_init(&detector->windows[i].finder, arena, sizes[i].window,
						sizes[i].longest);
	return err;
}

static bool push(struct fathom_repeat_window *window, uint64_t value, uint32_t whole_periods)
{
	uint32_t period = fathom_period_finder_push(&window->finder, value);

	if (!period || period != window->period) {
		window->period = period;
		window->recorded = 0;
		return false;
	}
	if (window->recorded < (uint64_t)whole_periods * period) {
		window->recorded++;
		return false;
	}
	return true;
}

/* Counts a value that was looked at. After enough of them without a period, a rest begins. */
static void count_look(struct fathom_repeat_detector *detector, bool has_period)
{
	if (has_period) {
		detector->in_vain = 0;
		detector->next_rest = FATHOM_REPEAT_LOOK;
		return;
	}
	if (++detector->in_vain < FATHOM_REPEAT_LOOK)
		return;
	detector->in_vain = 0;
	detector->rest = detector->next_rest;
	if (detector->next_rest < FATHOM_REPEAT_MOST_REST)
		detector->next_rest *= 2;
}

bool fathom_repeat_detector_skips(struct fathom_repeat_detector *detector, uint64_t other)
{
	if (!detector->rest)
		return false;
	if (!--detector->rest)
		for (uint32_t i = 0; i < detector->count; i++)
			push(&detector->windows[i], other, detector->whole_periods);
	return true;
}

bool fathom_repeat_detector_push(struct fathom_repeat_detector *detector, uint64_t value)
{
	bool is_repetition = false, has_period = false;

	for (uint32_t i = 0; i < detector->count; i++) {
		is_repetition |= push(&detector->windows[i], value, detector->whole_periods);
		has_period |= detector->windows[i].period != 0;
	}
	count_look(detector, has_period);
	return is_repetition;
}
