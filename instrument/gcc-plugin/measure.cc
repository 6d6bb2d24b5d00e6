#include "gcc-plugin.h"
#include "tree.h"
#include "tree-iterator.h"
#include "hash-set.h"
#include "hash-map.h"

#include "gcc-plugin/measure.h"

/* A loop of at most this many constant steps counts as straight code: loops over space dimensions, small stencils. */
#define FEW_STEPS 8
/* Calls of functions of the same file are followed to this depth. */
#define CALL_DEPTH 4

/* Estimated machine instructions of operations that are not one instruction. */
#define COST_CALL 3
#define COST_SIMPLE_BUILTIN 4		/* fabs, sqrt, strlen of a few bytes */
#define COST_LIBRARY_BUILTIN 20		/* malloc, memcpy, printf up to its first character */
#define COST_DIVISION 8
#define BYTES_A_MOVE 16

struct count {
	unsigned insns;			/* instructions counted so far */
	unsigned least;			/* the limit at which counting ends */
	unsigned depth;			/* number of calls around the present function that were followed */
	bool follow;			/* whether called functions and steps of loops are counted */
	bool long_running;		/* a loop or call of unknown duration was found */
	hash_map<tree, unsigned> *labels;	/* labels passed so far, with the insns there: a jump back is a loop */
	hash_set<tree> *callers;	/* functions that are being counted now: a call of one is a recursion */
};

static tree count_tree(tree *at, int *walk_subtrees, void *data);

static bool is_done(const struct count *count)
{
	return count->long_running || count->insns >= count->least;
}

static void count_body(struct count *count, tree function)
{
	hash_map<tree, unsigned> labels;
	hash_map<tree, unsigned> *outer = count->labels;

	count->labels = &labels;
	walk_tree_without_duplicates(&DECL_SAVED_TREE(function), count_tree, count);
	count->labels = outer;
}

/* Returns the number of steps of a loop whose condition compares a value with a small constant; otherwise 0. */
static unsigned steps_of(tree condition)
{
	tree bound;

	while (TREE_CODE(condition) == CLEANUP_POINT_EXPR || CONVERT_EXPR_P(condition))
		condition = TREE_OPERAND(condition, 0);
	if (!COMPARISON_CLASS_P(condition))
		return 0;
	bound = TREE_OPERAND(condition, 1);
	if (TREE_CODE(bound) != INTEGER_CST || !tree_fits_uhwi_p(bound) || tree_to_uhwi(bound) > FEW_STEPS)
		return 0;
	return (unsigned)tree_to_uhwi(bound) + (TREE_CODE(condition) == LE_EXPR);
}

/* Counts a loop, whose body was counted since insns was `before`. steps: the number of its steps; 0: unknown. */
static void see_loop(struct count *count, unsigned steps, unsigned before)
{
	if (!count->follow)
		return;
	if (steps)
		count->insns += (count->insns - before) * (steps - 1);
	else
		count->long_running = true;
}

/* If the statement jumps back to a label, returns the insns at that label; otherwise NULL. */
static const unsigned *jumps_back(const struct count *count, tree statement)
{
	return statement && TREE_CODE(statement) == GOTO_EXPR ? count->labels->get(GOTO_DESTINATION(statement)) : NULL;
}

/* Returns the first statement of a body, where the loops of Fortran have their condition. */
static tree first_statement(tree body)
{
	while (body) {
		if (TREE_CODE(body) == BIND_EXPR) {
			body = BIND_EXPR_BODY(body);
		} else if (TREE_CODE(body) == STATEMENT_LIST) {
			tree_stmt_iterator first = tsi_start(body);

			while (!tsi_end_p(first) && TREE_CODE(tsi_stmt(first)) == DECL_EXPR)
				tsi_next(&first);
			body = tsi_end_p(first) ? NULL_TREE : tsi_stmt(first);
		} else {
			return body;
		}
	}
	return NULL_TREE;
}

static unsigned steps_of_loop(tree loop)
{
	tree first = first_statement(LOOP_EXPR_BODY(loop));

	if (first && TREE_CODE(first) == COND_EXPR)
		return steps_of(COND_EXPR_COND(first));
	return first && TREE_CODE(first) == EXIT_EXPR ? steps_of(TREE_OPERAND(first, 0)) : 0;
}

