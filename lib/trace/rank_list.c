#include "trace/rank_list.h"

#include <string.h>

enum { RUN_WORDS = 3 };

struct run {			/* as it is stored; count is at least 1 */
	uint32_t first, count;
	uint32_t distance;	/* modulo 2^32, so that a list may also descend */
};

static struct run run_at(const uint32_t *words, uint32_t i)
{
	struct run run;

	memcpy(&run, words + 1 + (size_t)RUN_WORDS * i, sizeof(run));
	return run;
}

uint32_t fathom_rank_list_pack(uint32_t *words, const uint32_t *ranks, uint32_t count)
{
	uint32_t runs = 0, i, next;

	for (i = 0; i < count; i = next) {
		struct run run = { ranks[i], 1, 0 };

		next = i + 1;
		if (next < count)
			run.distance = ranks[next] - ranks[i];
		while (next < count && ranks[next] - ranks[next - 1] == run.distance)
			next++;
		run.count = next - i;
		if ((uint64_t)RUN_WORDS * (runs + 1) >= count) {
			words[0] = 0;
			memcpy(words + 1, ranks, count * sizeof(*ranks));
			return count + 1;
		}
		memcpy(words + 1 + (size_t)RUN_WORDS * runs++, &run, sizeof(run));
	}
	words[0] = runs;
	return 1 + RUN_WORDS * runs;
}

void fathom_rank_list_unpack(const uint32_t *words, uint32_t *ranks, uint32_t count)
{
	if (!words[0] && count)
		memcpy(ranks, words + 1, count * sizeof(*ranks));
	for (uint32_t i = 0; i < words[0]; i++) {
		struct run run = run_at(words, i);

		for (uint32_t r = 0; r < run.count; r++)
			*ranks++ = run.first + r * run.distance;
	}
}

uint32_t fathom_rank_list_words(const uint32_t *words, uint32_t count, size_t room)
{
	uint64_t total = 0;

	if (!room)
		return 0;
	if (!words[0])
		return count < room ? count + 1 : 0;
	if (words[0] > (room - 1) / RUN_WORDS)
		return 0;
	for (uint32_t i = 0; i < words[0]; i++) {
		struct run run = run_at(words, i);

		if (!run.count)
			return 0;
		total += run.count;
	}
	return total == count ? 1 + RUN_WORDS * words[0] : 0;
}

uint32_t fathom_rank_list_first(const uint32_t *words)
{
	return words[1];	/* of the first run, or of the ranks */
}

uint32_t fathom_rank_list_at(const uint32_t *words, uint32_t position)
{
	struct run run;

	if (!words[0])
		return words[1 + position];
	for (uint32_t i = 0;; i++, position -= run.count) {
		run = run_at(words, i);
		if (position < run.count)
			return run.first + position * run.distance;
	}
}

bool fathom_rank_list_contains(const uint32_t *words, uint32_t count, uint32_t rank)
{
	for (uint32_t i = 0; !words[0] && i < count; i++)
		if (words[1 + i] == rank)
			return true;
	for (uint32_t i = 0; i < words[0]; i++) {
		struct run run = run_at(words, i);

		for (uint32_t r = 0; r < run.count; r++)
			if (run.first + r * run.distance == rank)
				return true;
	}
	return false;
}

bool fathom_rank_list_is_below(const uint32_t *words, uint32_t count, uint32_t limit)
{
	for (uint32_t i = 0; !words[0] && i < count; i++)
		if (words[1 + i] >= limit)
			return false;
	for (uint32_t i = 0; i < words[0]; i++) {
		struct run run = run_at(words, i);

		for (uint32_t r = 0; r < run.count; r++)
			if (run.first + r * run.distance >= limit)
				return false;
	}
	return true;
}

bool fathom_rank_list_counts_up(const uint32_t *words, uint32_t count)
{
	struct run run = { 0, 0, 0 };

	for (uint32_t i = 0; !words[0] && i < count; i++)
		if (words[1 + i] != i)
			return false;
	if (words[0])
		run = run_at(words, 0);
	return !words[0] || (words[0] == 1 && run.first == 0 && run.count == count && run.distance == 1);
}
