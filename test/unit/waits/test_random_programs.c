/*
 * Random programs: a small generator plays messages and collective operations of some ranks, with times that fit
 * together, and writes their logs. What the search finds in them, on any number of hosts, is compared with a slow
 * reference that knows from the generator who sent to whom, and that looks at all operations at once.
 */
#include "unit_test.h"

#include <math.h>
#include <unistd.h>

#include "define/collective.h"
#include "made_logs.h"
#include "simulated_comm.h"

enum { MOST_RANKS = 9, MOST_OPS = 700, MOST_LINKS = 24, MOST_SPANS = 2 * MOST_OPS, CALLS = 10, WORK = 14, WORK_PATHS = 6 };

/* A message or a wait that an operation takes part in. */
struct link {
	int rank, op;		/* the other end */
};

struct op {
	int path;
	uint32_t record;
	double enter, leave;
	int sends[MOST_LINKS], send_count;	/* messages that begin here, */
	int done[MOST_LINKS], done_count;	/* sends that are complete, */
	int receives[MOST_LINKS], receive_count;	/* messages that arrive */
	int collective;		/* index, -1: none */
	double wait;
	enum fathom_waits_pattern pattern;
	struct link cause;
	int waiter;		/* rank of those that wait for it; -1: none, -2: several */
	double cost, scale, delay, earlier, propagated;
	bool has_cost;
};

struct message {
	int from, to, tag, comm;
	int send, post, receive, done;	/* operations */
};

struct meeting {
	int operation, root, comm;
	int ops[MOST_RANKS];	/* by rank; -1: no member */
};

struct span {			/* a time in which a rank computes */
	int path;
	double begin, end;
};

static struct {
	int ranks;
	double now[MOST_RANKS];
	struct op ops[MOST_RANKS][MOST_OPS];
	int op_count[MOST_RANKS];
	struct span spans[MOST_RANKS][MOST_SPANS];
	int span_count[MOST_RANKS];
	struct message messages[4 * MOST_OPS];
	int message_count;
	struct meeting meetings[MOST_OPS];
	int meeting_count;
	bool members[2][MOST_RANKS];	/* by communicator */
	uint64_t chance;
	struct made_program *program;
	double expected[MOST_RANKS][MADE_PATHS][FATHOM_WAITS_PATTERNS];
	double alone[MOST_RANKS][MADE_PATHS][FATHOM_WAITS_PATTERNS];	/* what one host found */
} world;

/* --- the generator ------------------------------------------------------------------------------------- */

static double a_while(uint32_t most)
{
	return (1 + random_below(&world.chance, most)) * 1e-6;
}

/* The time that the search reads from the log. */
static double exact(double time)
{
	return made_seconds(NULL, NULL, (uint64_t)((time + 1) * 1e6 + 0.5));
}

static void compute(int rank)
{
	for (uint32_t n = random_below(&world.chance, 3); n > 0; n--) {
		struct span *span = &world.spans[rank][world.span_count[rank]++];

		span->path = WORK + (int)random_below(&world.chance, WORK_PATHS);
		span->begin = world.now[rank];
		span->end = world.now[rank] = exact(world.now[rank] + a_while(random_below(&world.chance, 3) ? 99991 :
									       999983));
		made_time(world.program, (uint32_t)rank, (uint64_t)span->path, span->end - span->begin);
	}
}

static int begin_op(int rank, struct fathom_waits_part part)
{
	int index = world.op_count[rank]++;
	struct op *op = &world.ops[rank][index];

	memset(op, 0, sizeof(*op));
	op->path = 1 + (int)random_below(&world.chance, CALLS);
	op->enter = world.now[rank];
	op->collective = -1;
	op->waiter = -1;
	op->record = made_operation(world.program, (uint32_t)rank, (uint64_t)op->path, op->enter, op->enter, part);
	return index;
}

