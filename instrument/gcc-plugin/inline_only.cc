#include "gcc-plugin.h"
#include "tree.h"
#include "options.h"
#include "stringpool.h"
#include "attribs.h"

#include "gcc-plugin/inline_only.h"

/* Is called for each part of an expression: notes whether it is an argument of the function. Ends the walk at a value
 * from memory or a call, because inlining does not make such a value a constant. */
static tree find_argument(tree *at, int *walk_subtrees, void *has_argument)
{
	tree callee = TREE_CODE(*at) == CALL_EXPR ? get_callee_fndecl(*at) : NULL_TREE;

	if (TREE_CODE(*at) == PARM_DECL)
		*(bool *)has_argument = true;
	if (TYPE_P(*at) || DECL_P(*at))
		*walk_subtrees = 0;
	if (callee && fndecl_built_in_p(callee, BUILT_IN_CONSTANT_P))
		return NULL_TREE;
	return INDIRECT_REF_P(*at) || TREE_CODE(*at) == ARRAY_REF || TREE_CODE(*at) == CALL_EXPR ? *at : NULL_TREE;
}

/* Returns whether the value depends on arguments of the function, and is a constant if they are. */
static bool is_from_argument(tree value)
{
	bool has_argument = false;

	return TREE_TYPE(value) && INTEGRAL_TYPE_P(TREE_TYPE(value)) &&
	       !walk_tree_without_duplicates(&value, find_argument, &has_argument) && has_argument;
}

/* Returns whether the function is an intrinsic: a function of GCC's headers that is always inlined. Its arguments of
 * type `const int' must be constants. */
static bool is_intrinsic(tree function)
{
	return DECL_IN_SYSTEM_HEADER(function) && lookup_attribute("always_inline", DECL_ATTRIBUTES(function)) &&
	       lookup_attribute("artificial", DECL_ATTRIBUTES(function));
}

static bool has_bad_argument(tree call)
{
	tree callee = get_callee_fndecl(call), wanted;
	int i = 0;

	if (!callee || !is_intrinsic(callee))
		return false;
	for (wanted = DECL_ARGUMENTS(callee); wanted && i < call_expr_nargs(call); wanted = DECL_CHAIN(wanted), i++) {
		if (TREE_READONLY(wanted) && is_from_argument(CALL_EXPR_ARG(call, i)))
			return true;
	}
	return false;
}

static bool has_bad_operand(tree assembler)
{
	for (tree input = ASM_INPUTS(assembler); input; input = TREE_CHAIN(input)) {
		const char *letters = TREE_STRING_POINTER(TREE_VALUE(TREE_PURPOSE(input)));

		if (letters[strspn(letters, "insIJKLMNOGCeZ,")] == '\0' && is_from_argument(TREE_VALUE(input)))
			return true;
	}
	return false;
}

/* Is called for each part of a statement: finds calls that GCC must have removed, because the called function has the
 * attribute error or warning. */
static tree find_forbidden(tree *at, int *walk_subtrees, void *)
{
	tree callee = TREE_CODE(*at) == CALL_EXPR ? get_callee_fndecl(*at) : NULL_TREE;

	if (TYPE_P(*at))
		*walk_subtrees = 0;
	return callee && (lookup_attribute("error", DECL_ATTRIBUTES(callee)) ||
			  lookup_attribute("warning", DECL_ATTRIBUTES(callee))) ? *at : NULL_TREE;
}

static bool is_condition(tree statement)
{
	return TREE_CODE(statement) == COND_EXPR || strcmp(get_tree_code_name(TREE_CODE(statement)), "if_stmt") == 0;
}

/* Returns whether the condition checks that an argument is a constant: one of its branches has a forbidden call. Both
 * kinds of condition have the same operands. */
static bool is_check(tree condition)
{
	if (!is_from_argument(TREE_OPERAND(condition, 0)))
		return false;
	for (int branch = 1; branch <= 2; branch++) {
		if (walk_tree_without_duplicates(&TREE_OPERAND(condition, branch), find_forbidden, NULL))
			return true;
	}
	return false;
}

/* Is called for each expression of a body. Returns the expression to end the walk, or NULL to continue. */
static tree find_need(tree *at, int *walk_subtrees, void *why)
{
	const char *found = NULL;

	if (TYPE_P(*at))
		*walk_subtrees = 0;
	else if (TREE_CODE(*at) == CALL_EXPR && has_bad_argument(*at))
		found = "an intrinsic needs its argument as a constant";
	else if (TREE_CODE(*at) == ASM_EXPR && has_bad_operand(*at))
		found = "the assembler needs its argument as a constant";
	else if (is_condition(*at) && is_check(*at))
		found = "it checks that its argument is a constant";
	*(const char **)why = found;
	return found ? *at : NULL_TREE;
}

const char *fathom_inline_only_why(tree function)
{
	const char *why = NULL;

	/* A function that other files may call is compiled by itself in any case, and without optimisation GCC inlines
	 * no function. */
	if (!optimize || (TREE_PUBLIC(function) && !DECL_COMDAT(function)))
		return NULL;
	walk_tree_without_duplicates(&DECL_SAVED_TREE(function), find_need, &why);
	return why;
}
