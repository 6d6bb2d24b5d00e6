#include "gcc-plugin.h"
#include "tree.h"
#include "tree-iterator.h"
#include "hash-set.h"
#include "hash-map.h"

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
	unsigned depth;			/* of calls followed */
	bool follow;			/* look into calls and loops */
	bool long_running;		/* a loop or call that can take any time was seen */
	hash_map<tree, unsigned> *labels;	/* passed so far, at which insns: a jump to one of them is a loop */
	hash_set<tree> *callers;	/* being counted now: a call of one of them is recursion */
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

/* What was counted since `before` is done in every step; 0 steps: nobody knows how many. */
static void see_loop(struct count *count, unsigned steps, unsigned before)
{
	if (!count->follow)
		return;
	if (steps)
		count->insns += (count->insns - before) * (steps - 1);
	else
		count->long_running = true;
}

/* If the statement goes back, where to: what had been counted when that was passed. Else NULL. */
static const unsigned *jumps_back(const struct count *count, tree statement)
{
	return statement && TREE_CODE(statement) == GOTO_EXPR ? count->labels->get(GOTO_DESTINATION(statement)) : NULL;
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

/* Copies and fills memory, and how much is known only when the program runs. */
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
	tree callee = TREE_OPERAND(call, 1);	/* C++ has a second kind of call, with the callee in the same place */

	if (callee && TREE_CODE(callee) == ADDR_EXPR)
		callee = TREE_OPERAND(callee, 0);
	/* What is declared inline is copied, and never measured: nothing but its body. */
	if (!callee || TREE_CODE(callee) != FUNCTION_DECL || !DECL_DECLARED_INLINE_P(callee))
		count->insns += COST_CALL;
	if (!count->follow)
		return;
	if (!callee || TREE_CODE(callee) != FUNCTION_DECL) {	/* an internal function of GCC has no callee */
		count->long_running = callee != NULL_TREE;
		return;
	}
	if (TREE_THIS_VOLATILE(callee))		/* does not return: the way out when something is wrong */
		return;
	if (fndecl_built_in_p(callee)) {
		see_builtin(count, call, callee);
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
	case MULT_EXPR:		/* the processor multiplies an index by the size of a simple type while it addresses */
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

/* Statements that change where the program goes on. Returns whether it was one. */
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

/* The condition jumps back, to where so much had been counted. It is as small as its constant. */
static void see_backward_condition(struct count *count, tree condition, unsigned before)
{
	count->insns += 2;
	see_loop(count, steps_of(COND_EXPR_COND(condition)), before);
}

/* Fortran's, and others that only a jump out of them ends. */
static void see_endless_loop(struct count *count, tree loop)
{
	unsigned before = count->insns;

	walk_tree_without_duplicates(&LOOP_EXPR_BODY(loop), count_tree, count);
	see_loop(count, steps_of_loop(loop), before);
}

/* Called for every expression of a body. What it returns, if not NULL, ends the walk. */
static tree count_tree(tree *at, int *walk_subtrees, void *data)
{
	struct count *count = (struct count *)data;
	tree_code_class kind = TREE_CODE_CLASS(TREE_CODE(*at));
	const unsigned *before = NULL;

	if (kind == tcc_type || kind == tcc_declaration || kind == tcc_constant || kind == tcc_exceptional) {
		/* Statements hang in lists; everything else of these says what things are, not what is done. */
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
		/* Of what is called, the return belongs to the call. */
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