static void end_op(int rank, int index, double leave)
{
	struct op *op = &world.ops[rank][index];

	op->leave = world.now[rank] = exact(leave);
	world.program->logs[rank].records[op->record].end_and_kind = fathom_waits_end_of((uint64_t)((leave + 1) * 1e6 + 0.5));
}

static void play_message(void)
{
	struct message *m = &world.messages[world.message_count];
	struct op *send, *receive;
	double arrival;

	*m = (struct message){ .from = (int)random_below(&world.chance, (uint32_t)world.ranks) };
	m->tag = (int)random_below(&world.chance, 2);
	m->to = (m->from + 1 + (int)random_below(&world.chance, (uint32_t)world.ranks - 1)) % world.ranks;
	compute(m->from);
	compute(m->to);
	m->send = m->done = begin_op(m->from, made_part_of(FATHOM_WAITS_SEND, (uint32_t)m->to, 0, m->tag, 0));
	m->receive = m->post = begin_op(m->to, made_part_of(FATHOM_WAITS_RECEIVE, (uint32_t)m->from, 0, m->tag,
							     made_next(world.program, (uint32_t)m->to)));
	send = &world.ops[m->from][m->send];
	receive = &world.ops[m->to][m->receive];
	arrival = fmax(send->enter, receive->enter);
	end_op(m->to, m->receive, arrival + a_while(50));
	end_op(m->from, m->send, (random_below(&world.chance, 2) ? arrival : send->enter) + a_while(50));
	send->sends[send->send_count++] = send->done[send->done_count++] = world.message_count;
	receive->receives[receive->receive_count++] = world.message_count++;
}

/* Some messages at once: all receives are posted, then all sends, and MPI_Waitall completes them in any order. */
static void play_exchange(void)
{
	int first = world.message_count, count = 2 + (int)random_below(&world.chance, 6), order[8];
	double arrival[MOST_RANKS] = { 0 };

	for (int i = 0; i < count; i++) {
		struct message *m = &world.messages[world.message_count++];

		*m = (struct message){ .from = (int)random_below(&world.chance, (uint32_t)world.ranks), .tag = 7 };
		m->to = (m->from + 1) % world.ranks;
		compute(m->to);
		m->post = begin_op(m->to, made_part_of(FATHOM_WAITS_RECEIVE_POSTED, 0, 0, 0, 0));
		end_op(m->to, m->post, world.now[m->to] + a_while(5));
		order[i] = first + i;
	}
	for (int i = 0; i < count; i++) {
		struct message *m = &world.messages[first + i];
		struct op *send;

		compute(m->from);
		m->send = begin_op(m->from, made_part_of(FATHOM_WAITS_SEND, (uint32_t)m->to, 0, 7, 0));
		end_op(m->from, m->send, world.now[m->from] + a_while(5));
		send = &world.ops[m->from][m->send];
		send->sends[send->send_count++] = first + i;
		arrival[m->to] = fmax(arrival[m->to], send->enter);
		arrival[m->from] = fmax(arrival[m->from], world.ops[m->to][m->post].enter);
	}
	for (int i = count - 1; i > 0; i--) {
		int other = (int)random_below(&world.chance, (uint32_t)i + 1), kept = order[i];

		order[i] = order[other];
		order[other] = kept;
	}
	for (int rank = 0; rank < world.ranks; rank++) {
		int wait = -1;

		for (int i = 0; i < 2 * count; i++) {
			struct message *m = &world.messages[order[i % count]];
			bool is_send = i < count;
			struct fathom_waits_part part;

			if ((is_send ? m->from : m->to) != rank)
				continue;
			part = is_send ? made_part_of(FATHOM_WAITS_SEND_DONE, 0, 0, 0, world.ops[rank][m->send].record) :
			       made_part_of(FATHOM_WAITS_RECEIVE, (uint32_t)m->from, 0, 7, world.ops[rank][m->post].record);
			if (wait < 0) {
				compute(rank);
				wait = begin_op(rank, part);
			} else {
				made_part(world.program, (uint32_t)rank, part);
			}
			if (is_send) {
				m->done = wait;
				world.ops[rank][wait].done[world.ops[rank][wait].done_count++] = order[i % count];
			} else {
				m->receive = wait;
				world.ops[rank][wait].receives[world.ops[rank][wait].receive_count++] = order[i % count];
			}
		}
		if (wait >= 0)
			end_op(rank, wait, fmax(world.now[rank], arrival[rank]) + a_while(50));
	}
}

