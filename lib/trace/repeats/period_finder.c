#include "trace/repeats/period_finder.h"

#include <errno.h>

/* The base of the polynomial in which the values of a window are the coefficients: any large odd number. */
#define BASE UINT64_C(0x9e3779b97f4a7c15)

static uint32_t power_of_two(uint32_t least)
{
	uint32_t power = 1;

	while (power < least)
		power *= 2;
	return power;
}

/* Spreads the bits of a value, so that small numbers have different sums. */
static uint64_t spread(uint64_t value)
{
	value = (value ^ value >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 32) * UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

int fathom_period_finder_init(struct fathom_period_finder *finder, struct fathom_arena *arena, uint32_t window,
			      uint32_t longest)
{
	uint32_t values = power_of_two(window + longest), windows = power_of_two(longest + 1);

	*finder = (struct fathom_period_finder){
		.window = window,
		.longest = longest,
		.value_mask = values - 1,
		.window_mask = windows - 1,
		.bucket_shift = 64 - (uint32_t)__builtin_ctz(2 * windows),
		.oldest_factor = 1,
		.values = fathom_arena_alloc(arena, values * sizeof(*finder->values)),
		.windows = fathom_arena_alloc(arena, windows * sizeof(*finder->windows)),
		.buckets = fathom_arena_alloc(arena, 2 * (size_t)windows * sizeof(*finder->buckets)),
	};
	for (uint32_t i = 0; i < window; i++)
		finder->oldest_factor *= BASE;
	return finder->values && finder->windows && finder->buckets ? 0 : -ENOMEM;
}

/* Returns whether the newest values are equal to those that are period older. If the period was the same at the value
 * before, only the newest value needs to be compared. */
static bool has_period(const struct fathom_period_finder *finder, uint32_t period)
{
	uint64_t newest = finder->count - 1;
	uint32_t count = finder->period == period ? 1 : finder->window;

	for (uint32_t i = 0; i < count; i++)
		if (finder->values[(newest - i) & finder->value_mask] !=
		    finder->values[(newest - i - period) & finder->value_mask])
			return false;
	return true;
}

/* Returns the smallest period at the newest value, whose window is not in the table yet. */
static uint32_t find(const struct fathom_period_finder *finder, uint64_t first_end)
{
	for (uint64_t end = first_end; end && finder->count - end <= finder->longest;) {
		const struct fathom_period_window *window = &finder->windows[(end - 1) & finder->window_mask];

		if (window->hash == finder->hash && has_period(finder, (uint32_t)(finder->count - end)))
			return (uint32_t)(finder->count - end);
		end = window->older;
	}
	return 0;
}

uint32_t fathom_period_finder_push(struct fathom_period_finder *finder, uint64_t value)
{
	uint64_t number = finder->count++, *bucket;

	finder->hash = finder->hash * BASE + spread(value);
	if (number >= finder->window)
		finder->hash -= finder->oldest_factor *
				spread(finder->values[(number - finder->window) & finder->value_mask]);
	finder->values[number & finder->value_mask] = value;
	if (finder->count < finder->window)
		return 0;
	bucket = &finder->buckets[finder->hash >> finder->bucket_shift];
	finder->period = find(finder, *bucket);
	finder->windows[number & finder->window_mask] = (struct fathom_period_window){ finder->hash, *bucket };
	*bucket = finder->count;
	return finder->period;
}
