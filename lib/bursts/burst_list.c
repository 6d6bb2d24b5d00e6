#include "bursts/burst_list.h"

#include <stdlib.h>
#include <string.h>

#include "otf2/memory.h"

void fathom_burst_list_init(struct fathom_burst_list *list, uint32_t counter_count, size_t limit)
{
	*list = (struct fathom_burst_list){ .counter_count = counter_count, .limit = limit };
}

void fathom_burst_list_fini(struct fathom_burst_list *list)
{
	free(list->bursts);
	free(list->counters);
}

static uint64_t ticks_of(const struct fathom_listed_burst *burst)
{
	return burst->end - burst->begin;
}

/* Finds a duration such that about half of the bursts are shorter, never more. The durations are counted by their
 * highest bit, and below it by the next three bits. False: hardly any burst would be dropped. */
static bool find_middle(const struct fathom_burst_list *list, uint64_t *middle)
{
	size_t counts[64 * 8] = { 0 }, passed = 0;
	unsigned class;

	for (size_t i = 0; i < list->count; i++) {
		uint64_t ticks = ticks_of(&list->bursts[i]) | 8;
		unsigned bit = 63 - (unsigned)__builtin_clzll(ticks);

		counts[bit * 8 + (ticks >> (bit - 3) & 7)]++;
	}
	for (class = 0; class < 64 * 8 - 1 && passed + counts[class] <= list->count / 2; class++)
		passed += counts[class];
	*middle = (8 + (uint64_t)(class % 8)) << (class / 8 - 3);
	return passed > list->count / 16;
}

static bool drop_shorter_half(struct fathom_burst_list *list)
{
	size_t kept = 0, width = list->counter_count;
	uint64_t middle;

	if (!find_middle(list, &middle))
		return false;
	list->least_ticks = middle;
	for (size_t i = 0; i < list->count; i++) {
		if (ticks_of(&list->bursts[i]) < list->least_ticks) {
			list->dropped++;
			list->dropped_ticks += ticks_of(&list->bursts[i]);
			continue;
		}
		list->bursts[kept] = list->bursts[i];
		if (width)
			memmove(list->counters + kept * width, list->counters + i * width, width * sizeof(double));
		kept++;
	}
	list->count = kept;
	return true;
}

bool fathom_burst_list_add(struct fathom_burst_list *list, const struct fathom_burst *burst)
{
	size_t room;

	if (list->count == list->limit && !drop_shorter_half(list))
		return false;
	if (burst->end - burst->begin < list->least_ticks) {
		list->dropped++;
		list->dropped_ticks += burst->end - burst->begin;
		return true;
	}
	room = list->room;
	list->bursts = fathom_otf2_memory_grow(list->bursts, list->count, &list->room, sizeof(*list->bursts));
	if (list->counter_count) {
		list->counters = fathom_otf2_memory_grow(list->counters, list->count, &room,
							 list->counter_count * sizeof(double));
		memcpy(list->counters + list->count * list->counter_count, burst->counters,
		       list->counter_count * sizeof(double));
	}
	list->bursts[list->count++] = (struct fathom_listed_burst){
		burst->begin, burst->end, burst->location, burst->before, burst->after, burst->code,
	};
	return true;
}

void fathom_burst_list_sort(struct fathom_burst_list *list, uint32_t location_count)
{
	size_t *places = fathom_otf2_memory_alloc((size_t)location_count + 1, sizeof(*places));
	struct fathom_listed_burst *bursts = fathom_otf2_memory_alloc(list->count, sizeof(*bursts));
	size_t width = list->counter_count;
	double *counters = fathom_otf2_memory_alloc(list->count * width, sizeof(*counters));

	for (size_t i = 0; i < list->count; i++)
		places[list->bursts[i].location + 1]++;
	for (uint32_t l = 0; l < location_count; l++)
		places[l + 1] += places[l];
	for (size_t i = 0; i < list->count; i++) {
		size_t place = places[list->bursts[i].location]++;

		bursts[place] = list->bursts[i];
		if (width)
			memcpy(counters + place * width, list->counters + i * width, width * sizeof(double));
	}
	free(list->bursts);
	free(list->counters);
	free(places);
	list->bursts = bursts;
	list->counters = counters;
	list->room = list->count;
}