static void play_collective(void)
{
	static const int operations[] = { FATHOM_COLLECTIVE_BARRIER, FATHOM_COLLECTIVE_ALLREDUCE, FATHOM_COLLECTIVE_BCAST,
					  FATHOM_COLLECTIVE_REDUCE, FATHOM_COLLECTIVE_SCAN };
	struct meeting *meeting = &world.meetings[world.meeting_count];
	int position = 0, count = 0, root_position, chosen;
	double last = 0, root_begin = 0;

	meeting->operation = operations[random_below(&world.chance, 5)];
	meeting->comm = world.ranks > 2 ? (int)random_below(&world.chance, 2) : 0;
	for (int r = 0; r < world.ranks; r++)
		count += world.members[meeting->comm][r];
	chosen = meeting->operation == FATHOM_COLLECTIVE_BCAST || meeting->operation == FATHOM_COLLECTIVE_REDUCE ?
		 (int)random_below(&world.chance, (uint32_t)count) : -1;
	meeting->root = -1;
	for (int r = 0; r < world.ranks; r++) {
		meeting->ops[r] = -1;
		if (!world.members[meeting->comm][r])
			continue;
		if (position++ == chosen)
			meeting->root = r;
		compute(r);
		root_position = chosen < 0 ? (int)FATHOM_WAITS_NO_PEER : chosen;
		meeting->ops[r] = begin_op(r, made_part_of(FATHOM_WAITS_COLLECTIVE, (uint32_t)root_position,
							   (uint32_t)meeting->comm, meeting->operation,
							   made_next(world.program, (uint32_t)r)));
		world.ops[r][meeting->ops[r]].collective = world.meeting_count;
		last = fmax(last, world.now[r]);
		if (meeting->root == r)
			root_begin = world.now[r];
	}
	for (int r = 0; r < world.ranks; r++) {
		double until = world.now[r];

		if (meeting->ops[r] < 0)
			continue;
		if (meeting->operation == FATHOM_COLLECTIVE_BCAST)
			until = fmax(until, root_begin);
		else if (meeting->operation == FATHOM_COLLECTIVE_REDUCE)
			until = r == meeting->root ? last : until;
		else if (meeting->operation != FATHOM_COLLECTIVE_SCAN)
			until = last;
		else
			for (int b = 0; b < r; b++)
				if (meeting->ops[b] >= 0)
					until = fmax(until, world.ops[b][meeting->ops[b]].enter);
		end_op(r, meeting->ops[r], until + a_while(50));
	}
	world.meeting_count++;
}

static void play(int ranks, int steps, uint64_t seed)
{
	static uint32_t some[MOST_RANKS];
	uint32_t some_count = 0;

	memset(&world, 0, sizeof(world));
	world.ranks = ranks;
	world.chance = seed;
	world.program = made_create((uint32_t)ranks, 1);
	for (int r = 0; r < ranks; r++) {
		world.members[0][r] = true;
		world.members[1][r] = r % 3 != 1;
		if (world.members[1][r])
			some[some_count++] = (uint32_t)r;
	}
	made_communicator(world.program, some, some_count);
	for (int i = 0; i < steps; i++) {
		uint32_t kind = random_below(&world.chance, 10);

		if (kind < 5)
			play_message();
		else if (kind < 8)
			play_exchange();
		else
			play_collective();
	}
	for (int r = 0; r < ranks; r++) {
		compute(r);
		end_op(r, begin_op(r, made_part_of(FATHOM_WAITS_NOTHING, 0, 0, 0, 0)), world.now[r]);
		assert_in_range(world.op_count[r], 0, MOST_OPS - 20);
		assert_in_range(made_next(world.program, (uint32_t)r), 0, 990);
	}
}

