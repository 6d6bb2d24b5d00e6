#include "waits/costs/critical_path.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "waits/costs/digest_sums.h"
#include "waits/costs/interval_map.h"
#include "waits/wait_formulas.h"

/* A piece of the path that goes back from the enter of an operation, or from the end of the location if record is its
 * number of records. */
struct token {
	struct fathom_waits_op_name name;
	uint32_t reserved;
	double end;		/* the path has not been followed before this time */
};

/* Memory is given back after so many records of the path, which goes through a part of the records of each location. */
enum { RELEASE_RECORDS = 16384 };

struct path_search {
	struct fathom_waits_state *state;
	const struct fathom_waits_threads *threads;
	struct fathom_waits_interval interval;
	uint32_t next;		/* the location whose cuts come next */
	uint32_t walked;	/* number of records that the path has gone through */
	bool starts_here;	/* the path ends at the end of the last location */
	uint32_t last;
};

/* --- following the path -------------------------------------------------------------------------------- */

/* Reports the piece of the path between two operations, see add_interval. */
static void report_piece(const struct path_search *search, const struct fathom_waits_location_state *location,
			 uint32_t first, uint32_t last)
{
	const struct fathom_waits_state *state = search->state;
	struct fathom_waits_interval_found found = {
		.process = state->processes[location->process].process,
		.location = location->location,
		.pattern = FATHOM_WAITS_CRITICAL_PATH,
		.begin = location->begin,
		.cause_rank = FATHOM_WAITS_NO_HOST,
	};

	if (!state->input->add_interval)
		return;
	if (first != FATHOM_WAITS_FROM_BEGIN) {
		const struct fathom_waits_op_state *op = &location->ops[first];

		found.begin = fathom_waits_enter(state, location, first);
		found.begin += op->flags & FATHOM_WAITS_HAS_CAUSE ? op->wait : 0;
	}
	found.end = last < location->location->count ? fathom_waits_enter(state, location, last) : location->end;
	if (found.end > found.begin)
		state->input->add_interval(state->input->context, &found);
}

/* Charges the piece of the path from the end of the waiting in the operation first, or from the begin of the location,
 * to the enter of the operation last. 0 or -errno. */
static int add_interval(struct path_search *search, const struct fathom_waits_location_state *location, uint32_t first,
			uint32_t last)
{
	int err = fathom_waits_interval_collect(&search->interval, search->state, location, first, last, true,
						FATHOM_WAITS_WITHOUT_CAUSES);

	for (uint32_t e = 0; e < search->interval.count && !err; e++)
		search->state->paths[search->interval.entries[e].path].critical += search->interval.entries[e].time;
	report_piece(search, location, first, last);
	return err;
}

/* Returns the operation that forked the team that the location joins in an operation. */
static bool fork_of(const struct path_search *search, const struct fathom_waits_location_state *location,
		    uint32_t record, struct fathom_waits_op_name *fork)
{
	const struct fathom_waits_part *part = &location->location->records[record].operation.part;

	return part->kind == FATHOM_WAITS_TEAM_BEGIN &&
	       fathom_waits_threads_fork(search->threads, location->process, part->comm, fork) &&
	       fork->thread != location->thread;
}

static int go_on(struct path_search *search, const struct token *token)
{
	return fathom_waits_send_to(search->state, token->name.rank, FATHOM_WAITS_MAIL_TOKEN, token, sizeof(*token),
				    NULL, 0);
}

static int follow(struct path_search *search, const struct token *token)
{
	struct fathom_waits_state *state = search->state;
	const struct fathom_waits_process_state *process = fathom_waits_process_at(state, token->name.rank);
	const struct fathom_waits_location_state *location;
	uint32_t last = token->name.record;
	struct token next = { 0 };
	double end;

	if (!process || token->name.thread >= process->process->location_count)
		return -EPROTO;
	location = &state->locations[process->first_location + token->name.thread];
	end = last < location->location->count ? fathom_waits_enter(state, location, last) : location->end;
	/* Where clocks are wrong, a cause may be later than its effect. The path then goes on before the effect: its
	 * time must become less, or it would not come to an end. */
	while (end >= token->end && last > 0) {
		last--;
		if (fathom_waits_is_operation(location->location, last))
			end = fathom_waits_enter(state, location, last);
	}
	if (end >= token->end)
		return 0;
	for (uint32_t r = last; r-- > 0;) {
		const struct fathom_waits_op_state *op = &location->ops[r];
		int err;

		if (++search->walked % RELEASE_RECORDS == 0)
			fathom_waits_state_release(state);
		if (!fathom_waits_is_operation(location->location, r))
			continue;
		if (op->flags & FATHOM_WAITS_IS_CUT)
			return add_interval(search, location, r, last);
		if (op->flags & FATHOM_WAITS_HAS_CAUSE && op->wait > 0)
			next.name = op->cause;
		else if (!fork_of(search, location, r, &next.name))
			continue;
		next.end = end;
		err = add_interval(search, location, r, last);
		return err ? err : go_on(search, &next);
	}
	return add_interval(search, location, FATHOM_WAITS_FROM_BEGIN, last);
}

