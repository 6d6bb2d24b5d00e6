#include "profile/budget/budget_choice.h"

#include "define/region.h"
#include "platform/compiler.h"
#include "profile/budget/budget_accounts.h"
#include "profile/recording/callpath.h"

enum {
	RARE = 100,		/* a function with fewer visits in a window is rare, */
	RARE_SHARE = 50,	/* or if its own cost is below the allowed cost divided by this */
};

/* The weight of a function that is not clean, compared with a clean one. */
#define UNCLEAN 0.25

static struct fathom_account *account_of(const struct fathom_node *node)
{
	return fathom_account_of(node->region->id);
}

static double own_ns(const struct fathom_budget_choice *choice, const struct fathom_account *account)
{
	double visits = (double)account->visits;
	double all = (double)account->own_ticks * choice->ns_per_tick - visits * account->inside_ns -
		     account->outside_ns;

	return all > 0 ? all / visits : 0;
}

static void judge(const struct fathom_budget_choice *choice)
{
	for (uint32_t id = 0; id < choice->regions; id++) {
		struct fathom_account *account = fathom_account_of(id);
		bool is_function = fathom_region_by_id(id)->paradigm == FATHOM_PARADIGM_COMPILER;

		/* A region without ticks has not been left yet. */
		account->own_ns = account->visits ? own_ns(choice, account) : 0;
		account->is_small = is_function && account->ticks && account->own_ns < choice->small * account->cost_ns;
		account->is_clean = account->is_small;
		account->is_needed = !is_function;
		account->is_chosen = false;
	}
}

/* Marks the callers of a needed region as needed. Returns true if any of them was not. */
static bool need_callers(struct fathom_node *node, struct fathom_node *parent)
{
	const struct fathom_account *account = account_of(node);
	bool any = false;

	if (account && !account->is_needed)
		return false;
	for (; parent; parent = parent->parent) {
		struct fathom_account *above = account_of(parent);

		if (above && above->is_needed)
			break;		/* its callers are marked in this walk or in the next one */
		if (above)
			above->is_needed = any = true;
	}
	return any;
}

/* Marks the callers of a region that is not clean as not clean. Returns true if any of them was clean. */
static bool mark_callers_not_clean(struct fathom_node *node, struct fathom_node *parent)
{
	const struct fathom_account *account = account_of(node);
	bool any = false;

	if (account && (account->is_clean || account->off_ticks))
		return false;
	for (; parent; parent = parent->parent) {
		struct fathom_account *above = account_of(parent);

		if (above && !above->is_clean)
			break;
		if (above)
			above->is_clean = false, any = true;
	}
	return any;
}

/* Chooses the node's region if its caller is clean and chosen. Returns true if it was chosen now. */
static bool choose_called(struct fathom_node *node, struct fathom_node *parent)
{
	struct fathom_account *account = account_of(node), *above = account_of(parent);

	if (!account || !above || !above->is_chosen || !above->is_clean || account->is_chosen || account->off_ticks)
		return false;
	account->is_chosen = true;
	return true;
}

/* Returns the gain from disabling the region: the saved own cost, in relation to the time of visits that is no longer
 * seen; 0: the region stays enabled. */
static double gain(const struct fathom_budget_choice *choice, const struct fathom_account *account)
{
	double recent_ns = (double)account->recent * account->cost_ns;

	if (!account->is_small || account->is_needed || account->is_chosen || account->off_ticks ||
	    account->recent < RARE || recent_ns * RARE_SHARE < choice->allowed_ns)
		return 0;
	return recent_ns / (account->own_ns + account->cost_ns) * (account->is_clean ? 1 : UNCLEAN);
}

static struct fathom_account *noisiest(const struct fathom_budget_choice *choice)
{
	struct fathom_account *best = NULL;
	double most = 0;

	for (uint32_t id = 0; id < choice->regions; id++) {
		struct fathom_account *account = fathom_account_of(id);
		double now = gain(choice, account);

		if (now > most) {
			most = now;
			best = account;
		}
	}
	return best;
}

/* Returns the own cost of the regions that are not chosen, in the window. */
static double left_ns(const struct fathom_budget_choice *choice)
{
	double ns = choice->recent_ns;

	for (uint32_t id = 0; id < choice->regions; id++) {
		const struct fathom_account *account = fathom_account_of(id);

		if (account->is_chosen)
			ns -= (double)account->recent * account->cost_ns;
	}
	return ns;
}

bool fathom_budget_choose(const struct fathom_budget_choice *choice)
{
	struct fathom_account *account;
	bool any = false;

	judge(choice);
	while (fathom_accounts_walk(need_callers))
		;
	while (fathom_accounts_walk(mark_callers_not_clean))
		;
	while (left_ns(choice) > choice->allowed_ns && (account = noisiest(choice)) != NULL) {
		account->is_chosen = any = true;
		while (account->is_clean && account->called && fathom_accounts_walk(choose_called))
			;
	}
	return any;
}