/* --- the reference ------------------------------------------------------------------------------------- */

static void expect(int rank, int path, enum fathom_waits_pattern pattern, double value)
{
	world.expected[rank][path][pattern] += value;
}

static void wait_for(struct op *op, double wait, enum fathom_waits_pattern pattern, int rank, int cause)
{
	if (wait < op->wait || wait <= 0 ||
	    (wait == op->wait && (op->cause.rank < rank || (op->cause.rank == rank && op->cause.op <= cause))))
		return;
	op->wait = wait;
	op->pattern = pattern;
	op->cause = (struct link){ rank, cause };
}

static void judge_messages(int rank, struct op *op)
{
	for (int i = 0; i < op->receive_count; i++) {
		const struct message *m = &world.messages[op->receives[i]];
		double sent = world.ops[m->from][m->send].enter;

		wait_for(op, fmin(sent, op->leave) - op->enter, FATHOM_WAITS_LATE_SENDER, m->from, m->send);
	}
	if (op->wait > 0)
		return;
	for (int i = 0; i < op->done_count; i++) {
		const struct message *m = &world.messages[op->done[i]];
		double asked = world.ops[m->to][m->post].enter;

		if (op->leave > asked && m->from == rank)
			wait_for(op, asked - op->enter, FATHOM_WAITS_LATE_RECEIVER, m->to, m->post);
	}
	/* A send that was begun here and is complete later may also have blocked. */
	for (int i = 0; i < op->send_count; i++) {
		const struct message *m = &world.messages[op->sends[i]];
		double asked = world.ops[m->to][m->post].enter;

		if (op->leave > asked)
			wait_for(op, asked - op->enter, FATHOM_WAITS_LATE_RECEIVER, m->to, m->post);
	}
}

/* The latest of the members of a meeting below a rank, without another one. */
static int latest(const struct meeting *meeting, int below, int without)
{
	int found = -1;

	for (int r = 0; r < below; r++)
		if (meeting->ops[r] >= 0 && r != without &&
		    (found < 0 || world.ops[r][meeting->ops[r]].enter > world.ops[found][meeting->ops[found]].enter))
			found = r;
	return found;
}

static void judge_meeting(int rank, struct op *op)
{
	const struct meeting *meeting = &world.meetings[op->collective];
	int last = latest(meeting, world.ranks, -1), cause = -1;
	enum fathom_waits_pattern pattern = FATHOM_WAITS_BARRIER_WAIT;
	double first_end = INFINITY, begin = world.ops[last][meeting->ops[last]].enter;

	for (int r = 0; r < world.ranks; r++)
		if (meeting->ops[r] >= 0)
			first_end = fmin(first_end, world.ops[r][meeting->ops[r]].leave);
	switch (meeting->operation) {
	case FATHOM_COLLECTIVE_ALLREDUCE:
		pattern = FATHOM_WAITS_NXN_WAIT;
		/* fall through */
	case FATHOM_COLLECTIVE_BARRIER:
		cause = last;
		expect(rank, op->path, pattern + 1, fmax(0, op->leave - fmax(first_end, fmin(begin, op->leave))));
		break;
	case FATHOM_COLLECTIVE_BCAST:
		pattern = FATHOM_WAITS_LATE_BROADCAST;
		cause = rank == meeting->root ? -1 : meeting->root;
		break;
	case FATHOM_COLLECTIVE_REDUCE:
		pattern = FATHOM_WAITS_EARLY_REDUCE;
		cause = rank == meeting->root ? latest(meeting, world.ranks, rank) : -1;
		break;
	default:
		pattern = FATHOM_WAITS_EARLY_SCAN;
		cause = latest(meeting, rank, -1);
	}
	if (cause >= 0)
		wait_for(op, fmin(world.ops[cause][meeting->ops[cause]].enter, op->leave) - op->enter, pattern, cause,
			 meeting->ops[cause]);
}

