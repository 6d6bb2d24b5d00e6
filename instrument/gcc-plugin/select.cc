#include "gcc-plugin.h"
#include "tree.h"
#include "stringpool.h"
#include "attribs.h"
#include "cgraph.h"
#include "function.h"
#include "hash-set.h"
#include "langhooks.h"
#include "toplev.h"

#include "gcc-plugin/inline_only.h"
#include "gcc-plugin/measure.h"
#include "gcc-plugin/names.h"
#include "gcc-plugin/select.h"
#include "gcc-plugin/late/compiled_functions.h"
#include "gcc-plugin/late/sleds.h"

/*
 * A method that is defined in its class counts as inline, whether its author wants that or not. With at least this many
 * instructions it is larger than what GCC inlines, and worth measuring.
 */
#define LARGE_METHOD 600

/* A set of names of functions. */
typedef hash_set<tree, false, default_hash_traits<tree> > name_set;

static bool has_attribute(tree function, const char *name)
{
	return lookup_attribute(name, DECL_ATTRIBUTES(function)) != NULL_TREE;
}

static bool is_fortran(void)
{
	return strncmp(lang_hooks.name, "GNU Fortran", 11) == 0;
}

static bool is_main(tree function)
{
	const char *name = DECL_NAME(function) ? IDENTIFIER_POINTER(DECL_NAME(function)) : "";

	if (is_fortran())	/* the compiler makes main, which calls MAIN__ */
		return DECL_ASSEMBLER_NAME_SET_P(function) &&
		       strcmp(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function)), "MAIN__") == 0;
	return MAIN_NAME_P(DECL_NAME(function)) || strcmp(name, "main") == 0;
}

/* Finds the resolvers of indirect functions. They run while the dynamic linker links the program, when no hook can be
 * called yet. */
static void find_resolvers(name_set *names)
{
	cgraph_node *node;

	FOR_EACH_FUNCTION(node) {
		tree ifunc = lookup_attribute("ifunc", DECL_ATTRIBUTES(node->decl));

		if (ifunc && TREE_VALUE(ifunc) && TREE_CODE(TREE_VALUE(TREE_VALUE(ifunc))) == STRING_CST)
			names->add(get_identifier(TREE_STRING_POINTER(TREE_VALUE(TREE_VALUE(ifunc)))));
	}
}

/*
 * Returns the linker's name of a function; NULL: to ask for the name now could change it, because functions inside
 * other functions are numbered in the order in which they get their names.
 */
static tree linker_name(tree function)
{
	if (DECL_ASSEMBLER_NAME_SET_P(function) || !decl_function_context(function))
		return DECL_ASSEMBLER_NAME(function);
	return NULL_TREE;
}

/* Returns why hooks in the function would break the program, or NULL. No filter can overrule this. */
static const char *why_impossible(tree function, name_set *resolvers)
{
	/* C99: the definition may be in another file or nowhere, and the hook would need its address. */
	if (DECL_DECLARED_INLINE_P(function) && DECL_EXTERNAL(function))
		return "inline without a definition of its own";
	if (has_attribute(function, "naked") || has_attribute(function, "interrupt"))
		return "naked or interrupt handler";
	/* In a transaction, only functions may be called that GCC knows to be safe. main is called in no
	 * transaction. */
	if (flag_tm && !is_main(function))
		return "may be called in a transaction";
	if (!resolvers->is_empty() && linker_name(function) && resolvers->contains(linker_name(function)))
		return "resolver of an indirect function";
	return NULL;
}

/* Returns the absolute path of the function's source file, as debug information has it; the compiler may have got a
 * relative one. The caller frees it. */
static char *source_path(tree function)
{
	const char *file = DECL_SOURCE_FILE(function);
	bool is_whole = !file || *file == '/' || *file == '<';

	return is_whole ? file ? xstrdup(file) : NULL : concat(get_src_pwd(), "/", file, NULL);
}

