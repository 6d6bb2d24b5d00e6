#include "comm/clock_sync.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platform/arena.h"

/* The largest difference of two crystal oscillators. Clocks that differ by more have different units, or are not
 * driven by a crystal. */
#define MOST_DRIFT 1e-4

/* A measurement ends when this many messages in a row have not narrowed the interval, or after MOST_PINGS. While the
 * interval is longer than FINE_SECONDS, which is more than the messages of two idle processes take, the processes wait
 * for a processor; then the measurement goes on until it has lasted PATIENT_SECONDS. */
enum { IN_VAIN = 10, MOST_PINGS = 200 };
#define FINE_SECONDS 4e-6
#define PATIENT_SECONDS 0.05

/* Lists are sent in pieces, so that a process that only forwards them needs no memory. */
enum { PIECE = 64 };

/* Returns the integer nearest to a number. Not llrint(): libfathom needs no mathematical library. */
static int64_t nearest(double number)
{
	return (int64_t)(number < 0 ? number - 0.5 : number + 0.5);
}

static uint64_t now(struct fathom_clock_sync *sync)
{
	return sync->clock.now(sync->clock.context);
}

uint64_t fathom_clock_sync_name(bool reads_counter)
{
	uint64_t name = reads_counter ? 0x9e3779b97f4a7c15u : 0xcbf29ce484222325u;
	char text[256] = "";
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		gethostname(text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	for (const char *at = text; *at; at++)
		name = (name ^ (unsigned char)*at) * 0x100000001b3u;
	return name;
}

/* --- the processes that share a clock ---------------------------------------------------------------- */

/* A clock, and the first rank that has it. */
struct owner {
	uint64_t identity;
	uint64_t rank;
};

/* The owners of a rank and of the ranks below it in the tree, in the order of ranks. */
struct owners {
	struct fathom_arena arena;
	struct owner *list;
	uint64_t count;
	uint64_t room;
	int err;			/* -ENOMEM here or below */
};

/* A parent's answer to a child that asks whether both share a clock. */
struct claim {
	uint64_t name;
	uint64_t identity;
	uint64_t now;
	uint64_t fits;			/* whether the child's clock was not ahead of the parent's */
};

/* Returns the identity of a clock that turned out to be different from other clocks with the same name. */
static uint64_t separate_identity(const struct fathom_clock_sync *sync, const struct fathom_comm *comm)
{
	return (sync->clock.name ^ (uint64_t)comm->rank) * 0x9e3779b97f4a7c15u + 1;
}

/* Checks whether this process has the parent's clock. Two hosts may have clocks of the same name; a message between
 * processes with one clock never arrives before it was sent. */
static int compare_to_parent(struct fathom_clock_sync *sync, struct fathom_comm *comm, int parent)
{
	struct claim claim;
	uint64_t ticks = now(sync);
	int err = comm->send(comm, parent, &ticks, sizeof(ticks));

	if (!err)
		err = comm->receive(comm, parent, &claim, sizeof(claim));
	if (err)
		return err;
	if (claim.name == sync->clock.name)
		sync->identity = claim.fits && claim.now <= now(sync) ? claim.identity : separate_identity(sync, comm);
	return 0;
}

static int compare_to_child(struct fathom_clock_sync *sync, struct fathom_comm *comm, int child)
{
	struct claim claim = { .name = sync->clock.name, .identity = sync->identity };
	uint64_t ticks;
	int err = comm->receive(comm, child, &ticks, sizeof(ticks));

	if (err)
		return err;
	claim.now = now(sync);
	claim.fits = ticks <= claim.now;
	return comm->send(comm, child, &claim, sizeof(claim));
}

static void add_owner(struct owners *owners, struct owner owner)
{
	for (uint64_t i = 0; i < owners->count; i++)
		if (owners->list[i].identity == owner.identity)
			return;
	if (owners->count == owners->room) {
		uint64_t room = owners->room ? owners->room * 2 : PIECE;
		struct owner *list = fathom_arena_alloc(&owners->arena, room * sizeof(*list));

		if (!list) {
			owners->err = -ENOMEM;
			return;
		}
		if (owners->count)
			memcpy(list, owners->list, owners->count * sizeof(*list));
		owners->list = list;
		owners->room = room;
	}
	owners->list[owners->count++] = owner;
}

/* Sends the length of the list (UINT64_MAX: the list is not complete), then the list in pieces. */
static int send_owners(struct owners *owners, struct fathom_comm *comm, int parent)
{
	uint64_t count = owners->err ? UINT64_MAX : owners->count;
	int err = comm->send(comm, parent, &count, sizeof(count));

	for (uint64_t i = 0; !err && !owners->err && i < count; i += PIECE) {
		uint64_t part = count - i < PIECE ? count - i : PIECE;

		err = comm->send(comm, parent, owners->list + i, part * sizeof(struct owner));
	}
	return err;
}

static int receive_owners(struct owners *owners, struct fathom_comm *comm, int child)
{
	struct owner piece[PIECE];
	uint64_t count;
	int err = comm->receive(comm, child, &count, sizeof(count));

	if (!err && count == UINT64_MAX) {
		owners->err = -ENOMEM;
		return 0;
	}
	for (uint64_t i = 0; !err && i < count; i += PIECE) {
		uint64_t part = count - i < PIECE ? count - i : PIECE;

		err = comm->receive(comm, child, piece, part * sizeof(*piece));
		for (uint64_t p = 0; !err && p < part; p++)
			add_owner(owners, piece[p]);
	}
	return err;
}

/* Finds the position of this process in the tree over the owners, which is built over their numbers as the binomial
 * tree over ranks. Called for each owner, in the order of numbers. latest[b] is the rank of the newest owner whose
 * number is a multiple of 2^b; the parent of a number is the newest multiple of twice its lowest bit. */
static void find_position(struct fathom_clock_sync *sync, const struct fathom_comm *comm, const struct owner *owner,
			  uint32_t number, int latest[33])
{
	unsigned bit = number ? (unsigned)__builtin_ctz(number) : 32;

	if (owner->identity == sync->identity) {
		sync->number = number;
		sync->represents = owner->rank == (uint64_t)comm->rank;
		sync->parent = number ? latest[bit + 1] : -1;
	} else if (sync->represents && number && (number & (number - 1)) == sync->number) {
		sync->children[sync->child_count++] = (int)owner->rank;
	}
	for (unsigned b = 0; b <= bit; b++)
		latest[b] = (int)owner->rank;
}

/* Rank 0 sends its list to all, and each process finds its clock in the list. */
static int spread_owners(struct fathom_clock_sync *sync, struct fathom_comm *comm, const struct owners *owners)
{
	struct owner piece[PIECE];
	uint64_t count = owners->err ? 0 : owners->count;
	int latest[33] = { 0 }, err = comm->broadcast(comm, 0, &count, sizeof(count));

	for (uint64_t i = 0; !err && i < count; i += PIECE) {
		uint64_t part = count - i < PIECE ? count - i : PIECE;

		if (comm->rank == 0)
			memcpy(piece, owners->list + i, part * sizeof(*piece));
		err = comm->broadcast(comm, 0, piece, part * sizeof(*piece));
		for (uint64_t p = 0; !err && p < part; p++)
			find_position(sync, comm, &piece[p], (uint32_t)(i + p), latest);
	}
	sync->clock_count = (uint32_t)count;
	return err;
}

static int find_owners(struct fathom_clock_sync *sync, struct fathom_comm *comm)
{
	struct owners owners = { .count = 0 };
	int children[32], parent, count = fathom_comm_tree(comm->rank, comm->size, &parent, children), err = 0;

	sync->parent = -1;
	sync->identity = sync->clock.name;
	if (parent >= 0)
		err = compare_to_parent(sync, comm, parent);
	for (int c = count - 1; !err && c >= 0; c--)
		err = compare_to_child(sync, comm, children[c]);
	add_owner(&owners, (struct owner){ sync->identity, (uint64_t)comm->rank });
	for (int c = 0; !err && c < count; c++)
		err = receive_owners(&owners, comm, children[c]);
	if (!err && parent >= 0)
		err = send_owners(&owners, comm, parent);
	if (!err)
		err = spread_owners(sync, comm, &owners);
	fathom_arena_fini(&owners.arena);
	return err;
}

/* --- measuring ----------------------------------------------------------------------------------- */

/* A message from the process that measures. */
struct ping {
	uint64_t go_on;			/* 0: the measurement is over, the other members are its result */
	struct fathom_clock_sync_point point;
	double reference_rate;
};

/* The answer: the times when the ping came, and when the answer left. */
struct pong {
	uint64_t came, leaves;
	double rate;
};

/* Returns how many ticks a clock of this rate counts for one tick of the other. 1 if the rates differ only as much as
 * crystals do: a short measurement cannot determine such a difference. */
static double ticks_for_one(double rate, double of_rate)
{
	double ratio = rate / of_rate;

	return __builtin_fabs(ratio - 1) < MOST_DRIFT ? 1 : ratio;
}

/* Returns the reference's time for a time of this process's clock that is not long after the measurement. */
static uint64_t reference_time(const struct fathom_clock_sync *sync, const struct fathom_clock_sync_point *point,
			       uint64_t ticks)
{
	double since = (double)(int64_t)(ticks - point->ticks);
	double ratio = ticks_for_one(sync->reference_rate, sync->rate);

	return ticks + (uint64_t)point->offset + (uint64_t)nearest(since * (ratio - 1));
}

/* The bounds of the other clock's offset to this process's clock. Times of the other clock are converted to ticks of
 * this clock, counted from the other clock's first time on. */
struct window {
	uint64_t origin;		/* the first time of the other clock */
	double ratio;			/* ticks of this clock for one of the other's */
	int64_t lower, upper;
};

static uint64_t in_our_ticks(const struct window *window, uint64_t ticks)
{
	if (window->ratio == 1)
		return ticks;
	return window->origin + (uint64_t)nearest((double)(ticks - window->origin) * window->ratio);
}

/* Narrows the window by one ping and its answer. Returns true if it has become smaller. */
static bool narrow(struct window *window, uint64_t sent, const struct pong *pong, uint64_t came_back)
{
	int64_t lower = (int64_t)(sent - in_our_ticks(window, pong->came));
	int64_t upper = (int64_t)(came_back - in_our_ticks(window, pong->leaves));
	bool better = lower > window->lower || upper < window->upper;

	if (lower > window->lower)
		window->lower = lower;
	if (upper < window->upper)
		window->upper = upper;
	return better;
}

/* Returns whether the measurement that began at begin is over, after as many messages in a row in vain. */
static bool is_over(struct fathom_clock_sync *sync, const struct window *window, int in_vain, uint64_t begin)
{
	return in_vain >= IN_VAIN && ((double)(window->upper - window->lower) <= FINE_SECONDS * sync->rate ||
				      (double)(now(sync) - begin) > PATIENT_SECONDS * sync->rate);
}

static int ping_child(struct fathom_clock_sync *sync, struct fathom_comm *comm, int child, int which)
{
	const struct fathom_clock_sync_point *own_point = &sync->points[which];
	struct window window = { .lower = INT64_MIN, .upper = INT64_MAX };
	struct ping ping = { .go_on = 1 };
	struct pong pong = { .came = 0 };
	uint64_t begin = now(sync), middle;
	int err = 0;

	for (int in_vain = 0, pings = 0; !err && !is_over(sync, &window, in_vain, begin) && pings < MOST_PINGS;
	     pings++) {
		uint64_t sent = now(sync), back;

		err = comm->send(comm, child, &ping, sizeof(ping));
		if (!err)
			err = comm->receive(comm, child, &pong, sizeof(pong));
		back = now(sync);
		if (!pings) {
			window.origin = pong.came;
			window.ratio = ticks_for_one(sync->rate, pong.rate);
		}
		in_vain = narrow(&window, sent, &pong, back) ? 0 : in_vain + 1;
	}
	if (err)
		return err;
	/* If clocks drift, it is possible that no offset fits all messages: then the upper bound is below the lower
	 * one, and the error is their distance. */
	middle = in_our_ticks(&window, pong.leaves) + (uint64_t)(window.lower + (window.upper - window.lower) / 2);
	ping.go_on = 0;
	ping.point.ticks = pong.leaves;
	ping.point.offset = (int64_t)(reference_time(sync, own_point, middle) - pong.leaves);
	ping.point.error = own_point->error + (uint64_t)llabs(window.upper - window.lower) / 2 + 1;
	ping.reference_rate = sync->reference_rate;
	return comm->send(comm, child, &ping, sizeof(ping));
}

static int answer_parent(struct fathom_clock_sync *sync, struct fathom_comm *comm, int which)
{
	for (;;) {
		struct pong pong = { .rate = sync->rate };
		struct ping ping;
		int err = comm->receive(comm, sync->parent, &ping, sizeof(ping));

		if (err)
			return err;
		pong.came = now(sync);
		if (!ping.go_on) {
			sync->points[which] = ping.point;
			sync->reference_rate = ping.reference_rate;
			return 0;
		}
		pong.leaves = now(sync);
		err = comm->send(comm, sync->parent, &pong, sizeof(pong));
		if (err)
			return err;
	}
}

/* Measures the child with the largest subtree first. */
static int measure(struct fathom_clock_sync *sync, struct fathom_comm *comm, int which)
{
	int err = 0;

	sync->rate = sync->clock.ticks_per_second(sync->clock.context);
	sync->reference_rate = sync->rate;
	sync->points[which] = (struct fathom_clock_sync_point){ .ticks = now(sync) };
	if (sync->clock_count < 2 || !sync->represents)
		return 0;
	comm->is_timed = true;
	if (sync->parent >= 0)
		err = answer_parent(sync, comm, which);
	for (uint32_t c = sync->child_count; !err && c-- > 0;)
		err = ping_child(sync, comm, sync->children[c], which);
	comm->is_timed = false;
	return err;
}

int fathom_clock_sync_begin(struct fathom_clock_sync *sync, struct fathom_comm *comm)
{
	int err = find_owners(sync, comm);

	return err ? err : measure(sync, comm, 0);
}

/* --- the line ------------------------------------------------------------------------------------ */

/*
 * Determines the line through both points. If they differ by more than the sum of their errors, the clocks drift, and
 * the points stay as measured. Otherwise, or if the drift would be larger than that of crystals, the offset is
 * assumed to be constant: the errors of a short run would become a slope that grows with every second before and
 * after it.
 */
static void draw_line(struct fathom_clock_sync *sync)
{
	struct fathom_clock_sync_point *first = &sync->points[0], *last = &sync->points[1];
	double since = (double)(int64_t)(last->ticks - first->ticks);
	double ratio = ticks_for_one(sync->reference_rate, sync->rate);
	int64_t steady = first->offset + nearest(since * (ratio - 1)), moved = last->offset - steady, shift;
	int64_t lower = -(int64_t)first->error, upper = (int64_t)first->error;

	if ((uint64_t)llabs(moved) > first->error + last->error && (double)llabs(moved) <= since * MOST_DRIFT)
		return;
	if (moved - (int64_t)last->error > lower)
		lower = moved - (int64_t)last->error;
	if (moved + (int64_t)last->error < upper)
		upper = moved + (int64_t)last->error;
	shift = lower + (upper - lower) / 2;
	first->error += (uint64_t)llabs(shift);
	last->error += (uint64_t)llabs(moved - shift);
	first->offset += shift;
	last->offset = steady + shift;
}

/* Sends the lines of all clocks below this one in the tree to the parent, in the order of their numbers; rank 0 puts
 * them into list. */
static int collect_lines(struct fathom_clock_sync *sync, struct fathom_comm *comm,
			 struct fathom_clock_sync_point (*list)[2])
{
	struct fathom_clock_sync_point line[2];
	uint32_t number = sync->number, most = number ? number & -number : sync->clock_count, done = 1;
	int err = 0;

	if (most > sync->clock_count - number)
		most = sync->clock_count - number;
	if (sync->parent >= 0)
		err = comm->send(comm, sync->parent, sync->points, sizeof(sync->points));
	for (uint32_t c = 0; !err && c < sync->child_count; c++) {
		uint32_t end = c + 1 < sync->child_count ? 1u << (c + 1) : most;

		for (; !err && done < end; done++) {
			err = comm->receive(comm, sync->children[c], line, sizeof(line));
			if (!err && sync->parent >= 0)
				err = comm->send(comm, sync->parent, line, sizeof(line));
			else if (!err && list)
				memcpy(list[done], line, sizeof(line));
		}
	}
	return err;
}

/* Rank 0 sends the list of lines to all, and each process takes the line of its clock. list is NULL at rank 0 if it
 * has no memory. */
static int spread_lines(struct fathom_clock_sync *sync, struct fathom_comm *comm,
			struct fathom_clock_sync_point (*list)[2])
{
	struct fathom_clock_sync_point piece[PIECE][2];
	uint32_t count = list ? sync->clock_count : 0;
	int err = comm->broadcast(comm, 0, &count, sizeof(count));

	if (!count)
		sync->clock_count = 0;
	for (uint32_t i = 0; !err && i < count; i += PIECE) {
		uint32_t part = count - i < PIECE ? count - i : PIECE;

		if (comm->rank == 0)
			memcpy(piece, list + i, part * sizeof(*piece));
		err = comm->broadcast(comm, 0, piece, part * sizeof(*piece));
		if (!err && sync->number >= i && sync->number < i + part)
			memcpy(sync->points, piece[sync->number - i], sizeof(sync->points));
	}
	return err;
}

static int share_lines(struct fathom_clock_sync *sync, struct fathom_comm *comm)
{
	struct fathom_clock_sync_point (*list)[2] = NULL;
	struct fathom_arena arena = { 0 };
	int err = 0;

	if (comm->rank == 0)
		list = fathom_arena_alloc(&arena, sync->clock_count * sizeof(*list));
	if (list)
		memcpy(list[0], sync->points, sizeof(*list));
	if (sync->represents)
		err = collect_lines(sync, comm, list);
	for (uint32_t i = 0; list && i < sync->clock_count; i++)
		for (int p = 0; p < 2; p++)
			if (list[i][p].error > sync->largest_error)
				sync->largest_error = list[i][p].error;
	if (!err)
		err = spread_lines(sync, comm, list);
	fathom_arena_fini(&arena);
	return err;
}

int fathom_clock_sync_end(struct fathom_clock_sync *sync, struct fathom_comm *comm)
{
	int err = measure(sync, comm, 1);

	if (!err && sync->clock_count > 1) {
		if (sync->represents)
			draw_line(sync);
		err = share_lines(sync, comm);
	}
	if (sync->clock_count < 2)
		sync->points[0].offset = sync->points[1].offset = 0;
	if (sync->points[1].ticks <= sync->points[0].ticks) {
		sync->points[1].ticks = sync->points[0].ticks + 1;
		sync->points[1].offset = sync->points[0].offset;
	}
	return err;
}

int fathom_clock_sync_end_without(struct fathom_clock_sync *sync, struct fathom_comm *comm)
{
	double ratio = ticks_for_one(sync->reference_rate, sync->rate);
	uint64_t second = (uint64_t)(sync->rate > 1 ? sync->rate : 1);
	int err = 0;

	sync->points[1] = sync->points[0];
	sync->points[1].ticks += second;
	sync->points[1].offset += nearest((double)second * (ratio - 1));
	if (sync->clock_count > 1)
		err = share_lines(sync, comm);
	else
		sync->points[0].offset = sync->points[1].offset = 0;
	return err;
}

uint64_t fathom_clock_sync_correct(const struct fathom_clock_sync *sync, uint64_t ticks)
{
	const struct fathom_clock_sync_point *first = &sync->points[0], *last = &sync->points[1];
	double slope = (double)(last->offset - first->offset) / (double)(last->ticks - first->ticks);
	double since = ticks >= first->ticks ? (double)(ticks - first->ticks) : -(double)(first->ticks - ticks);

	return ticks + (uint64_t)first->offset + (uint64_t)nearest(slope * since);
}