/* The late sender of an operation is in wrong order if a later one received what was sent before. */
static enum fathom_waits_pattern order_of(int rank, int index)
{
	const struct op *op = &world.ops[rank][index];
	double late = world.ops[op->cause.rank][op->cause.op].enter;

	for (int i = index + 1; i < world.op_count[rank]; i++) {
		const struct op *later = &world.ops[rank][i];
		double earliest = INFINITY;
		int from = -1;

		for (int j = 0; j < later->receive_count; j++) {
			const struct message *m = &world.messages[later->receives[j]];

			if (world.ops[m->from][m->send].enter < earliest ||
			    (world.ops[m->from][m->send].enter == earliest && m->from < from)) {
				earliest = world.ops[m->from][m->send].enter;
				from = m->from;
			}
		}
		if (earliest < late)
			return from == op->cause.rank ? FATHOM_WAITS_WRONG_ORDER_SAME : FATHOM_WAITS_WRONG_ORDER_DIFFERENT;
	}
	return FATHOM_WAITS_LATE_SENDER;
}

static bool has_delay(const struct op *op)
{
	return op->wait > 0;
}

static bool is_common(int rank, const struct op *op, int other)
{
	if (op->collective >= 0)
		return world.members[world.meetings[op->collective].comm][other];
	return (has_delay(op) && op->cause.rank == other) || op->waiter == other || op->waiter == -2 || rank == other;
}

/* Time of a rank by call path since its last synchronisation with another one before an operation; returns the first
 * operation that lies in it. */
static int time_before(int rank, int index, int other, double times[MADE_PATHS])
{
	double begin = 0;
	int first = index;

	memset(times, 0, MADE_PATHS * sizeof(*times));
	while (first > 0 && !is_common(rank, &world.ops[rank][first - 1], other))
		first--;
	if (first > 0) {
		const struct op *op = &world.ops[rank][first - 1];

		begin = op->leave;
		times[op->path] += op->leave - op->enter - (has_delay(op) ? op->wait : 0);
	}
	for (int i = first; i < index; i++) {
		const struct op *op = &world.ops[rank][i];

		times[op->path] += op->leave - op->enter - (has_delay(op) ? op->wait : 0);
	}
	for (int s = 0; s < world.span_count[rank]; s++) {
		const struct span *span = &world.spans[rank][s];

		if (span->begin >= begin - 1e-9 && span->end <= world.ops[rank][index].enter + 1e-9)
			times[span->path] += span->end - span->begin;
	}
	return first;
}

/* What an operation waited caused later: recursively, from the operations that waited for its rank later. */
static double cost_of(int rank, int index)
{
	struct op *op = &world.ops[rank][index];
	double times[MADE_PATHS];

	if (op->has_cost)
		return op->cost;
	op->has_cost = true;
	for (int r = 0; r < world.ranks; r++) {
		for (int i = 0; i < world.op_count[r]; i++) {
			struct op *later = &world.ops[r][i];
			int first;

			if (!has_delay(later) || later->cause.rank != rank || later->cause.op <= index)
				continue;
			first = time_before(rank, later->cause.op, r, times);
			if (first > index || later->delay + later->earlier <= 0)
				continue;
			op->cost += (later->scale + cost_of(r, i) / (later->delay + later->earlier)) * op->wait;
			op->propagated = fmax(op->propagated, later->scale * op->wait);
		}
	}
	return op->cost;
}