/* Returns whether the rule names functions: a pattern of wildcards alone, such as *, matches all of them. */
static bool is_by_name(const struct fathom_filter_rule *rule)
{
	return rule && (rule->about == FATHOM_FILTER_NAME || rule->about == FATHOM_FILTER_MANGLED) &&
	       rule->pattern[strspn(rule->pattern, "*?")];
}

/* Returns whether the rule includes a source file. In a block of Score-P, such a rule only cancels rules that
 * exclude. */
static bool is_by_file(const struct fathom_filter_rule *rule)
{
	return rule && rule->include && rule->about == FATHOM_FILTER_FILE && rule->chain == FATHOM_FILTER_OWN;
}

/* Returns what the filter says about the function. *by_name: whether the rule that decided names it. */
static enum fathom_filter_answer ask_filter(const struct fathom_filter *filter, tree function, bool *by_name)
{
	struct fathom_filter_subject subject = { FATHOM_FILTER_FUNCTION, NULL, NULL, NULL, NULL, NULL, -1 };
	const struct fathom_filter_rule *decider = NULL;
	enum fathom_filter_answer answer;
	char *readable = NULL, *file = NULL;
	tree linker;

	*by_name = false;
	if (!filter->count)
		return FATHOM_FILTER_SILENT;
	if (fathom_filter_wants(filter, FATHOM_FILTER_FUNCTION, FATHOM_FILTER_FILE))
		subject.file = file = source_path(function);
	if (fathom_filter_wants(filter, FATHOM_FILTER_FUNCTION, FATHOM_FILTER_NAME) ||
	    fathom_filter_wants(filter, FATHOM_FILTER_FUNCTION, FATHOM_FILTER_MANGLED)) {
		linker = linker_name(function);
		subject.name = lang_hooks.decl_printable_name(function, 1);
		subject.mangled = linker ? IDENTIFIER_POINTER(linker) : NULL;
		subject.other_name = readable = linker ? fathom_names_demangle(subject.mangled) : NULL;
		if (readable && is_fortran())	/* at run time the function has the readable name, with its module */
			subject.name = NULL;
	}
	answer = fathom_filter_ask(filter, &subject, &decider);
	if (answer == FATHOM_FILTER_SILENT && is_by_file(decider))
		answer = FATHOM_FILTER_INCLUDE;
	*by_name = is_by_name(decider);
	fathom_names_free(readable);
	free(file);
	return answer;
}

/* Returns whether the function is part of a coroutine. Coroutines may jump to each other without end; with early hooks
 * these jumps would be calls, and use up the stack. */
static bool is_coroutine(tree function)
{
	return DECL_STRUCT_FUNCTION(function) && DECL_STRUCT_FUNCTION(function)->coroutine_component;
}

/* Returns whether the function has the body that the programmer wrote. From a coroutine GCC makes two more functions,
 * one that starts and one that destroys it. */
static bool is_coroutine_body(tree function)
{
	const char *name = is_coroutine(function) ? IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function)) : "";
	size_t length = strlen(name);

	return length > 6 && strcmp(name + length - 6, ".actor") == 0;
}

/* Returns why nobody wants to see this function, however much it works; or NULL. */
static const char *why_uninteresting(tree function)
{
	if ((DECL_ARTIFICIAL(function) && !is_coroutine_body(function)) ||
	    (is_fortran() && MAIN_NAME_P(DECL_NAME(function))))
		return "made by the compiler";
	if (DECL_IN_SYSTEM_HEADER(function))
		return "from a system header";
	return NULL;
}

/* Returns why the function is not worth measuring where hooks keep GCC from inlining it, or NULL. */
static const char *why_worthless(const struct fathom_selection *selection, tree function)
{
	unsigned least = selection->min_insns;

	if (has_attribute(function, "always_inline"))
		return "always inline";
	if (DECL_DECLARED_INLINE_P(function)) {
		if (!DECL_NO_INLINE_WARNING_P(function))
			return "declared inline";
		if (!least || fathom_measure_is_short(function, LARGE_METHOD))
			return "inline in its class";
	}
	if (least && fathom_measure_is_small(function, least))
		return "too small";
	return NULL;
}

