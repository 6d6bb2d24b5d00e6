#include "trace/repeats/repeat_detector.h"

int fathom_repeat_detector_init(struct fathom_repeat_detector *detector, struct fathom_arena *arena,
				const struct fathom_repeat_size *sizes, uint32_t count, uint32_t whole_periods)
{
	int err = 0;

	*detector = (struct fathom_repeat_detector){ .whole_periods = whole_periods, .count = count };
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

bool fathom_repeat_detector_push(struct fathom_repeat_detector *detector, uint64_t value)
{
	bool is_repetition = false;

	for (uint32_t i = 0; i < detector->count; i++)
		is_repetition |= push(&detector->windows[i], value, detector->whole_periods);
	return is_repetition;
}