/* --- the beginnings of its pieces ---------------------------------------------------------------------- */

static int work(void *context, bool *is_idle)
{
	struct path_search *search = context;
	struct fathom_waits_state *state = search->state;
	struct fathom_waits_location_state *location;
	int err = 0;

	if (search->starts_here) {
		struct token token = { .end = INFINITY };

		search->starts_here = false;
		location = &state->locations[search->last];
		token.name = fathom_waits_name_of(state, location, location->location->count);
		return go_on(search, &token);
	}
	*is_idle = search->next >= state->location_count;
	if (*is_idle)
		return 0;
	location = &state->locations[search->next++];
	for (uint32_t r = 0; r < location->location->count && !err; r++) {
		struct token token = { .end = INFINITY };

		fathom_waits_release_at(state, location, r);
		if (!fathom_waits_is_operation(location->location, r) ||
		    !(location->ops[r].flags & FATHOM_WAITS_IS_LAST))
			continue;
		token.name = fathom_waits_name_of(state, location, r);
		err = follow(search, &token);
	}
	return err ? err : state->err;
}

static int take_token(void *context, uint32_t type, const void *data, size_t bytes)
{
	struct token token;

	if (type != FATHOM_WAITS_MAIL_TOKEN || bytes != sizeof(token))
		return -EPROTO;
	memcpy(&token, data, sizeof(token));
	return follow(context, &token);
}

/* Decides where the path ends: at a cut by MPI_Finalize, or else at the end of the location that ends last. */
static int choose_end(struct path_search *search)
{
	struct fathom_waits_state *state = search->state;
	double largest[2] = { -INFINITY, 0 }, number;
	int err;

	for (uint32_t l = 0; l < state->location_count; l++) {
		const struct fathom_waits_location_state *location = &state->locations[l];

		if (location->end > largest[0]) {
			largest[0] = location->end;
			search->last = l;
		}
		for (uint32_t r = location->location->count; r > 0 && r + 100 > location->location->count; r--)
			if (fathom_waits_is_operation(location->location, r - 1) &&
			    location->location->records[r - 1].operation.part.kind == FATHOM_WAITS_FINALIZE &&
			    location->ops[r - 1].flags & FATHOM_WAITS_IS_CUT)
				largest[1] = 1;
	}
	number = largest[0];
	err = fathom_waits_mail_largest(state->mail, largest, 2);
	if (err || largest[1] > 0)
		return err;
	/* Of several locations that end at the same time, the one with the lowest rank. */
	number = state->location_count && number == largest[0] ?
		 -(double)state->processes[state->locations[search->last].process].process->rank : -INFINITY;
	largest[0] = number;
	err = fathom_waits_mail_largest(state->mail, largest, 1);
	search->starts_here = !err && number == largest[0] && number > -INFINITY;
	return err;
}

/* --- what it means ------------------------------------------------------------------------------------- */

/* Sums up the time of all call paths that is no waiting, one stretch of the log after the other. */
static int find_times(struct fathom_waits_state *state, struct fathom_waits_interval *interval)
{
	int err = 0;

	for (uint32_t l = 0; l < state->location_count && !err; l++) {
		const struct fathom_waits_location_state *location = &state->locations[l];
		uint32_t first = FATHOM_WAITS_FROM_BEGIN, count = location->location->count;
		uint32_t stretch = fathom_waits_window(state);

		for (uint32_t last = 0; last < count && !err; first = last) {
			last = last + stretch < count ? last + stretch : count;
			while (last < count && !fathom_waits_is_operation(location->location, last))
				last++;
			err = fathom_waits_interval_collect(interval, state, location, first, last, true,
							    FATHOM_WAITS_WITHOUT_CAUSES);
			for (uint32_t e = 0; e < interval->count && !err; e++)
				state->paths[interval->entries[e].path].time += interval->entries[e].time;
			fathom_waits_release_at(state, location, 0);
		}
	}
	return err;
}

