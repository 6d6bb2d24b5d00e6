/*
 * cut: the command line of `fathom cut`, which makes a profile of a part of a call tree.
 *
 * A call path is named by the end of its path: "solve", or "main > solve". Names are patterns (fnmatch). Subtrees
 * can be made roots, or be reduced to their top, which gets their values. Single call paths can be dropped: their
 * callers get their values and what they call. Equal call paths that then have the same caller become one.
 */
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/algebra/operation.h"
#include "tools/common/argument.h"
#include "tools/common/command.h"

static const char help[] =
	"usage: fathom cut [OPTION...] -o FILE.cubex RUN\n"
	"\n"
	"Write a profile of a part of the call tree. RUN is an experiment directory or a\n"
	".cubex file. PATH is the name of a region (with *, ? and [] as in file names), or\n"
	"the last names of a call path: \"main > solve\". Options can be repeated.\n"
	"\n"
	"  --root PATH               keep only what is below PATH, which becomes a root\n"
	"  --prune PATH              drop what PATH calls, and add its values to PATH\n"
	"  --hide PATH               drop PATH alone: its caller gets its values and\n"
	"                            what it calls\n"
	"  -o, --output FILE.cubex   the new profile; nothing is overwritten\n"
	"  --help, --version\n";

enum { PATTERNS_MOST = 64, NAMES_MOST = 64 };
enum action { ROOT, PRUNE, HIDE };

struct pattern {
	enum action action;
	const char *text;		/* as it was given; copy: split into names */
	char *copy;
	char *names[NAMES_MOST];	/* the last name of the path first */
	int name_count;
	uint32_t matches;
};

struct options {
	const char *output;
	struct pattern patterns[PATTERNS_MOST];
	int pattern_count;
	bool has_roots;
};

static const char *const action_names[] = { "--root", "--prune", "--hide" };

/* Splits "main > solve" into names without blanks around them. */
static void add_pattern(struct options *options, enum action action, const char *text)
{
	struct pattern *pattern = &options->patterns[options->pattern_count];
	char *copy = strdup(text), *end;

	if (!copy)
		fathom_tool_out_of_memory(strlen(text));
	if (options->pattern_count == PATTERNS_MOST)
		fathom_tool_usage_error("%s %s: more than %d patterns", action_names[action], text, PATTERNS_MOST);
	*pattern = (struct pattern){ .action = action, .text = text, .copy = copy };
	for (end = copy + strlen(copy); end; ) {
		char *separator = NULL, *name = copy;

		for (char *at = strstr(copy, " > "); at; at = strstr(at + 1, " > "))
			separator = at;
		if (separator) {
			*separator = '\0';
			name = separator + 3;
		}
		name += strspn(name, " ");
		if (!*name || pattern->name_count == NAMES_MOST)
			fathom_tool_usage_error("%s %s: not a region or path (\"main > solve\")", action_names[action],
						text);
		pattern->names[pattern->name_count++] = name;
		end = separator;
	}
	options->has_roots |= action == ROOT;
	options->pattern_count++;
}

static void parse(struct options *options, int argc, char **argv)
{
	enum { ROOT_OPTION = 256, PRUNE_OPTION, HIDE_OPTION };
	static const struct option known[] = {
		{ "root", required_argument, NULL, ROOT_OPTION },
		{ "prune", required_argument, NULL, PRUNE_OPTION },
		{ "hide", required_argument, NULL, HIDE_OPTION },
		{ "output", required_argument, NULL, 'o' },
		FATHOM_COMMON_OPTIONS,
		{ NULL, 0, NULL, 0 },
	};
	int code;

	opterr = 0;
	while ((code = getopt_long(argc, argv, ":ho:", known, NULL)) != -1) {
		switch (code) {
		case ROOT_OPTION: add_pattern(options, ROOT, optarg); break;
		case PRUNE_OPTION: add_pattern(options, PRUNE, optarg); break;
		case HIDE_OPTION: add_pattern(options, HIDE, optarg); break;
		case 'o': options->output = optarg; break;
		default: fathom_argument_other(argv, code, help);
		}
	}
	if (!options->output)
		fathom_tool_usage_error("the name of the new profile is missing: -o FILE.cubex");
	if (!options->pattern_count)
		fathom_tool_usage_error("nothing is to be cut (--root, --prune or --hide PATH)");
	if (argc - optind != 1)
		fathom_tool_usage_error("one run is cut, not %d", argc - optind);
	fathom_operation_check_output(options->output);
}

