/*
 * budget_accounts: the budget's data about each region over all its call paths, and walks over all call paths.
 *
 * Only the thread at the budget's sampling point writes accounts: one thread at a time. Other threads continue to
 * record meanwhile, and add call paths.
 */
#ifndef FATHOM_PROFILE_BUDGET_ACCOUNTS_H
#define FATHOM_PROFILE_BUDGET_ACCOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fathom_costs;
struct fathom_node;
struct fathom_region;

struct fathom_account {
	uint64_t visits;	/* until the last walk */
	uint64_t ticks;		/* of visits that have ended, including callees */
	uint64_t own_ticks;	/* of visits that have ended, without callees */
	uint64_t called;	/* visits of callees */
	double outside_ns;	/* the part of own_ticks that measuring the callees took, in ns */
	uint64_t recent;	/* visits in the window between the last two walks */
	uint64_t off_ticks;	/* when the region was disabled; 0: it is enabled */
	uint64_t off_cpu_ns;	/* processor time of the process at that moment */
	double rate;		/* visits per ns of processor time without measurement, in the window before */
	double mean_ticks;	/* mean duration of a visit before it was disabled, without its own cost */
	uint64_t last_visits;	/* at the end of the run */
	uint64_t last_ticks;

	double cost_ns;		/* own cost of a visit */
	double inside_ns;

	/* The following members are used to choose the regions to disable, see budget_choice.h. */
	double own_ns;		/* duration of a visit, without callees and without own cost */
	bool is_small;
	bool is_needed;		/* it calls, directly or not, a region that is no function */
	bool is_clean;		/* small, and so are all callees that were seen, or they are disabled */
	bool is_chosen;
	bool is_blocked;	/* it calls a region that is still to be disabled */
};

/* Makes room for the accounts of regions and locations whose ids are lower than these. False: no memory. Context:
 * birth. */
bool fathom_accounts_make_room(uint32_t regions, uint32_t locations);

/* Returns the account of a region; NULL: the region is newer than the last walk. Context: birth, finish, signal. */
struct fathom_account *fathom_account_of(uint32_t region);

/* Counts the visits of all regions, and sets *recent_ns to the own cost of the visits since the last time, at these
 * costs. Returns the number of threads that were at work: those with at least a tenth of the visits of the busiest
 * thread. Context: birth. */
uint32_t fathom_accounts_count(uint32_t regions, uint32_t locations, const struct fathom_costs *costs,
			       double *recent_ns);

/* Calls visit for each call path of all threads, parents first. Returns true if any call returned true.
 * Context: birth. */
typedef bool fathom_visit_function(struct fathom_node *node, struct fathom_node *parent);
bool fathom_accounts_walk(fathom_visit_function *visit);

/* The visits of the caller's region at the time when the region of a call path was disabled. */
struct fathom_caller_then {
	uint64_t visits;	/* over all its call paths; 0: not known */
	uint64_t ticks;
};

/* Stores a struct fathom_caller_then for all call paths of regions that are chosen and still enabled. Context: birth.
 */
void fathom_accounts_note_chosen(void);

/* Returns what was stored for the call path node; visits is 0 if nothing was. Context: finish, signal. */
struct fathom_caller_then fathom_accounts_caller_then(const struct fathom_node *node);

/* Counts the visits and ticks of all regions at the end of the run. Context: finish, signal. */
void fathom_accounts_count_last(void);

#endif