static enum fathom_waits_pattern delay_of(enum fathom_waits_pattern pattern)
{
	return pattern == FATHOM_WAITS_LATE_SENDER ? FATHOM_WAITS_DELAY_LATE_SENDER_SHORT :
	       pattern == FATHOM_WAITS_LATE_RECEIVER ? FATHOM_WAITS_DELAY_LATE_RECEIVER_SHORT :
	       pattern == FATHOM_WAITS_NXN_WAIT ? FATHOM_WAITS_DELAY_N2N_SHORT :
	       pattern == FATHOM_WAITS_LATE_BROADCAST ? FATHOM_WAITS_DELAY_12N_SHORT :
	       pattern == FATHOM_WAITS_EARLY_REDUCE ? FATHOM_WAITS_DELAY_N21_SHORT :
	       pattern == FATHOM_WAITS_EARLY_SCAN ? FATHOM_WAITS_DELAY_SCAN_SHORT : FATHOM_WAITS_DELAY_BARRIER_SHORT;
}

static void delays_of(int rank, struct op *op, double delays[MADE_PATHS])
{
	double mine[MADE_PATHS];
	int first = time_before(op->cause.rank, op->cause.op, rank, delays);
	int index = (int)(op - world.ops[rank]);

	time_before(rank, index, op->cause.rank, mine);
	op->delay = op->earlier = 0;
	for (int p = 0; p < MADE_PATHS; p++)
		op->delay += delays[p] = fmax(0, delays[p] - mine[p]);
	for (int i = first; i < op->cause.op; i++)
		if (has_delay(&world.ops[op->cause.rank][i]))
			op->earlier += world.ops[op->cause.rank][i].wait;
	op->scale = op->delay + op->earlier > 0 ? fmin(1, op->wait / (op->delay + op->earlier)) : 0;
}

static void follow_path(int rank, double lengths[MOST_RANKS][MADE_PATHS])
{
	int index = world.op_count[rank];
	double end = world.now[rank];

	for (;;) {
		const struct op *op = NULL;
		double begin = 0;

		while (index > 0 && !op)
			if (world.ops[rank][--index].wait > 0)
				op = &world.ops[rank][index];
		if (op)
			begin = op->enter + op->wait;
		for (int i = 0; i < world.op_count[rank]; i++) {
			const struct op *other = &world.ops[rank][i];

			lengths[rank][other->path] += fmax(0, fmin(end, other->leave) - fmax(begin, other->enter));
		}
		for (int s = 0; s < world.span_count[rank]; s++) {
			const struct span *span = &world.spans[rank][s];

			lengths[rank][span->path] += fmax(0, fmin(end, span->end) - fmax(begin, span->begin));
		}
		if (!op)
			return;
		rank = op->cause.rank;
		index = op->cause.op;
		end = world.ops[rank][index].enter;
	}
}

static void find_expected(void)
{
	static double lengths[MOST_RANKS][MADE_PATHS];
	int last = 0;

	for (int r = 0; r < world.ranks; r++) {
		for (int i = 0; i < world.op_count[r]; i++) {
			struct op *op = &world.ops[r][i];

			if (op->collective >= 0)
				judge_meeting(r, op);
			else
				judge_messages(r, op);
			if (has_delay(op)) {
				struct op *cause = &world.ops[op->cause.rank][op->cause.op];

				cause->waiter = cause->waiter == -1 || cause->waiter == r ? r : -2;
			}
		}
		if (world.now[r] > world.now[last])
			last = r;
	}
	for (int r = 0; r < world.ranks; r++) {
		for (int i = 0; i < world.op_count[r]; i++) {
			struct op *op = &world.ops[r][i];
			double delays[MADE_PATHS];

			if (op->wait <= 0)
				continue;
			expect(r, op->path, op->pattern == FATHOM_WAITS_LATE_SENDER ? order_of(r, i) : op->pattern, op->wait);
			if (has_delay(op))
				delays_of(r, op, delays);
		}
	}
	for (int r = 0; r < world.ranks; r++) {
		for (int i = 0; i < world.op_count[r]; i++) {
			struct op *op = &world.ops[r][i];
			double delays[MADE_PATHS], all, indirect;

			if (!has_delay(op))
				continue;
			delays_of(r, op, delays);
			cost_of(r, i);
			all = op->delay + op->earlier;
			for (int p = 0; p < MADE_PATHS && all > 0; p++) {
				expect(op->cause.rank, p, delay_of(op->pattern), op->scale * delays[p]);
				expect(op->cause.rank, p, delay_of(op->pattern) + 1, op->cost / all * delays[p]);
			}
			indirect = all > 0 ? fmin(op->wait * op->earlier / all, op->earlier) : 0;
			expect(r, op->path, FATHOM_WAITS_INDIRECT, indirect);
			expect(r, op->path, FATHOM_WAITS_DIRECT, op->wait - indirect);
			expect(r, op->path, FATHOM_WAITS_PROPAGATING, op->propagated);
			expect(r, op->path, FATHOM_WAITS_TERMINAL, op->wait - op->propagated);
		}
	}
	memset(lengths, 0, sizeof(lengths));
	follow_path(last, lengths);
	for (int r = 0; r < world.ranks; r++)
		for (int p = 0; p < MADE_PATHS; p++)
			expect(r, p, FATHOM_WAITS_CRITICAL_PATH, lengths[r][p]);
}

