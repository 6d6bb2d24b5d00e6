#include "gcc-plugin.h"
#include "tree.h"
#include "backend.h"
#include "cfgloop.h"
#include "cgraph.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "hash-map.h"
#include "hash-set.h"
#include "options.h"
#include "predict.h"
#include "ssa.h"
#include "tree-inline.h"

#include "gcc-plugin/late/work.h"

/* A loop of at most this many constant steps counts as straight code: loops over space dimensions, small stencils. */
#define FEW_STEPS 8
/* Calls of functions that have not been compiled yet are followed to this depth. */
#define CALL_DEPTH 4

/* Estimated machine instructions of what GCC counts as one or as none. */
#define COST_CALL 3
#define COST_SIMPLE_BUILTIN 4		/* fabs, sqrt, strlen of a few bytes */
#define COST_LIBRARY_BUILTIN 20		/* malloc, memcpy, printf up to its first character */
#define COST_DIVISION 7			/* in addition to the one instruction that GCC counts */

/* The work of a function that may take any time. */
#define LONG_RUNNING UINT_MAX

/* The work of functions that have been compiled, in instructions, by their numbers (DECL_UID). */
typedef int_hash<int, -1, -2> number_hash;
static hash_map<number_hash, unsigned> work_of_compiled;

/* The state of one estimate. */
struct estimate {
	unsigned least;			/* a function with so many instructions is not small, so counting ends there */
	unsigned depth;			/* number of calls around the present function that were followed */
	hash_set<tree> *callers;	/* functions that are being counted now: a call of one is a recursion */
};

static unsigned work_of(struct estimate *estimate, function *body);

/* Adds two numbers of instructions, either of which may be LONG_RUNNING. */
static unsigned sum(unsigned one, unsigned other)
{
	return one > LONG_RUNNING - other ? LONG_RUNNING : one + other;
}

/* --- loops --------------------------------------------------------------------------------------- */

/* Returns the number of steps of a loop that ends in this block, if the block compares a value with a small constant;
 * otherwise 0. */
static unsigned steps_by_condition(const class loop *loop, basic_block block)
{
	gcond *condition = safe_dyn_cast<gcond *>(gsi_stmt(gsi_last_nondebug_bb(block)));
	edge way;
	edge_iterator ways;
	tree bound;

	if (!condition)
		return 0;
	bound = gimple_cond_rhs(condition);
	if (TREE_CODE(bound) != INTEGER_CST || !tree_fits_uhwi_p(bound) || tree_to_uhwi(bound) > FEW_STEPS)
		return 0;
	FOR_EACH_EDGE(way, ways, block->succs) {
		if (!flow_bb_inside_loop_p(loop, way->dest))
			return (unsigned)tree_to_uhwi(bound) + (gimple_cond_code(condition) == LE_EXPR);
	}
	return 0;
}

/* Returns the number of steps of a loop of few constant steps; 0: it may have more. GCC finds the number when it
 * optimises loops; otherwise the conditions of the loop show it. */
static unsigned steps_of(function *body, const class loop *loop)
{
	unsigned steps = 0;
	basic_block block;

	if (loop->any_upper_bound)
		return wi::leu_p(loop->nb_iterations_upper_bound, FEW_STEPS) ?
			       (unsigned)loop->nb_iterations_upper_bound.to_uhwi() + 1 : 0;
	if (optimize && !optimize_debug)
		return 0;
	FOR_EACH_BB_FN(block, body) {
		if (!steps && block->loop_father == loop)
			steps = steps_by_condition(loop, block);
	}
	return steps;
}

/* Returns how often a block is executed in one call at most; 0: any number of times. */
static unsigned times_of(function *body, basic_block block)
{
	unsigned times = 1;

	for (const class loop *loop = block->loop_father; loop && loop_outer(loop); loop = loop_outer(loop)) {
		unsigned steps = steps_of(body, loop);

		if (!steps)
			return 0;
		times *= MIN(steps, 1000);
		if (times > 1000000)
			return 0;
	}
	return times;
}

/* --- calls --------------------------------------------------------------------------------------- */

/* Returns whether the call copies or fills memory of a size that is known only at run time. */
static bool is_large_copy(gcall *call, tree callee)
{
	switch (DECL_FUNCTION_CODE(callee)) {
	case BUILT_IN_MEMCPY: case BUILT_IN_MEMMOVE: case BUILT_IN_MEMSET: case BUILT_IN_MEMPCPY:
		return gimple_call_num_args(call) == 3 && !TREE_CONSTANT(gimple_call_arg(call, 2));
	default:
		return false;
	}
}

/* Returns whether a built-in function belongs to the runtime of OpenMP, OpenACC or of transactions, whose calls may
 * wait or run other functions. */
