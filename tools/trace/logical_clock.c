#include "tools/trace/logical_clock.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

/* Controlled logical clock with amortisation (Rabenseifner): the slope of backward amortisation, and the error that a
 * pass may have. The error is how much farther an event was moved than the longest single jump, as a part of the time
 * of the trace: a jump is inevitable, but the moves of one location may add to those of another, which a smaller g
 * limits. */
static const double slope = 0.01, error_allowed = 0.05;
enum { MOST_PASSES = 12 };

struct end {			/* an event that is a source or target of a constraint */
	uint64_t number;
	uint32_t constraint;
	bool is_target;
};

struct constraint {
	double latency;
	double latest;		/* of its sources that are done */
	double earliest;	/* of its targets after the forward pass */
	uint32_t sources, missing;	/* all, and those that are not done yet */
	int64_t waiting;	/* the first location that waits for it, -1: none */
};

struct jump {			/* a target that was moved by its constraint */
	uint64_t number;
	double length;
};

struct place {			/* a location */
	const uint64_t *times;
	double *moves;
	uint64_t count;
	struct end *ends;	/* sorted by number */
	size_t end_count, end_room;
	struct jump *jumps;
	size_t jump_count, jump_room;
	uint64_t next;		/* event of the forward pass */
	size_t next_end;
	int64_t next_waiting;	/* the next location that waits for the same constraint */
};

struct knot {			/* of a bent line: the move at a time */
	double time, move;
};

struct fathom_logical_clock {
	struct place *places;
	size_t place_count;
	struct constraint *constraints;
	size_t constraint_count, constraint_room;
	double step, g;
	uint64_t base;		/* earliest time: doubles are exact near it */
	size_t *ready;		/* locations that can continue */
	size_t ready_count;
	uint64_t violations;
	struct knot *knots;
	size_t knot_room;
};

struct fathom_logical_clock *fathom_logical_clock_create(size_t locations, double step)
{
	struct fathom_logical_clock *clock = fathom_tool_alloc(1, sizeof(*clock));

	clock->places = fathom_tool_alloc(locations, sizeof(*clock->places));
	clock->ready = fathom_tool_alloc(locations, sizeof(*clock->ready));
	clock->place_count = locations;
	clock->step = step;
	clock->base = UINT64_MAX;
	return clock;
}

void fathom_logical_clock_destroy(struct fathom_logical_clock *clock)
{
	size_t i;

	for (i = 0; i < clock->place_count; i++) {
		free(clock->places[i].ends);
		free(clock->places[i].jumps);
	}
	free(clock->places);
	free(clock->constraints);
	free(clock->ready);
	free(clock->knots);
	free(clock);
}

void fathom_logical_clock_set(struct fathom_logical_clock *clock, size_t location, const uint64_t *times, double *moves,
			      uint64_t count)
{
	struct place *place = &clock->places[location];

	place->times = times;
	place->moves = moves;
	place->count = count;
	if (count && times[0] < clock->base)
		clock->base = times[0];
}

uint32_t fathom_logical_clock_add(struct fathom_logical_clock *clock, double latency)
{
	clock->constraints = fathom_tool_grow(clock->constraints, clock->constraint_count, &clock->constraint_room,
					      sizeof(*clock->constraints));
	clock->constraints[clock->constraint_count] = (struct constraint){ .latency = latency };
	return (uint32_t)clock->constraint_count++;
}

static void add_end(struct fathom_logical_clock *clock, uint32_t constraint, size_t location, uint64_t number,
		    bool is_target)
{
	struct place *place = &clock->places[location];

	place->ends = fathom_tool_grow(place->ends, place->end_count, &place->end_room, sizeof(*place->ends));
	place->ends[place->end_count++] = (struct end){ number, constraint, is_target };
	clock->constraints[constraint].sources += !is_target;
}

void fathom_logical_clock_add_source(struct fathom_logical_clock *clock, uint32_t constraint, size_t location,
				     uint64_t number)
{
	add_end(clock, constraint, location, number, false);
}

void fathom_logical_clock_add_target(struct fathom_logical_clock *clock, uint32_t constraint, size_t location,
				     uint64_t number)
{
	add_end(clock, constraint, location, number, true);
}

static double time_of(const struct fathom_logical_clock *clock, const struct place *place, uint64_t number)
{
	return (double)(place->times[number] - clock->base) + place->moves[number];
}

/* --- forward -------------------------------------------------------------------------------------------- */

/* Returns the move of the next event if nothing but the event before it mattered. */
static double local_move(const struct fathom_logical_clock *clock, const struct place *place)
{
	uint64_t i = place->next, passed = i ? place->times[i] - place->times[i - 1] : 0;
	double step = (double)passed < clock->step ? (double)passed : clock->step, move, least;

	if (i == 0)
		return 0;
	move = place->moves[i - 1] - (1 - clock->g) * (double)passed;
	least = place->moves[i - 1] - (double)passed + step;	/* a step behind the event before */
	move = move < least ? least : move;
	return move > 0 ? move : 0;
}

