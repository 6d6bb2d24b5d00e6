/*
 * budget_accounts: what the budget knows of each region over all its call paths; and walks over these.
 *
 * Whoever has the budget's turn counts here, one thread at a time. Other threads go on meanwhile.
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
	uint64_t visits;	/* at the last walk */
	uint64_t ticks;		/* of the visits that are over, with all that was called */
	uint64_t own_ticks;	/* without that */
	uint64_t called;	/* visits of what it called */
	double outside_ns;	/* what measuring these took of the own time */
	uint64_t recent;	/* visits between the last two walks: in the window */
	uint64_t off_ticks;	/* when it was switched off; 0: it is on */
	uint64_t off_cpu_ns;	/* time of the processors then */
	double rate;		/* visits a ns of the processors, unmeasured, in the window before that */
	double mean_ticks;	/* of a visit then, without its measurement */
	uint64_t last_visits;	/* at the end */
	uint64_t last_ticks;

	double cost_ns;		/* of a visit; the next: inside */
	double inside_ns;

	/* While it is decided what is switched off, see budget_choice.h. */
	double own_ns;		/* of a visit, without what it calls, and without measurement */
	bool is_small;
	bool is_needed;		/* leads to something other than a function */
	bool is_clean;		/* small, and so is all that it was seen to call, or off */
	bool is_chosen;
	bool is_blocked;	/* calls what is still to be switched off */
};

/* Memory for regions and locations with lower numbers than these. Context: birth. */
bool fathom_accounts_make_room(uint32_t regions, uint32_t locations);

/* NULL: of a region that came since then. Context: birth, finish, signal. */
struct fathom_account *fathom_account_of(uint32_t region);

/* Count all visits: *recent_ns is what measuring those since the last time took, at these costs. Returns the number of
 * threads that were at work: that have a tenth of the visits of the one with most, at least. Context: birth. */
uint32_t fathom_accounts_count(uint32_t regions, uint32_t locations, const struct fathom_costs *costs,
			       double *recent_ns);

/* Each call path of all threads, parents first. Returns whether any call of visit did. Context: birth. */
typedef bool fathom_visit_function(struct fathom_node *node, struct fathom_node *parent);
bool fathom_accounts_walk(fathom_visit_function *visit);

/* The region that called a region at some call path, when the latter was switched off. */
struct fathom_caller_then {
	uint64_t visits;	/* wherever it was called; 0: not known */
	uint64_t ticks;
};

/* Note that for the call paths of regions that are chosen, and on. Context: birth. */
void fathom_accounts_note_chosen(void);

/* Context: finish, signal. */
struct fathom_caller_then fathom_accounts_caller_then(const struct fathom_node *node);

/* Count what accounts have at the end. Context: finish, signal. */
void fathom_accounts_count_last(void);

#endif