/* --- the comparison ------------------------------------------------------------------------------------ */

static bool is_compared(int pattern)
{
	return (pattern < FATHOM_WAITS_COUNT_LATE_SENDER ||
		(pattern >= FATHOM_WAITS_DELAY && pattern <= FATHOM_WAITS_CRITICAL_PATH)) &&
	       !fathom_waits_pattern_info((enum fathom_waits_pattern)pattern)->is_group;
}

static void compare(uint64_t seed, uint32_t hosts)
{
	for (int r = 0; r < world.ranks; r++) {
		for (int p = 0; p < MADE_PATHS; p++) {
			for (int pattern = 0; pattern < FATHOM_WAITS_PATTERNS; pattern++) {
				double found = world.program->results[r][p][pattern];
				double expected = world.expected[r][p][pattern], alone = world.alone[r][p][pattern];

				/* Long-term costs may be large multiples of small differences of times. */
				if ((!is_compared(pattern) || fabs(found - expected) < 1e-6 * fmax(1, expected)) &&
				    (hosts == 1 || fabs(found - alone) < 1e-9 * fmax(1, alone)))
					continue;
				print_error("seed %llu, %u hosts: rank %d, path %d, %s: %.9f, not %.9f\n", (unsigned long long)seed,
					    hosts, r, p, fathom_waits_pattern_info((enum fathom_waits_pattern)pattern)->name, found,
					    expected);
				fail();
			}
		}
	}
}

static void random_programs_have_the_results_of_the_reference(void **state)
{
	static const uint32_t hosts[] = { 1, 2, 3, 7 };

	(void)state;
	for (uint64_t seed = 1; seed <= (UNDER_SANITIZER ? 40 : 400); seed++) {
		play(2 + (int)(seed % 8), (int)(4 + seed % 100), seed * 77);
		find_expected();
		for (int h = 0; h < 4 && hosts[h] <= (uint32_t)world.ranks; h++) {
			assert_int_equal(made_search(world.program, hosts[h]), 0);
			assert_int_equal(world.program->summary.unmatched_sends + world.program->summary.unmatched_receives +
					 world.program->summary.incomplete_collectives, 0);
			assert_int_equal(world.program->summary.forced, 0);
			assert_int_equal(world.program->summary.messages, world.message_count);
			assert_true(fabs(world.program->summary.delays + world.program->summary.unexplained -
					 world.program->summary.waiting) < 1e-6);
			if (h == 0)
				memcpy(world.alone, world.program->results, (size_t)world.ranks * sizeof(*world.alone));
			compare(seed, hosts[h]);
		}
		made_destroy(world.program);
	}
	assert_false(simulated_mismatches);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_programs_have_the_results_of_the_reference),
	};

	alarm(300);	/* a host that waits for ever */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