/* Returns whether the call copies or fills memory of a size that is known only at run time. */
static bool is_large_copy(tree call, tree callee)
{
	if (!fndecl_built_in_p(callee, BUILT_IN_NORMAL))
		return false;
	switch (DECL_FUNCTION_CODE(callee)) {
	case BUILT_IN_MEMCPY: case BUILT_IN_MEMMOVE: case BUILT_IN_MEMSET: case BUILT_IN_MEMPCPY:
		return TREE_CODE(call) == CALL_EXPR && call_expr_nargs(call) == 3 &&
		       !TREE_CONSTANT(CALL_EXPR_ARG(call, 2));
	default:
		return false;
	}
}

static void see_builtin(struct count *count, tree call, tree callee)
{
	bool simple = TREE_READONLY(callee) || DECL_PURE_P(callee) || !fndecl_built_in_p(callee, BUILT_IN_NORMAL);

	count->insns += simple ? COST_SIMPLE_BUILTIN : COST_LIBRARY_BUILTIN;
	if (is_large_copy(call, callee))
		count->long_running = true;
}

static void see_call(struct count *count, tree call)
{
	tree callee = TREE_OPERAND(call, 1);	/* the same operand in both kinds of call that C++ has */

	if (callee && TREE_CODE(callee) == ADDR_EXPR)
		callee = TREE_OPERAND(callee, 0);
	/* A function that is declared inline is copied into its caller, so only its body counts and no call. */
	if (!callee || TREE_CODE(callee) != FUNCTION_DECL || !DECL_DECLARED_INLINE_P(callee))
		count->insns += COST_CALL;
	if (!count->follow)
		return;
	if (!callee || TREE_CODE(callee) != FUNCTION_DECL) {	/* an internal function of GCC has no callee */
		count->long_running = callee != NULL_TREE;
		return;
	}
	if (TREE_THIS_VOLATILE(callee))		/* it does not return: such a call handles an error */
		return;
	if (fndecl_built_in_p(callee)) {
		see_builtin(count, call, callee);
		return;
	}
	/* A function of another file, or one that calls itself, can take any time. */
	if (!DECL_SAVED_TREE(callee) || count->depth >= CALL_DEPTH || count->callers->add(callee)) {
		count->long_running = true;
		return;
	}
	count->depth++;
	count_body(count, callee);
	count->depth--;
	count->callers->remove(callee);
}

static void see_move(struct count *count, tree move)
{
	tree to = TREE_OPERAND(move, 0);
	HOST_WIDE_INT bytes = TREE_TYPE(to) && AGGREGATE_TYPE_P(TREE_TYPE(to)) ? int_size_in_bytes(TREE_TYPE(to)) : 0;

	/* An assignment to a simple variable costs nothing, because the last operation puts its result there; a store
	 * is counted with its address. So only copies of structures are counted. */
	if (bytes > 0)
		count->insns += 1 + (unsigned)MIN(bytes / BYTES_A_MOVE, 1000);
}

/* Returns the estimated instructions of one expression. Most operations are one instruction; names, types and brackets
 * are none. */
static unsigned cost_of(tree expression)
{
	switch (TREE_CODE(expression)) {
	case TRUNC_DIV_EXPR: case CEIL_DIV_EXPR: case FLOOR_DIV_EXPR: case ROUND_DIV_EXPR:
	case TRUNC_MOD_EXPR: case CEIL_MOD_EXPR: case FLOOR_MOD_EXPR: case ROUND_MOD_EXPR:
	case RDIV_EXPR:
		return TREE_CONSTANT(TREE_OPERAND(expression, 1)) ? 2 : COST_DIVISION;
	case ARRAY_REF:		/* the address; the access is counted with the dereferenced pointer */
		return !TREE_CONSTANT(TREE_OPERAND(expression, 1));
	case INDIRECT_REF: case MEM_REF:
	case TRUTH_ANDIF_EXPR: case TRUTH_ORIF_EXPR:
	case PREINCREMENT_EXPR: case PREDECREMENT_EXPR: case POSTINCREMENT_EXPR: case POSTDECREMENT_EXPR:
	case COND_EXPR: case RETURN_EXPR: case FLOAT_EXPR: case FIX_TRUNC_EXPR:
		return 1;
	case MULT_EXPR:		/* addressing multiplies an index by the size of a simple type at no cost */
		return !(TREE_CODE(TREE_OPERAND(expression, 1)) == INTEGER_CST && TREE_TYPE(expression) == sizetype &&
			 compare_tree_int(TREE_OPERAND(expression, 1), 8) <= 0);
	case NON_LVALUE_EXPR: case NOP_EXPR: case CONVERT_EXPR: case VIEW_CONVERT_EXPR:
		return 0;
	default:
		return BINARY_CLASS_P(expression) || COMPARISON_CLASS_P(expression) || UNARY_CLASS_P(expression);
	}
}