/* Returns the waiting of a location as far as it is not on the path, per second of what it does less than the path. */
static double budget_of(const struct fathom_waits_state *state, const struct fathom_waits_location_state *location,
			const struct fathom_waits_digest_sums *sums, double whole)
{
	double time = 0, excess = whole;

	for (uint32_t p = location->first_path; p; p = state->paths[p - 1].next) {
		const struct fathom_waits_path *path = &state->paths[p - 1];
		const struct fathom_waits_digest_sum *sum = fathom_waits_digest_find(sums, path->digest);

		time += path->time;
		excess -= fathom_waits_smaller(path->time, sum ? sum->first : 0);
	}
	return excess > 0 && whole > time ? (whole - time) / excess : 0;
}

static void add_impact(struct fathom_waits_state *state, const struct fathom_waits_digest_sums *sums,
		       const struct fathom_waits_digest_sums *impacts, double budgets, double locations)
{
	for (uint32_t p = 0; p < state->path_count; p++) {
		const struct fathom_waits_path *path = &state->paths[p];
		const struct fathom_waits_digest_sum *sum = fathom_waits_digest_find(sums, path->digest);
		const struct fathom_waits_digest_sum *impact = fathom_waits_digest_find(impacts, path->digest);
		double critical = sum ? sum->first : 0, share = critical > 0 ? path->critical / critical : 0;
		double average = sum && locations > 0 ? sum->second / locations : 0;

		fathom_waits_add(state, p, FATHOM_WAITS_CRITICAL_PATH, path->critical);
		fathom_waits_add(state, p, FATHOM_WAITS_IMPACT_ACTIVITIES, fathom_waits_smaller(critical, path->time));
		fathom_waits_add(state, p, FATHOM_WAITS_IMPACT_NON_CRITICAL,
				 fathom_waits_larger(0, path->time - critical));
		if (share == 0)
			continue;
		fathom_waits_add(state, p, FATHOM_WAITS_CRITICAL_PATH_IMBALANCE,
				 share * fathom_waits_larger(0, critical - average));
		fathom_waits_add(state, p, FATHOM_WAITS_IMPACT_INTRA, share * (impact ? impact->first : 0));
		fathom_waits_add(state, p, FATHOM_WAITS_IMPACT_INTER,
				 share * critical * fathom_waits_larger(0, budgets - (impact ? impact->second : 0)));
	}
}

static int find_impact(struct fathom_waits_state *state, struct fathom_comm *comm,
		       struct fathom_waits_interval *interval)
{
	struct fathom_waits_digest_sums sums = { 0 }, impacts = { 0 };
	double whole = 0, numbers[2] = { 0, state->location_count };
	int err = find_times(state, interval);

	for (uint32_t p = 0; p < state->path_count && !err; p++)
		err = fathom_waits_digest_add(&sums, state->paths[p].digest, state->paths[p].critical,
					      state->paths[p].time);
	err = fathom_waits_mail_agree(state->mail, err);
	if (!err)
		err = fathom_waits_digest_unite(&sums, comm);
	for (uint32_t i = 0; i < sums.count; i++)
		whole += sums.sums[i].first;
	for (uint32_t l = 0; l < state->location_count && !err; l++) {
		double budget = budget_of(state, &state->locations[l], &sums, whole);

		numbers[0] += budget;
		for (uint32_t p = state->locations[l].first_path; p && !err; p = state->paths[p - 1].next) {
			const struct fathom_waits_path *path = &state->paths[p - 1];
			const struct fathom_waits_digest_sum *sum = fathom_waits_digest_find(&sums, path->digest);

			if (path->time > 0 && sum)
				err = fathom_waits_digest_add(&impacts, path->digest,
							      fathom_waits_larger(0, sum->first - path->time) *
							      budget, budget);
		}
	}
	err = fathom_waits_mail_agree(state->mail, err);
	if (!err)
		err = fathom_waits_digest_unite(&impacts, comm);
	if (!err)
		err = fathom_waits_mail_sum(state->mail, numbers, 2);
	if (!err)
		add_impact(state, &sums, &impacts, numbers[0], numbers[1]);
	fathom_waits_digest_fini(&sums);
	fathom_waits_digest_fini(&impacts);
	return err;
}

int fathom_waits_critical_path_find(struct fathom_waits_state *state, struct fathom_comm *comm,
				    const struct fathom_waits_threads *threads)
{
	struct path_search search = { .state = state, .threads = threads };
	struct fathom_waits_stage stage = { take_token, work, &search };
	int err = choose_end(&search);

	if (!err)
		err = fathom_waits_mail_run(state->mail, &stage);
	if (!err)
		err = find_impact(state, comm, &search.interval);
	fathom_waits_interval_fini(&search.interval);
	return err ? err : state->err;
}