/* Returns whether a call path ends with the names of a pattern. */
static bool is_match(const struct fathom_profile *profile, uint32_t cnode, const struct pattern *pattern)
{
	int32_t at = (int32_t)cnode;

	for (int i = 0; i < pattern->name_count; i++) {
		if (at < 0 || fnmatch(pattern->names[i], fathom_profile_region(profile, (uint32_t)at)->name, 0) != 0)
			return false;
		at = profile->cube->cnodes[at].parent;
	}
	return true;
}

static bool is_named(struct options *options, const struct fathom_profile *profile, uint32_t cnode, enum action action)
{
	bool is_any = false;

	for (int i = 0; i < options->pattern_count; i++)
		if (options->patterns[i].action == action && is_match(profile, cnode, &options->patterns[i])) {
			options->patterns[i].matches++;
			is_any = true;
		}
	return is_any;
}

/* Returns the node of the tree for a call path that is kept: an equal one with the same caller, or a new one. */
static int32_t place(struct fathom_united_tree *tree, const struct fathom_profile *profile, uint32_t cnode,
		     int32_t parent, bool unites)
{
	int32_t node = unites ? fathom_united_tree_find(tree, profile, 1, cnode, parent, FATHOM_SAME_LINE) : -1;

	return node >= 0 ? node : fathom_united_tree_add(tree, profile, cnode, parent);
}

/* Finds for each call path of the input its node in the new tree. -1: it goes. 0, or -EINVAL after an error message. */
static int cut_tree(struct options *options, struct fathom_algebra_input *input, struct fathom_united_tree *tree,
		    int32_t *node)
{
	const struct fathom_profile *profile = &input->profile;
	uint32_t count = profile->cube->cnode_count;
	bool *is_pruned = fathom_tool_alloc(count, sizeof(*is_pruned));	/* its callees are put into it */
	bool has_hidden = false;

	input->is_absorbed = fathom_tool_alloc(count, sizeof(*input->is_absorbed));
	for (uint32_t c = 0; c < count; c++) {
		int32_t parent = profile->cube->cnodes[c].parent, above = parent < 0 ? -1 : node[parent];
		bool is_root = (parent < 0 && !options->has_roots) ||
			       (is_named(options, profile, c, ROOT) && above < 0);
		bool is_hidden = is_named(options, profile, c, HIDE), prunes = is_named(options, profile, c, PRUNE);

		node[c] = -1;
		if (above < 0 && !is_root)
			continue;
		if (above >= 0 && (is_pruned[parent] || is_hidden)) {
			/* The trees of explicit tasks have the time of their stubs once more. */
			input->is_absorbed[c] = true;
			node[c] = profile->in_tasks[c] != profile->in_tasks[parent] ? -1 : above;
			is_pruned[c] = is_pruned[parent] || prunes;
			has_hidden = true;
			continue;
		}
		node[c] = place(tree, profile, c, above, has_hidden);
		is_pruned[c] = prunes;
	}
	free(is_pruned);
	if (!has_hidden) {
		free(input->is_absorbed);
		input->is_absorbed = NULL;
	}
	for (int i = 0; i < options->pattern_count; i++)
		if (!options->patterns[i].matches) {
			fathom_tool_error("%s: %s %s: there is no such call path (fathom report lists them)",
					  input->path, action_names[options->patterns[i].action],
					  options->patterns[i].text);
			return -EINVAL;
		}
	return 0;
}

int main(int argc, char **argv)
{
	static struct fathom_algebra algebra;
	static struct options options;
	struct fathom_united_tree tree = { 0 };
	int32_t *node = NULL;
	int err;

	fathom_tool_begin("cut");
	parse(&options, argc, argv);
	err = fathom_algebra_open(&algebra, argv + optind, 1);
	if (!err) {
		node = fathom_tool_alloc(algebra.inputs[0].profile.cube->cnode_count, sizeof(*node));
		err = cut_tree(&options, &algebra.inputs[0], &tree, node);
	}
	if (!err) {
		fathom_united_tree_finish(&tree, &algebra.cube);
		fathom_algebra_set_members(&algebra, &algebra.inputs[0], &tree, node);
		fathom_algebra_match_locations(&algebra);
		err = fathom_operation_write(&algebra, FATHOM_OPERATION_CUT, 0, options.output);
	}
	free(node);
	fathom_united_tree_fini(&tree);
	fathom_algebra_fini(&algebra);
	for (int i = 0; i < options.pattern_count; i++)
		free(options.patterns[i].copy);
	return err ? FATHOM_TOOL_FAILURE : fathom_tool_end();
}