static bool is_openmp(tree expression)
{
	const char *name = get_tree_code_name(TREE_CODE(expression));

	return strncmp(name, "omp", 3) == 0 || strncmp(name, "oacc", 4) == 0 || strncmp(name, "transaction", 11) == 0;
}

/* Counts a statement that changes the flow of control. Returns false if the expression is no such statement. */
static bool see_jump(struct count *count, tree at)
{
	switch (TREE_CODE(at)) {
	case LABEL_EXPR:
		count->labels->put(LABEL_EXPR_LABEL(at), count->insns);
		return true;
	case GOTO_EXPR:
		if (jumps_back(count, at) || TREE_CODE(GOTO_DESTINATION(at)) != LABEL_DECL)
			see_loop(count, 0, count->insns);
		count->insns++;
		return true;
	case SWITCH_EXPR:
		count->insns += 4;
		return true;
	case ASM_EXPR:
		count->insns += 2;
		return true;
	default:
		return false;
	}
}

/* Counts a condition that jumps back to a label, where insns was `before`: the end of a loop. */
static void see_backward_condition(struct count *count, tree condition, unsigned before)
{
	count->insns += 2;
	see_loop(count, steps_of(COND_EXPR_COND(condition)), before);
}

/* Counts a loop that only a jump out of it ends, like the loops of Fortran. */
static void see_endless_loop(struct count *count, tree loop)
{
	unsigned before = count->insns;

	walk_tree_without_duplicates(&LOOP_EXPR_BODY(loop), count_tree, count);
	see_loop(count, steps_of_loop(loop), before);
}

/* Is called for each expression of a body. Returns the expression to end the walk, or NULL to continue. */
static tree count_tree(tree *at, int *walk_subtrees, void *data)
{
	struct count *count = (struct count *)data;
	tree_code_class kind = TREE_CODE_CLASS(TREE_CODE(*at));
	const unsigned *before = NULL;

	if (kind == tcc_type || kind == tcc_declaration || kind == tcc_constant || kind == tcc_exceptional) {
		/* Of these kinds only lists and variable initial values contain statements. */
		*walk_subtrees = TREE_CODE(*at) == STATEMENT_LIST || TREE_CODE(*at) == TREE_LIST ||
				 (TREE_CODE(*at) == CONSTRUCTOR && !TREE_CONSTANT(*at));
		return NULL_TREE;
	}
	if (TREE_CODE(*at) == COND_EXPR && count->follow) {
		before = jumps_back(count, COND_EXPR_THEN(*at));
		before = before ? before : jumps_back(count, COND_EXPR_ELSE(*at));
	}
	if (before) {
		see_backward_condition(count, *at, *before);
		*walk_subtrees = 0;
	} else if (TREE_CODE(*at) == LOOP_EXPR) {
		see_endless_loop(count, *at);
		*walk_subtrees = 0;
	} else if (kind == tcc_vl_exp) {
		if (TREE_OPERAND_LENGTH(*at) > 1)
			see_call(count, *at);
	} else if (TREE_CODE(*at) == MODIFY_EXPR || TREE_CODE(*at) == INIT_EXPR) {
		see_move(count, *at);
	} else if (!see_jump(count, *at)) {
		if (is_openmp(*at))
			count->long_running = count->follow;
		/* The return of a called function is counted with the call. */
		count->insns += TREE_CODE(*at) == RETURN_EXPR && count->depth ? 0 : cost_of(*at);
	}
	return is_done(count) ? *at : NULL_TREE;
}

static bool is_less(tree function, unsigned least, bool follow)
{
	hash_set<tree> callers;
	struct count count = { 0, least, 0, follow, false, NULL, &callers };

	callers.add(function);
	count_body(&count, function);
	return !is_done(&count);
}

bool fathom_measure_is_small(tree function, unsigned least)
{
	return is_less(function, least, true);
}

bool fathom_measure_is_short(tree function, unsigned least)
{
	return is_less(function, least, false);
}
