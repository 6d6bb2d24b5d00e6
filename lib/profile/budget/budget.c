#include "profile/budget/budget.h"

#include <errno.h>
#include <sys/single_threaded.h>
#include <time.h>

#include "define/region.h"
#include "event/cost.h"
#include "event/location.h"
#include "event/switch.h"
#include "platform/clock.h"
#include "platform/lock.h"
#include "platform/log.h"
#include "profile/budget/budget_accounts.h"
#include "profile/budget/budget_choice.h"
#include "profile/recording/callpath.h"

enum {
	LEAST_WINDOW_MS = 2,
	WINDOW_PER_WALK = 100,	/* a window is this many times as long as a walk */
	SOON_PER_WALK = 20,	/* the factor for the first window, and after regions were disabled, because more may
				 * follow */
	SETTLE_MS = 20,		/* time between two sampling points that count for settling */
	SETTLE_POINTS = 10,	/* number of such sampling points before regions are settled; until then, a thread
				 * that was just entering a region has entered it */
	PATIENCE_MS = 200,	/* a visit that is still active so long after its region was disabled is expected to
				 * remain active */
	ALONE_MS = 20,		/* the same time for a single thread, which cannot be inside the enter of a region */
	CALM_WINDOWS = 3,	/* a window is prolonged at most this many times while few visits are seen */
	FEW_VISITS = 16,	/* the visits of a call path with fewer visits do not show how often its callees were
				 * called */
	DEEPEST = 1000,		/* number of nested disabled regions that an estimate considers */
};

/* Regions are disabled until the visits cost less than this part of the budget, so that not every change of the
 * program leads to the next walk over it. */
#define AIM 0.8

/* Deciding may take this share of the time, and DECIDING_NS in addition at the beginning. If deciding takes more,
 * windows become longer. */
#define DECIDING_SHARE 0.01
#define DECIDING_NS 10e6

static struct {
	double share;			/* 0: there is no budget */
	uint64_t end_cpu_ns;		/* processor time of the process when its work ended */
	uint32_t is_taken;		/* 1: a thread is at a sampling point that counts */
	struct fathom_lock signals;	/* held by that thread, so that no signal handler interrupts it; no thread
					 * waits for it */
	uint64_t start_ticks;		/* start of the program */
	uint64_t begin_ticks;		/* begin of the window; 0: before the first one, which begins with the first
					 * sampling point */
	uint64_t begin_cpu_ns;		/* processor time of the process at the begin of the window */
	uint64_t end_ticks;		/* the earliest end of the window */
	uint64_t least_ticks;		/* shortest duration of the window */
	uint64_t sampling_points;	/* sampling points in the window; approximate, as threads race */
	int calm_windows;		/* how many times the window was prolonged */
	uint64_t settle_ticks;		/* time of the next sampling point that counts for settling */
	int settle_points;		/* number of sampling points until settling; 0: nothing is to be settled */
	uint64_t patience_ticks;	/* the time after which visits that are still active are not waited for, if
					 * possible */
	double ns_per_tick;
	double visit_ns;		/* largest own cost of a visit */
	double cost_ns;			/* own cost of all visits in all windows so far, and time of deciding */
	double time_ns;			/* processor time in all windows so far */
	double deciding_ns;		/* time of deciding, without the walks */
	double walk_ns;			/* time of the last walk */
} budget;

/* Returns the processor time of the process or thread. It does not include the time of waiting, nor that of other
 * programs. */