static bool is_of_runtime(tree callee)
{
	const char *name = IDENTIFIER_POINTER(DECL_NAME(callee));

	name += strncmp(name, "__builtin_", 10) ? 0 : 10;
	return strncmp(name, "GOMP_", 5) == 0 || strncmp(name, "GOACC_", 6) == 0 || strncmp(name, "_ITM_", 5) == 0;
}

static unsigned work_of_builtin(gcall *call, tree callee)
{
	bool is_normal = fndecl_built_in_p(callee, BUILT_IN_NORMAL);

	if (is_of_runtime(callee) || (is_normal && is_large_copy(call, callee)))
		return LONG_RUNNING;
	return TREE_READONLY(callee) || DECL_PURE_P(callee) || !is_normal ? COST_SIMPLE_BUILTIN : COST_LIBRARY_BUILTIN;
}

/* Returns the work of a called function that is no built-in one. */
static unsigned work_of_callee(struct estimate *estimate, tree callee)
{
	cgraph_node *node = cgraph_node::get(callee);
	unsigned *found, work;
	function *body;

	callee = node ? node->ultimate_alias_target()->decl : callee;
	found = work_of_compiled.get(DECL_UID(callee));
	if (found)
		return *found;
	body = DECL_STRUCT_FUNCTION(callee);
	/* A function of another file, or one that calls itself, can take any time. */
	if (!body || !body->cfg || estimate->depth >= CALL_DEPTH || estimate->callers->add(callee))
		return LONG_RUNNING;
	estimate->depth++;
	work = work_of(estimate, body);
	estimate->depth--;
	estimate->callers->remove(callee);
	return work;
}

static unsigned work_of_call(struct estimate *estimate, gcall *call)
{
	tree callee = gimple_call_fndecl(call);

	if (gimple_call_internal_p(call))
		return 1;
	/* A call that does not return handles an error. */
	if (gimple_call_noreturn_p(call))
		return COST_CALL;
	if (!callee)
		return LONG_RUNNING;
	return sum(COST_CALL, fndecl_built_in_p(callee) ? work_of_builtin(call, callee) :
							  work_of_callee(estimate, callee));
}

/* --- functions ------------------------------------------------------------------------------------ */

static bool is_division(gimple *statement)
{
	if (!is_gimple_assign(statement))
		return false;
	switch (gimple_assign_rhs_code(statement)) {
	case TRUNC_DIV_EXPR: case CEIL_DIV_EXPR: case FLOOR_DIV_EXPR: case ROUND_DIV_EXPR:
	case TRUNC_MOD_EXPR: case CEIL_MOD_EXPR: case FLOOR_MOD_EXPR: case ROUND_MOD_EXPR:
	case RDIV_EXPR:
		return !TREE_CONSTANT(gimple_assign_rhs2(statement));
	default:
		return false;
	}
}

static unsigned work_of_statement(struct estimate *estimate, gimple *statement)
{
	gcall *call = dyn_cast<gcall *>(statement);

	if (call)
		return work_of_call(estimate, call);
	/* A jump to a computed address may be a loop. */
	if (gimple_code(statement) == GIMPLE_GOTO)
		return LONG_RUNNING;
	return (unsigned)estimate_num_insns(statement, &eni_size_weights) +
	       (is_division(statement) ? COST_DIVISION : 0);
}

static unsigned work_of_block(struct estimate *estimate, basic_block block)
{
	unsigned work = 0;

	for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at) && work < estimate->least; gsi_next(&at)) {
		if (!is_gimple_debug(gsi_stmt(at)))
			work = sum(work, work_of_statement(estimate, gsi_stmt(at)));
	}
	return work;
}

/* Returns the work of one call of a function; LONG_RUNNING if it is not certainly less than estimate->least. */
static unsigned work_of(struct estimate *estimate, function *body)
{
	unsigned long long work = 0;
	basic_block block;

	if (!loops_for_fn(body))
		return LONG_RUNNING;
	FOR_EACH_BB_FN(block, body) {
		unsigned times, once;

		if (probably_never_executed_bb_p(body, block))
			continue;
		times = times_of(body, block);
		once = times ? work_of_block(estimate, block) : LONG_RUNNING;
		work += once == LONG_RUNNING ? LONG_RUNNING : (unsigned long long)once * times;
		if (work >= estimate->least)
			return LONG_RUNNING;
	}
	return (unsigned)work;
}

bool fathom_work_is_small(function *body, unsigned least)
{
	hash_set<tree> callers;
	struct estimate estimate = { least, 0, &callers };
	unsigned work;

	callers.add(body->decl);
	work = work_of(&estimate, body);
	work_of_compiled.put(DECL_UID(body->decl), work);
	return work != LONG_RUNNING;
}