/* Returns the first target at the next event whose constraint is not known yet; NULL: the event can be done. */
static struct constraint *blocker(struct fathom_logical_clock *clock, const struct place *place)
{
	size_t e;

	for (e = place->next_end; e < place->end_count && place->ends[e].number == place->next; e++)
		if (place->ends[e].is_target && clock->constraints[place->ends[e].constraint].missing)
			return &clock->constraints[place->ends[e].constraint];
	return NULL;
}

/* Lets the locations that wait for a constraint continue. */
static void notify(struct fathom_logical_clock *clock, struct constraint *constraint)
{
	while (constraint->waiting >= 0) {
		clock->ready[clock->ready_count++] = (size_t)constraint->waiting;
		constraint->waiting = clock->places[constraint->waiting].next_waiting;
	}
}

static void do_event(struct fathom_logical_clock *clock, struct place *place)
{
	double move = local_move(clock, place), needed = move, time;
	double original = (double)(place->times[place->next] - clock->base);
	size_t e;

	for (e = place->next_end; e < place->end_count && place->ends[e].number == place->next; e++) {
		const struct constraint *constraint = &clock->constraints[place->ends[e].constraint];

		if (!place->ends[e].is_target || !constraint->sources)
			continue;
		time = constraint->latest + constraint->latency - original;
		needed = time > needed ? time : needed;
	}
	if (needed > move) {
		place->jumps = fathom_tool_grow(place->jumps, place->jump_count, &place->jump_room,
						sizeof(*place->jumps));
		place->jumps[place->jump_count++] = (struct jump){ place->next, needed - move };
	}
	place->moves[place->next] = needed;
	time = original + needed;
	for (; place->next_end < place->end_count && place->ends[place->next_end].number == place->next;
	     place->next_end++) {
		struct constraint *constraint = &clock->constraints[place->ends[place->next_end].constraint];

		if (place->ends[place->next_end].is_target) {
			if (time < constraint->earliest)
				constraint->earliest = time;
			continue;
		}
		if (time > constraint->latest)
			constraint->latest = time;
		if (constraint->missing && --constraint->missing == 0)
			notify(clock, constraint);
	}
	place->next++;
}

static void run(struct fathom_logical_clock *clock, size_t index)
{
	struct place *place = &clock->places[index];
	struct constraint *constraint;

	while (place->next < place->count) {
		constraint = blocker(clock, place);
		if (constraint) {
			place->next_waiting = constraint->waiting;
			constraint->waiting = (int64_t)index;
			return;
		}
		do_event(clock, place);
	}
}

/* Gives up a constraint that waits for a source which itself waits for it. Returns false if no location waits. */
static bool break_circle(struct fathom_logical_clock *clock)
{
	size_t i;

	for (i = 0; i < clock->place_count; i++) {
		struct place *place = &clock->places[i];
		struct constraint *constraint;

		if (place->next >= place->count)
			continue;
		constraint = blocker(clock, place);
		constraint->missing = 0;
		notify(clock, constraint);
		return true;
	}
	return false;
}

/* Makes a pass from the original times. Returns its error. */
static double pass_forward(struct fathom_logical_clock *clock, double g)
{
	double most = 0, longest = 0, last = 0;
	size_t i;

	clock->g = g;
	for (i = 0; i < clock->constraint_count; i++) {
		struct constraint *constraint = &clock->constraints[i];

		constraint->missing = constraint->sources;
		constraint->latest = -1e300;
		constraint->earliest = 1e300;
		constraint->waiting = -1;
	}
	clock->ready_count = 0;
	for (i = clock->place_count; i-- > 0;) {
		struct place *place = &clock->places[i];

		place->next = place->next_end = place->jump_count = 0;
		clock->ready[clock->ready_count++] = i;
		if (place->count && (double)(place->times[place->count - 1] - clock->base) > last)
			last = (double)(place->times[place->count - 1] - clock->base);
	}
	do {
		while (clock->ready_count)
			run(clock, clock->ready[--clock->ready_count]);
	} while (break_circle(clock));
	for (i = 0; i < clock->place_count; i++) {
		const struct place *place = &clock->places[i];
		size_t j;

		/* Between two jumps a move only decays. */
		for (j = 0; j < place->jump_count; j++) {
			if (place->moves[place->jumps[j].number] > most)
				most = place->moves[place->jumps[j].number];
			if (place->jumps[j].length > longest)
				longest = place->jumps[j].length;
		}
	}
	return last > 0 ? (most - longest) / last : 0;
}

/* --- backward -------------------------------------------------------------------------------------------- */

/* Adds a knot to the line from the left, and takes out those above the line to the new one: the line stays convex. */
static size_t add_knot(struct knot *knots, size_t count, struct knot knot)
{
	while (count > 1) {
		const struct knot *a = &knots[count - 2], *b = &knots[count - 1];

		if ((b->move - a->move) * (knot.time - a->time) < (knot.move - a->move) * (b->time - a->time))
			break;
		count--;
	}
	/* Of two knots at one time the lower one counts. */
	if (count && knots[count - 1].time >= knot.time) {
		if (knots[count - 1].move > knot.move)
			knots[count - 1].move = knot.move;
		return count;
	}
	knots[count] = knot;
	return count + 1;
}

