#include "gcc-plugin.h"
#include "tree.h"
#include "backend.h"
#include "cgraph.h"
#include "context.h"
#include "gimple.h"
#include "hash-map.h"
#include "langhooks.h"
#include "options.h"
#include "tree-pass.h"

#include "gcc-plugin/late/compiled_functions.h"
#include "gcc-plugin/late/work.h"

/* A function of the source that may get sleds. */
struct candidate {
	char *name;			/* readable; NULL: not needed, because nothing is printed */
	bool in_any_case;		/* it has sleds even if it is small */
	bool is_compiled;		/* a function of its own was made of it, perhaps under another name */
};

/* Numbers of functions (DECL_UID). GCC may free trees, but does not use their numbers again. */
typedef int_hash<int, -1, -2> number_hash;

static struct {
	hash_map<number_hash, candidate> *candidates;
	hash_map<number_hash, bool> *chosen;	/* the compiled functions that have sleds */
	unsigned min_insns;
	int verbose;
} functions;

void fathom_compiled_functions_add(tree function, bool in_any_case)
{
	bool has_name = functions.verbose && !DECL_IN_SYSTEM_HEADER(function);
	candidate added = { NULL, in_any_case, false };

	if (has_name)
		added.name = xstrdup(lang_hooks.decl_printable_name(function, 2));
	functions.candidates->put(DECL_UID(function), added);
	DECL_NO_INSTRUMENT_FUNCTION_ENTRY_EXIT(function) = 1;
}

bool fathom_compiled_functions_has(tree function)
{
	return functions.chosen->get(DECL_UID(function)) != NULL;
}

/* Returns whether GCC has split the function off another one, or made it to work on vectors of arguments. */
static bool is_piece(tree function)
{
	const cgraph_node *node = cgraph_node::get(function);
	const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));

	return !node || node->split_part || node->simdclone || strstr(name, ".part.");
}

/* Returns the function of the source that this function is compiled from; NULL: it is no candidate. */
static candidate *source_of(tree function)
{
	candidate *source = functions.candidates->get(DECL_UID(function));

	if (is_piece(function))
		return NULL;
	/* A clone refers to the function that it was made from. */
	if (!source && DECL_ABSTRACT_ORIGIN(function))
		source = functions.candidates->get(DECL_UID(DECL_ORIGIN(function)));
	return source;
}

static void say(const candidate *source, const char *what, const char *why)
{
	if (source->name)
		fprintf(stderr, "fathom: %s %s%s%s\n", what, source->name, why ? ": " : "", why ? why : "");
}

/* Decides about the function that GCC is about to generate instructions for. Each function's work is estimated, because
 * its callers come later and contain this work. */
static unsigned decide(function *body)
{
	tree function = current_function_decl;
	candidate *source = source_of(function);
	bool is_small = fathom_work_is_small(body, functions.min_insns);

	if (!source)
		return 0;
	if (is_small && !source->in_any_case) {
		say(source, "left out", "too small");
	} else {
		if (!source->is_compiled)
			say(source, "instrumented", NULL);
		functions.chosen->put(DECL_UID(function), true);
	}
	source->is_compiled = true;
	return 0;
}

static const pass_data decision_data = { GIMPLE_PASS, "fathom_functions", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0,
					 0 };

class decision_pass : public gimple_opt_pass {
public:
	decision_pass(gcc::context *context) : gimple_opt_pass(decision_data, context) {}
	unsigned execute(function *body) final override { return decide(body); }
};

static bool say_if_gone(const int &, candidate *source, void *)
{
	if (!source->is_compiled)
		say(source, "left out", "GCC made no function of its own of it");
	return true;
}

static void report_gone(void *, void *)
{
	functions.candidates->traverse<void *, say_if_gone>(NULL);
}

void fathom_compiled_functions_init(const char *plugin_name, unsigned min_insns, int verbose)
{
	/* The pass runs when all optimisations of the intermediate code are done. */
	static struct register_pass_info place = { NULL, "optimized", 1, PASS_POS_INSERT_AFTER };

	functions.candidates = new hash_map<number_hash, candidate>;
	functions.chosen = new hash_map<number_hash, bool>;
	functions.min_insns = min_insns;
	functions.verbose = verbose;
	place.pass = new decision_pass(g);
	register_callback(plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &place);
	if (verbose)
		register_callback(plugin_name, PLUGIN_FINISH_UNIT, report_gone, NULL);
}