/* Returns whether the function may have sleds without any other change of its code. Then it is decided later whether it
 * has. why_no_file: why the whole file can have no sleds, or NULL. */
static bool can_be_compiled_unchanged(const struct fathom_selection *selection, tree function, const char *why_no_file)
{
	return selection->hooks == FATHOM_HOOKS_LATE && selection->calls == FATHOM_CALLS_COMPILED && !why_no_file &&
	       !fathom_sleds_why_not(function);
}

/* Prints the decision about a function. what: the hooks that it gets; why: the reason if it gets no late hooks, or
 * NULL. */
static void say(const struct fathom_selection *selection, tree function, const char *what, const char *why)
{
	if (!selection->verbose || DECL_IN_SYSTEM_HEADER(function))
		return;
	fprintf(stderr, "fathom: %s %s%s%s\n", what, lang_hooks.decl_printable_name(function, 2), why ? ": " : "",
		why ? why : "");
}

/* Gives a function hooks, and prints that. why_no_file: why the whole file can have no sleds, or NULL. */
static void instrument(const struct fathom_selection *selection, tree function, const char *why_no_file)
{
	const char *what = "instrumented", *why = NULL;
	bool is_late = false;

	if (selection->hooks == FATHOM_HOOKS_LATE) {
		why = why_no_file ? why_no_file : fathom_sleds_why_no_mark(function);
		is_late = !why;
		what = why ? "early hooks for" : what;
	}
	if (is_late) {
		fathom_sleds_mark(function);
	} else if (is_coroutine(function)) {
		DECL_NO_INSTRUMENT_FUNCTION_ENTRY_EXIT(function) = 1;
		what = "left out", why = "a coroutine can have late hooks only";
	}
	say(selection, function, what, why);
}

/* Decides about one function. Returns why it gets no hooks; or NULL after it has been given hooks, or has been passed
 * on to be decided about later. */
static const char *decide(const struct fathom_selection *selection, tree function, name_set *resolvers,
			  const char *why_no_file)
{
	bool is_late = can_be_compiled_unchanged(selection, function, why_no_file);
	const char *why = why_impossible(function, resolvers);
	bool is_wanted = false, by_name = false;

	if (why)
		return why;
	if (!is_main(function)) {
		enum fathom_filter_answer answer = ask_filter(&selection->filter, function, &by_name);

		if (answer == FATHOM_FILTER_EXCLUDE)
			return "excluded by the filter";
		is_wanted = answer == FATHOM_FILTER_INCLUDE;
		why = is_wanted ? NULL : why_uninteresting(function);
		if (why)
			return why;
		/* A rule that names a function wants each call of it. */
		if (is_late && !by_name) {
			fathom_compiled_functions_add(function, is_wanted);
			return NULL;
		}
		why = fathom_inline_only_why(function);
		if (!why && !is_wanted)
			why = why_worthless(selection, function);
		if (why)
			return why;
	}
	instrument(selection, function, why_no_file);
	return NULL;
}

void fathom_select_all(const struct fathom_selection *selection)
{
	const char *why_no_file = fathom_sleds_why_no_file();
	name_set resolvers;
	cgraph_node *node;

	find_resolvers(&resolvers);
	FOR_EACH_FUNCTION(node) {
		tree function = node->decl;
		const char *why;

		if (!DECL_SAVED_TREE(function) || DECL_NO_INSTRUMENT_FUNCTION_ENTRY_EXIT(function))
			continue;
		why = decide(selection, function, &resolvers, why_no_file);
		if (why) {
			DECL_NO_INSTRUMENT_FUNCTION_ENTRY_EXIT(function) = 1;
			say(selection, function, "left out", why);
		}
	}
}
