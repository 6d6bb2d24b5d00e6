#include "profile/result/processor_usage.h"

#include "platform/arena.h"
#include "platform/clock.h"
#include "system/processors.h"

/* --- the number of threads at the same time -------------------------------------------------------- */

/* Moves the number at place down in a heap of count numbers, whose largest number is on top, until no number below it
 * is larger. */
static void sift(uint64_t *heap, uint32_t count, uint32_t place)
{
	for (uint32_t child = 2 * place + 1; child < count; child = 2 * place + 1) {
		uint64_t number = heap[place];

		if (child + 1 < count && heap[child + 1] > heap[child])
			child++;
		if (heap[child] <= number)
			return;
		heap[place] = heap[child];
		heap[child] = number;
		place = child;
	}
}

/* Sorts without qsort, which may allocate. */
static void sort(uint64_t *numbers, uint32_t count)
{
	for (uint32_t place = count / 2; place-- > 0;)
		sift(numbers, count, place);
	for (uint32_t end = count; end-- > 1;) {
		uint64_t largest = numbers[0];

		numbers[0] = numbers[end];
		numbers[end] = largest;
		sift(numbers, end, 0);
	}
}

uint32_t fathom_usage_most_alive(const struct fathom_process_tree *process)
{
	uint32_t count = process->location_count, ends = 0, ended = 0, alive = 0, most = 0;
	struct fathom_arena arena = { 0 };
	uint64_t *births = fathom_arena_alloc(&arena, 2 * ((size_t)count + 1) * sizeof(*births));
	uint64_t *deaths = births + count;

	if (!births)
		return count;
	for (uint32_t l = 0; l < count; l++) {
		uint64_t end = fathom_peek(&process->locations[l]->end_ticks);

		births[l] = process->locations[l]->birth_ticks;
		if (end)
			deaths[ends++] = end;
	}
	sort(births, count);
	sort(deaths, ends);
	for (uint32_t b = 0; b < count; b++) {
		for (; ended < ends && deaths[ended] <= births[b]; ended++)
			alive--;
		alive++;
		most = alive > most ? alive : most;
	}
	fathom_arena_fini(&arena);
	return most;
}

/* Returns how many threads needed a processor at the same time. A main thread that only waits for the threads it
 * created does not count: it has used less than half of the average processor time of a thread. */
static uint32_t count_threads(const struct fathom_process_tree *process, const struct fathom_result *result)
{
	uint32_t threads = fathom_usage_most_alive(process);
	bool has_created = false;

	for (uint32_t l = 0; l < process->location_count; l++)
		has_created |= process->locations[l]->kind == FATHOM_KIND_CREATED;
	if (has_created && threads > 1 && result->initial_ns < result->processor_ns / threads / 2)
		threads--;
	return threads;
}

int fathom_usage_find(struct fathom_usage *usage, const struct fathom_process_tree *process, struct fathom_comm *comm,
		      const struct fathom_result *result, char text[FATHOM_PROCESSORS_TEXT])
{
	static struct fathom_processors own;	/* static, because signal handlers have small stacks */

	*usage = (struct fathom_usage){ .processor_ns = result->processor_ns };
	if (process)
		usage->wall_units = fathom_ticks_to_units(process->scale, result->wall_ticks);
	fathom_processors_find(&own, process ? count_threads(process, result) : 1, "");
	if (!fathom_processors_describe(&own, result->host, text, FATHOM_PROCESSORS_TEXT))
		text[0] = '\0';
	return fathom_processors_unite(&own, result->host, comm, &usage->capacity);
}