/* Returns how far the source may be moved, for the targets of its constraint. */
static double room_of(const struct fathom_logical_clock *clock, const struct end *end, double time)
{
	const struct constraint *constraint = &clock->constraints[end->constraint];
	double room = constraint->earliest - constraint->latency - time;

	return room > 0 ? room : 0;
}

/* Moves the events before a jump towards it. */
static void amortise(struct fathom_logical_clock *clock, struct place *place, const struct jump *jump)
{
	double until = time_of(clock, place, jump->number) - jump->length, from = until - jump->length / slope;
	uint64_t low = 0, high = jump->number, i;
	size_t e = 0, last, knots = 0, k = 0;

	while (low < high) {	/* the first event behind from */
		uint64_t middle = low + (high - low) / 2;

		if (time_of(clock, place, middle) <= from)
			low = middle + 1;
		else
			high = middle;
	}
	for (last = place->end_count; e < last;) {	/* its first end */
		size_t middle = e + (last - e) / 2;

		if (place->ends[middle].number < low)
			e = middle + 1;
		else
			last = middle;
	}
	clock->knots = fathom_tool_grow(clock->knots, 0, &clock->knot_room, sizeof(*clock->knots));
	knots = add_knot(clock->knots, knots, (struct knot){ from, 0 });
	for (; e < place->end_count && place->ends[e].number < jump->number; e++) {
		double time = time_of(clock, place, place->ends[e].number), line, room;

		if (place->ends[e].is_target)
			continue;
		line = jump->length * (1 - (until - time) / (until - from));
		room = room_of(clock, &place->ends[e], time);
		if (room >= line)
			continue;
		clock->knots = fathom_tool_grow(clock->knots, knots + 1, &clock->knot_room, sizeof(*clock->knots));
		knots = add_knot(clock->knots, knots, (struct knot){ time, room });
	}
	clock->knots = fathom_tool_grow(clock->knots, knots + 1, &clock->knot_room, sizeof(*clock->knots));
	knots = add_knot(clock->knots, knots, (struct knot){ until, jump->length });
	for (i = low; i < jump->number && knots > 1; i++) {
		double time = time_of(clock, place, i);
		const struct knot *a, *b;

		while (k + 2 < knots && clock->knots[k + 1].time <= time)
			k++;
		a = &clock->knots[k];
		b = &clock->knots[k + 1];
		if (time > b->time)
			time = b->time;
		place->moves[i] += a->move + (b->move - a->move) * (time - a->time) / (b->time - a->time);
	}
}

/* --- all of it ------------------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
	const struct end *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return x->constraint < y->constraint ? -1 : x->constraint > y->constraint;
}

/* Returns the number of targets that are earlier than a source of their constraint; with the moves so far. */
static uint64_t count_violations(struct fathom_logical_clock *clock)
{
	uint64_t count = 0;
	size_t i, e;

	for (i = 0; i < clock->constraint_count; i++)
		clock->constraints[i].latest = -1e300;
	for (i = 0; i < clock->place_count; i++) {
		const struct place *place = &clock->places[i];

		for (e = 0; e < place->end_count; e++) {
			struct constraint *constraint = &clock->constraints[place->ends[e].constraint];
			double time = time_of(clock, place, place->ends[e].number);

			if (!place->ends[e].is_target && time > constraint->latest)
				constraint->latest = time;
		}
	}
	for (i = 0; i < clock->place_count; i++) {
		const struct place *place = &clock->places[i];

		for (e = 0; e < place->end_count; e++)
			count += place->ends[e].is_target && time_of(clock, place, place->ends[e].number) <
				 clock->constraints[place->ends[e].constraint].latest;
	}
	return count;
}

struct fathom_logical_clock_result fathom_logical_clock_correct(struct fathom_logical_clock *clock)
{
	static const double first_gs[] = { 0.99999, 0.9999, 0.999 };
	struct fathom_logical_clock_result result = { 0 };
	double error;
	uint64_t i;
	size_t p, j;

	for (p = 0; p < clock->place_count; p++) {
		struct place *place = &clock->places[p];

		memset(place->moves, 0, place->count * sizeof(*place->moves));
		if (place->end_count)
			qsort(place->ends, place->end_count, sizeof(*place->ends), by_number);
	}
	result.violations = count_violations(clock);
	do {
		result.g = result.passes < 3 ? first_gs[result.passes] : 0.9 * result.g;
		error = pass_forward(clock, result.g);
		result.passes++;
	} while (error > error_allowed && result.passes < MOST_PASSES);
	for (p = 0; p < clock->place_count; p++)
		for (j = 0; j < clock->places[p].jump_count; j++)
			amortise(clock, &clock->places[p], &clock->places[p].jumps[j]);
	result.left = count_violations(clock);
	for (p = 0; p < clock->place_count; p++)
		for (i = 0; i < clock->places[p].count; i++)
			if (clock->places[p].moves[i] > result.most)
				result.most = clock->places[p].moves[i];
	return result;
}
