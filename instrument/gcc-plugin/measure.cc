#include "gcc-plugin.h"
#include "tree.h"
#include "tree-iterator.h"
#include "hash-set.h"

#include "gcc-plugin/measure.h"

/* Loops of at most this many constant steps count as straight code: vectors in space, small stencils. */
#define FEW_STEPS 8
/* Calls are followed this deep into functions of the same file. */
#define CALL_DEPTH 4

/* Machine instructions where it is not one. */
#define COST_CALL 3
#define COST_SIMPLE_BUILTIN 4		/* fabs, sqrt, strlen of a few bytes */
#define COST_LIBRARY_BUILTIN 20		/* malloc, memcpy, printf's way to its first character */
#define COST_DIVISION 8
#define BYTES_A_MOVE 16

struct count {
	unsigned insns;
	unsigned least;			/* count no further than this */
	unsigned steps;			/* product of the constant loops seen */
	unsigned depth;			/* of calls followed */
	bool follow;			/* look into calls and loops */
	bool long_running;		/* a loop or call that can take any time was seen */
	hash_set<tree> *labels;		/* passed so far: a jump to one of them is a loop */
	hash_set<tree> *callers;	/* being counted now: a call of one of them is recursion */
};

static tree count_tree(tree *at, int *walk_subtrees, void *data);

static bool is_done(const struct count *count)
{
	return count->long_running || count->insns * count->steps >= count->least;
}

static void count_body(struct count *count, tree function)
{
	hash_set<tree> labels;
	hash_set<tree> *outer = count->labels;

	count->labels = &labels;
	walk_tree_without_duplicates(&DECL_SAVED_TREE(function), count_tree, count);
	count->labels = outer;
}

/* If the condition compares something with a small constant, that constant; else 0. */
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

static void see_loop(struct count *count, unsigned steps)
{
	if (!count->follow)
		return;
	if (steps)
		count->steps *= steps;
	else
		count->long_running = true;
}

static bool jumps_back(const struct count *count, tree statement)
{
	return statement && TREE_CODE(statement) == GOTO_EXPR && count->labels->contains(GOTO_DESTINATION(statement));
}

/* The first statement inside, where the loops of Fortran have their condition. */
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

static void see_call(struct count *count, tree callee)
{
	count->insns += COST_CALL;
	if (!count->follow)
		return;
	if (callee && TREE_CODE(callee) == ADDR_EXPR)
		callee = TREE_OPERAND(callee, 0);
	if (!callee || TREE_CODE(callee) != FUNCTION_DECL) {	/* an internal function of GCC has no callee */
		count->long_running = callee != NULL_TREE;
		return;
	}
	if (TREE_THIS_VOLATILE(callee))		/* does not return: the way out when something is wrong */
		return;
	if (fndecl_built_in_p(callee)) {
		bool simple = TREE_READONLY(callee) || DECL_PURE_P(callee) ||
			      !fndecl_built_in_p(callee, BUILT_IN_NORMAL);

		count->insns += simple ? COST_SIMPLE_BUILTIN : COST_LIBRARY_BUILTIN;
		return;
	}
	/* Another file's function can do anything, and so can one that calls itself. */
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

	/* Into a variable the last operation already puts its result; a store is counted with its address. */
	if (bytes > 0)
		count->insns += 1 + (unsigned)MIN(bytes / BYTES_A_MOVE, 1000);
}

/* Expressions that are one instruction, more or less; the rest is names, types and brackets. */
static unsigned cost_of(tree expression)
{
	switch (TREE_CODE(expression)) {
	case TRUNC_DIV_EXPR: case CEIL_DIV_EXPR: case FLOOR_DIV_EXPR: case ROUND_DIV_EXPR:
	case TRUNC_MOD_EXPR: case CEIL_MOD_EXPR: case FLOOR_MOD_EXPR: case ROUND_MOD_EXPR:
	case RDIV_EXPR:
		return TREE_CONSTANT(TREE_OPERAND(expression, 1)) ? 2 : COST_DIVISION;
	case ARRAY_REF:		/* the address; the access itself is counted where the pointer is followed */
		return !TREE_CONSTANT(TREE_OPERAND(expression, 1));
	case INDIRECT_REF: case MEM_REF:
	case TRUTH_ANDIF_EXPR: case TRUTH_ORIF_EXPR:
	case PREINCREMENT_EXPR: case PREDECREMENT_EXPR: case POSTINCREMENT_EXPR: case POSTDECREMENT_EXPR:
	case COND_EXPR: case RETURN_EXPR: case FLOAT_EXPR: case FIX_TRUNC_EXPR:
		return 1;
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

/* Statements that change where the program goes on. Returns whether it was one. */
static bool see_jump(struct count *count, tree at)
{
	switch (TREE_CODE(at)) {
	case LABEL_EXPR:
		count->labels->add(LABEL_EXPR_LABEL(at));
		return true;
	case GOTO_EXPR:
		if (jumps_back(count, at) || TREE_CODE(GOTO_DESTINATION(at)) != LABEL_DECL)
			see_loop(count, 0);
		count->insns++;
		return true;
	case LOOP_EXPR:
		see_loop(count, steps_of_loop(at));
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

/* Called for every expression of a body. What it returns, if not NULL, ends the walk. */
static tree count_tree(tree *at, int *walk_subtrees, void *data)
{
	struct count *count = (struct count *)data;
	tree_code_class kind = TREE_CODE_CLASS(TREE_CODE(*at));

	if (kind == tcc_type || kind == tcc_declaration || kind == tcc_constant || kind == tcc_exceptional) {
		/* Statements hang in lists; everything else of these says what things are, not what is done. */
		*walk_subtrees = TREE_CODE(*at) == STATEMENT_LIST || TREE_CODE(*at) == TREE_LIST ||
				 (TREE_CODE(*at) == CONSTRUCTOR && !TREE_CONSTANT(*at));
		return NULL_TREE;
	}
	if (TREE_CODE(*at) == COND_EXPR && count->follow &&
	    (jumps_back(count, COND_EXPR_THEN(*at)) || jumps_back(count, COND_EXPR_ELSE(*at)))) {
		see_loop(count, steps_of(COND_EXPR_COND(*at)));
		count->insns += 2;
		*walk_subtrees = 0;	/* the jumps are dealt with, and the condition is as small as its constant */
	} else if (kind == tcc_vl_exp) {
		/* C++ has a second kind of call; both keep the callee in the same place. */
		if (TREE_OPERAND_LENGTH(*at) > 1)
			see_call(count, TREE_OPERAND(*at, 1));
	} else if (TREE_CODE(*at) == MODIFY_EXPR || TREE_CODE(*at) == INIT_EXPR) {
		see_move(count, *at);
	} else if (!see_jump(count, *at)) {
		if (is_openmp(*at))
			count->long_running = count->follow;
		count->insns += cost_of(*at);
	}
	return is_done(count) ? *at : NULL_TREE;
}

static bool is_less(tree function, unsigned least, bool follow)
{
	hash_set<tree> callers;
	struct count count = { 0, least, 1, 0, follow, false, NULL, &callers };

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