static uint64_t cpu_ns(clockid_t of)
{
	struct timespec time = { 0 };

	clock_gettime(of, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t ticks_of_ms(double ms)
{
	return (uint64_t)(ms * 1e6 / budget.ns_per_tick);
}

void fathom_budget_init(uint64_t share)
{
	budget.share = (double)share / 100000;
	budget.start_ticks = fathom_clock_ticks();
}

uint64_t fathom_budget_share(void)
{
	return (uint64_t)(budget.share * 100000 + 0.5);
}

/* --- switching ------------------------------------------------------------------------------------- */

static bool block_callers(struct fathom_node *node, struct fathom_node *parent)
{
	const struct fathom_account *account = fathom_account_of(node->region->id);
	struct fathom_account *above = fathom_account_of(parent->region->id);

	if (above && account && above != account && account->is_chosen && !account->off_ticks)
		above->is_blocked = true;
	return false;
}

/* Disables chosen regions, callees before their callers: otherwise another thread could record a callee below a
 * different caller. If functions call each other, all of them are disabled at once. Returns true if there may be more
 * regions to disable. */
static bool switch_some(uint32_t regions, uint64_t now)
{
	bool any = false, all = true;

	for (uint32_t id = 0; id < regions; id++)
		fathom_account_of(id)->is_blocked = false;
	if (!__libc_single_threaded)	/* with a single thread the order makes no difference */
		fathom_accounts_walk(block_callers);
	for (uint32_t id = 0; id < regions; id++) {
		const struct fathom_account *account = fathom_account_of(id);

		if (account->is_chosen && !account->off_ticks)
			any = true, all &= account->is_blocked;
	}
	for (uint32_t id = 0; id < regions; id++) {
		struct fathom_account *account = fathom_account_of(id);

		if (!account->is_chosen || account->off_ticks || (account->is_blocked && !all))
			continue;
		account->off_ticks = now;
		fathom_event_switch(fathom_region_by_id(id), false);
	}
	return any;
}

/* Stores what the estimates of missing visits need. */
static void note_chosen(uint32_t regions, double unmeasured_ns)
{
	uint64_t cpu = cpu_ns(CLOCK_PROCESS_CPUTIME_ID);

	fathom_accounts_note_chosen();
	for (uint32_t id = 0; id < regions; id++) {
		struct fathom_account *account = fathom_account_of(id);

		if (!account->is_chosen)
			continue;
		account->rate = (double)account->recent / unmeasured_ns;
		account->mean_ticks = account->visits ? (double)account->ticks / (double)account->visits : 0;
		account->mean_ticks -= account->inside_ns / budget.ns_per_tick;
		if (account->mean_ticks < 0)
			account->mean_ticks = 0;
		account->off_cpu_ns = cpu;
	}
}

/* Atomic, because threads that are not at a sampling point that counts read settle_points, too. */
static void set_settle_points(int count)
{
	__atomic_store_n(&budget.settle_points, count, __ATOMIC_RELAXED);
}

/* Disables all chosen regions. window: its duration in ns of processor time; cost: the own cost of the visits in it,
 * in ns. */
static void switch_chosen(uint32_t regions, double window, double cost, uint64_t now)
{
	double unmeasured = window - cost;
	uint32_t count = 0;

	note_chosen(regions, unmeasured > window / 20 ? unmeasured : window / 20);
	for (uint32_t id = 0; id < regions; id++)
		count += fathom_account_of(id)->is_chosen;
	while (switch_some(regions, now))
		;
	fathom_log(FATHOM_LOG_INFO, "%u functions disabled: measuring took %lu%% of the time", count,
		   (unsigned long)(cost / window * 100));
	/* A single thread is not inside the enter or exit of a region now. */
	set_settle_points(__libc_single_threaded ? 1 : SETTLE_POINTS);
	budget.settle_ticks = __libc_single_threaded ? now : now + ticks_of_ms(SETTLE_MS);
	budget.patience_ticks = now + ticks_of_ms(__libc_single_threaded ? ALONE_MS : PATIENCE_MS);
}

/* Returns true if all visited regions are functions. The exit of a sled shows reliably that the functions called
 * before are over; the exit of an MPI call does not. */
static bool has_only_functions(void)
{
	uint32_t regions = fathom_region_count();

	for (uint32_t id = 0; id < regions; id++) {
		const struct fathom_region *region = fathom_region_by_id(id);
		const struct fathom_account *account = fathom_account_of(id);
		enum fathom_paradigm paradigm = region->paradigm;

		/* Some artificial regions exist from the start, whatever is measured. */
		if (region->role == FATHOM_ROLE_ARTIFICIAL && account && !account->visits)
			continue;
		if (paradigm != FATHOM_PARADIGM_COMPILER && paradigm != FATHOM_PARADIGM_MEASUREMENT)
			return false;
	}
	return true;
}

/* Settles the regions that can be settled. Returns the number of disabled regions that are not drained yet. */
static uint32_t settle_switches(uint64_t now)
{
	return now >= budget.patience_ticks && has_only_functions() ? fathom_event_abandon_switches() :
								      fathom_event_settle_switches();
}

static void settle(uint64_t now)
{
	if (!budget.settle_points || now < budget.settle_ticks)
		return;
	budget.settle_ticks = now + ticks_of_ms(SETTLE_MS);
	if (budget.settle_points > 1)
		set_settle_points(budget.settle_points - 1);
	else if (!settle_switches(now))
		set_settle_points(0);
}

static void learn_scale(void)
{
	struct fathom_tick_scale scale = fathom_clock_scale();

	budget.ns_per_tick = (double)scale.units_per_tick_q32 / 4294967296.0 * 1e9 / FATHOM_UNITS_PER_SECOND;
}

/* Finds the largest own cost of a visit. */
static void learn_most(const struct fathom_costs *costs)
{
	for (int way = 0; way < FATHOM_WAYS; way++) {
		double ns = (double)(costs->of[way].inside_units + costs->of[way].outside_units) * 1e9 /
			    FATHOM_UNITS_PER_SECOND;

		budget.visit_ns = ns > budget.visit_ns ? ns : budget.visit_ns;
	}
}

/* Begins the next window. Its shortest duration depends on how long a walk takes, and on the time spent on deciding
 * so far: it lasts until this time is within its share. */
static void begin_window(double walk_ns, double look_ns, bool is_soon)
{
	double least_ms = walk_ns * (is_soon ? SOON_PER_WALK : WINDOW_PER_WALK) / 1e6, owed_ms;

	budget.walk_ns = walk_ns;
	budget.cost_ns += look_ns;
	budget.deciding_ns += look_ns - walk_ns;
	owed_ms = ((budget.deciding_ns - DECIDING_NS) / DECIDING_SHARE - budget.time_ns) / 1e6;
	least_ms = owed_ms > least_ms ? owed_ms : least_ms;
	budget.begin_cpu_ns = cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
	budget.begin_ticks = fathom_clock_ticks();
	budget.least_ticks = ticks_of_ms(least_ms > LEAST_WINDOW_MS ? least_ms : LEAST_WINDOW_MS);
	fathom_poke(&budget.sampling_points, 0);
	budget.calm_windows = 0;
	__atomic_store_n(&budget.end_ticks, budget.begin_ticks + budget.least_ticks, __ATOMIC_RELAXED);
}

/* Prolongs the window if few visits were seen; returns true if it did. Sampling points only show the busiest call
 * paths, so a walk can be delayed, but not for long. */
static bool may_wait(uint64_t now)
{
	double seen_ns = (double)fathom_peek(&budget.sampling_points) * FATHOM_BUDGET_VISITS * budget.visit_ns;

	if (!budget.begin_ticks || budget.calm_windows >= CALM_WINDOWS ||
	    seen_ns > budget.share / 2 * (double)(now - budget.begin_ticks) * budget.ns_per_tick)
		return false;
	budget.calm_windows++;
	__atomic_store_n(&budget.end_ticks, now + budget.least_ticks, __ATOMIC_RELAXED);
	return true;
}

/* Returns the duration of the window, in ns of processor time, for the threads that were at work: threads that wait
 * may use their processors, too. */
static double window_ns(uint64_t now, uint32_t threads)
{
	double window = (double)(cpu_ns(CLOCK_PROCESS_CPUTIME_ID) - budget.begin_cpu_ns);
	double longest = (double)(now - budget.begin_ticks) * budget.ns_per_tick * threads;

	return window < longest ? window : longest;
}

/* Returns true if the budget was exceeded, both in the window and in all windows so far. */
static bool is_exceeded(double window, double cost)
{
	return cost > budget.share * window && budget.cost_ns > budget.share * budget.time_ns;
}

/* Chooses the regions to disable, and disables them. Returns true if there were any. */
static bool decide(uint32_t regions, double window, double cost, uint64_t now)
{
	struct fathom_budget_choice choice = {
		.regions = regions,
		.recent_ns = cost,
		.allowed_ns = AIM * budget.share * window - budget.walk_ns,
		.ns_per_tick = budget.ns_per_tick,
		.small = 1 / (AIM * budget.share),
	};

	if (!fathom_budget_choose(&choice))
		return false;
	switch_chosen(regions, window, cost, now);
	return true;
}

/* Ends the window: counts all visits, disables regions if necessary, and begins the next window. */
static void end_window(uint64_t now)
{
	uint32_t regions = fathom_region_count(), locations = fathom_location_newest()->id + 1, threads;
	struct fathom_costs costs;
	uint64_t before, walked;
	double window, recent_ns;
	bool is_first = !budget.begin_ticks, is_soon = is_first;

	if (!fathom_accounts_make_room(regions, locations))
		return;
	learn_scale();
	costs = fathom_cost_measure();
	learn_most(&costs);
	before = cpu_ns(CLOCK_THREAD_CPUTIME_ID);
	threads = fathom_accounts_count(regions, locations, &costs, &recent_ns);
	walked = cpu_ns(CLOCK_THREAD_CPUTIME_ID);
	window = window_ns(now, threads);
	if (!is_first) {
		budget.cost_ns += recent_ns;
		budget.time_ns += window;
		if (is_exceeded(window, recent_ns))
			is_soon = decide(regions, window, recent_ns, now);
	}
	begin_window((double)(walked - before), (double)(cpu_ns(CLOCK_THREAD_CPUTIME_ID) - before), is_soon);
}

void fathom_budget_sampling_point(struct fathom_location *self)
{
	uint64_t now = fathom_clock_ticks();
	int saved = errno;

	fathom_poke(&budget.sampling_points, fathom_peek(&budget.sampling_points) + 1);
	if (self->kind == FATHOM_KIND_SCRATCH ||
	    (now < fathom_peek(&budget.end_ticks) && !fathom_peek(&budget.settle_points)) ||
	    __atomic_exchange_n(&budget.is_taken, 1, __ATOMIC_ACQUIRE))
		return;
	fathom_lock_take(&budget.signals);
	if (now >= budget.end_ticks && !may_wait(now))
		end_window(now);
	settle(now);
	fathom_lock_give(&budget.signals);
	__atomic_store_n(&budget.is_taken, 0, __ATOMIC_RELEASE);
	errno = saved;
}

/* --- the end --------------------------------------------------------------------------------------- */

uint64_t fathom_budget_disabled_ns(uint32_t region, struct fathom_tick_scale scale)
{
	const struct fathom_account *account = fathom_account_of(region);

	return account && account->off_ticks ?
	       (uint64_t)((double)fathom_ticks_to_units(scale, account->off_ticks - budget.start_ticks) * 1e9 /
			  FATHOM_UNITS_PER_SECOND) + 1 : 0;
}

/* Returns the estimated number of visits of a call path divided by the recorded number, if its visits continued with
 * a constant rate while its caller was active. (If the caller is still active, its time is not known; then all the
 * time since the region was disabled counts.) */
static double times_by_rate(const struct fathom_account *account, const struct fathom_account *caller,
			    struct fathom_caller_then then, uint64_t now_cpu_ns)
{
	double ns = (double)(now_cpu_ns - account->off_cpu_ns), longest = 0;

	if (then.visits)
		longest = (double)(caller->last_ticks - then.ticks) * budget.ns_per_tick;
	if (longest > 0 && longest < ns)
		ns = longest;
	return account->visits ? 1 + ns * account->rate / (double)account->visits : 1;
}

/* Returns the estimated number of visits of a call path divided by the recorded number, if its visits continued in
 * proportion to those of the caller. The caller may be disabled, too: then the caller's own caller is used in the
 * same way. */
static double times_visited(const struct fathom_node *node, uint64_t now_cpu_ns)
{
	double times = 1;

	for (int level = 0; level < DEEPEST && node->parent; level++, node = node->parent) {
		const struct fathom_account *account = fathom_account_of(node->region->id);
		const struct fathom_account *caller = fathom_account_of(node->parent->region->id);
		struct fathom_caller_then then;

		if (!account || !account->off_ticks)
			return times;
		then = caller ? fathom_accounts_caller_then(node) : (struct fathom_caller_then){ 0 };
		if (!then.visits || caller->last_visits < FEW_VISITS)
			return times * times_by_rate(account, caller, then, now_cpu_ns);
		times *= (double)caller->last_visits / (double)then.visits;
	}
	return times;
}

struct fathom_missing fathom_budget_missing(const struct fathom_node *node)
{
	const struct fathom_account *account = node->region ? fathom_account_of(node->region->id) : NULL;
	double visits;

	if (!account || !account->off_ticks)
		return (struct fathom_missing){ 0 };
	visits = (double)fathom_peek(&node->visits) * (times_visited(node, budget.end_cpu_ns) - 1);
	if (visits < 0)
		visits = 0;
	return (struct fathom_missing){ (uint64_t)visits, (uint64_t)(visits * account->mean_ticks) };
}

void fathom_budget_end(void)
{
	if (!(budget.share > 0))
		return;
	fathom_accounts_count_last();
	budget.end_cpu_ns = cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
}
