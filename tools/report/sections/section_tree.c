#include "tools/report/sections/section_tree.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/common/scope_region.h"
#include "tools/report/display_tree.h"
#include "tools/report/region_text.h"
#include "tools/report/report.h"
#include "tools/report/tree_lines.h"

enum {
	DEPTH_DEFAULT = 40,
	FOLD_FROM = 4,		/* so many levels of a function that only calls itself become one line */
	NUMBERS = 34,		/* columns before the path, */
	SAMPLES = 16,		/* and of samples, if these are shown */
	WIDE = 110,		/* a page of this width has a column of places */
	PLACE = 28,
};

struct branch {			/* a child in the order of printing */
	double value;
	const char *name;	/* to sort by; NULL: sort by value */
	uint32_t node;
};

struct step {			/* a node that is still to be printed */
	uint32_t node;
	uint32_t depth;
	bool is_last;
	bool is_fold;		/* print one line for a run of recursion that begins at the node */
};

struct tree {
	struct fathom_report *report;
	const struct fathom_profile *profile;
	const struct fathom_values *values;
	struct fathom_display_tree shape;	/* the tree that is printed; node numbers are of this tree */
	struct fathom_display_tree sorted;	/* the same nodes with the metric to sort by; empty: sort by values */
	struct fathom_display_tree samples;	/* the same nodes with their samples; empty: there are none */
	bool has_estimates;		/* a time was printed that is an estimate by samples */
	bool has_scopes;		/* a loop or an inlined function was printed */
	struct fathom_tree_lines guide;
	struct branch *branches;	/* as shape.child, but the largest of each node first */
	bool *is_shown;
	uint32_t *visible;		/* by node: only the first so many branches are shown */
	struct step *stack;
	uint32_t stacked;
	uint32_t depth_limit;
	uint32_t shown, total;
	uint32_t scope_count;		/* of total, loops and inlined functions */
	bool cut_by_depth;
};

static int by_value(const void *a, const void *b)
{
	const struct branch *x = a, *y = b;

	int order = x->name && y->name ? strcmp(x->name, y->name) : 0;

	if (order)
		return order;
	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return x->node < y->node ? -1 : x->node > y->node;
}

static bool is_worth_showing(const struct tree *tree, uint32_t node)
{
	const struct fathom_report_options *options = &tree->report->options;
	double value = tree->shape.inclusive[node];

	if (options->all && options->least_percent <= 0)
		return true;
	/* Some files have a minimum or maximum of 0 where there was no visit. */
	if (tree->values->kind != FATHOM_VALUES_SUM)
		return !fathom_value_is_never(value) &&
		       !(tree->report->visits.own && tree->shape.visits[node] == 0);
	value = fathom_report_size(tree->report, value);
	return value > 0 && value >= options->least_percent / 100 * tree->report->whole;
}

/* Returns whether a node is the root of a tree of explicit tasks, which is printed by itself. */
static bool heads_tasks(const struct tree *tree, uint32_t node)
{
	const bool *in_tasks = tree->profile->in_tasks;
	int32_t parent = tree->shape.parent[node];

	return in_tasks[tree->shape.cnode[node]] && (parent < 0 || !in_tasks[tree->shape.cnode[parent]]);
}

static const struct fathom_cube_region *region_of(const struct tree *tree, uint32_t node)
{
	return fathom_profile_region(tree->profile, tree->shape.cnode[node]);
}

/* Chooses the nodes to show. A node without a minimum or maximum, or with a small difference, is shown if a node below
 * it is. */
static void choose_shown(struct tree *tree)
{
	for (uint32_t n = tree->shape.count; n-- > 0;) {
		int32_t parent = tree->shape.parent[n];

		tree->is_shown[n] |= is_worth_showing(tree, n);
		if (parent >= 0 && !heads_tasks(tree, n) &&
		    (tree->values->kind != FATHOM_VALUES_SUM || tree->report->is_difference))
			tree->is_shown[parent] |= tree->is_shown[n];
	}
}

static void sort_branches(struct tree *tree)
{
	const struct fathom_display_tree *shape = &tree->shape;
	uint32_t n, k;

	for (n = 0; n < shape->count; n++) {
		uint32_t begin = shape->first_child[n], end = shape->first_child[n + 1];

		for (k = begin; k < end; k++) {
			uint32_t child = shape->child[k];
			double value = tree->sorted.inclusive ? tree->sorted.inclusive[child] : shape->inclusive[child];
			const char *name = NULL;

			/* Branches that are not shown come after all that are shown. */
			if (heads_tasks(tree, child) || !tree->is_shown[child]) {
				value = -HUGE_VAL;
			} else {
				value = fathom_value_is_never(value) ? -DBL_MAX :
					fathom_report_size(tree->report, value);
				tree->visible[n]++;
				if (fathom_report_sorts_by_name(tree->report))
					name = region_of(tree, child)->name;
			}
			tree->branches[k] = (struct branch){ value, name, child };
		}
		qsort(tree->branches + begin, end - begin, sizeof(*tree->branches), by_value);
	}
}

/* Returns the child of a node if it is the only one shown and is the same function; else -1. Loops and inlined
 * functions between them, in which nothing else is shown, do not count. */
static int32_t next_of_run(const struct tree *tree, uint32_t node)
{
	uint32_t child = node;

	do {
		if (tree->visible[child] != 1)
			return -1;
		child = tree->branches[tree->shape.first_child[child]].node;
	} while (fathom_scope_is(region_of(tree, child)));
	return region_of(tree, child) == region_of(tree, node) ? (int32_t)child : -1;
}

/* Returns the last node of a run of recursion that begins at node; *levels becomes the number of its nodes. */
static uint32_t end_of_run(const struct tree *tree, uint32_t node, uint32_t *levels)
{
	int32_t next;

	for (*levels = 1; (next = next_of_run(tree, node)) >= 0; (*levels)++)
		node = (uint32_t)next;
	return node;
}

/* Returns whether a node was sampled, not recorded: its values are estimates, except numbers of samples. */
static bool is_sampled(const struct tree *tree, uint32_t node)
{
	return tree->samples.inclusive && tree->report->sampled.is_sampled[tree->shape.cnode[node]];
}

/* Returns the columns before the path. */
static int number_columns(const struct tree *tree)
{
	return NUMBERS + (tree->report->options.samples && tree->samples.inclusive ? SAMPLES : 0);
}

/* Prints how many samples a node has, and how sure its time is if that is an estimate. */
static void print_samples(const struct tree *tree, uint32_t node)
{
	double samples = tree->samples.inclusive[node], error = -1;
	char count[FATHOM_NUMBER_BYTES], text[16] = "";

	if (is_sampled(tree, node))
		error = fathom_sampled_times_error(samples, tree->report->sampled.shared[tree->shape.cnode[node]]);
	if (error >= 0)
		snprintf(text, sizeof(text), "%.*f%%", error < 0.0995 ? 1 : 0, 100 * error);
	printf("%8s %6s ", fathom_number_count(count, samples), text);
}

static void print_numbers(struct tree *tree, uint32_t node, double own, double visits)
{
	double inclusive = tree->shape.inclusive[node];
	bool is_estimate = is_sampled(tree, node) && tree->values->own == tree->report->time.own;
	struct fathom_page *page = &tree->report->page;
	const struct fathom_values *values = tree->values;
	char share[FATHOM_NUMBER_BYTES], own_share[FATHOM_NUMBER_BYTES];
	char value[FATHOM_NUMBER_BYTES], count[FATHOM_NUMBER_BYTES];
	bool is_sum = values->kind == FATHOM_VALUES_SUM;

	tree->has_estimates |= is_estimate;
	printf("%s%6s%s %9s%c%6s %8s  ",
	       fathom_page_style(page, fathom_share_style(fathom_report_share(tree->report, inclusive))),
	       is_sum ? fathom_number_percent(share, inclusive, tree->report->whole) : "",
	       fathom_page_style(page, FATHOM_STYLE_PLAIN), fathom_number_with_unit(value, inclusive,
										    values->metric->unit),
	       is_estimate ? FATHOM_SAMPLED_MARK : ' ',
	       is_sum ? fathom_number_percent(own_share, own, tree->report->whole) : "",
	       tree->report->visits.own && !is_sampled(tree, node) ? fathom_number_count(count, visits) : "-");
	if (tree->report->options.samples && tree->samples.inclusive)
		print_samples(tree, node);
}

/* Prints the parameters that distinguish call paths of a region: " n=16 who=me". Returns the columns that they take. */
static int print_parameters(const struct tree *tree, uint32_t cnode, int columns)
{
	const struct fathom_cube *cube = tree->profile->cube;
	const struct fathom_cube_cnode *node = &cube->cnodes[cnode];
	char text[1024];
	size_t length = 0;
	uint32_t p;

	if (node->parameter_count == 0 || columns < 6)
		return 0;
	for (p = 0; p < node->parameter_count && length < sizeof(text); p++) {
		const struct fathom_cube_parameter *parameter = &cube->parameters[node->first_parameter + p];

		length += (size_t)snprintf(text + length, sizeof(text) - length, " %s=%s", parameter->key,
					   parameter->value);
	}
	return fathom_page_name(&tree->report->page, text, columns);
}

/* Prints what a scope is, and moves *name to what follows. Returns the columns that it takes. */
static int print_scope_kind(struct tree *tree, const struct fathom_cube_region *region, const char **name)
{
	const struct fathom_page *page = &tree->report->page;
	int columns = (int)strcspn(*name, " ") + 1;

	if (!fathom_scope_is(region))
		return 0;
	tree->has_scopes = true;
	printf("%s%.*s%s", fathom_page_style(page, FATHOM_STYLE_DIM), columns, *name,
	       fathom_page_style(page, FATHOM_STYLE_PLAIN));
	*name += columns;
	return columns;
}

static void print_path(struct tree *tree, const struct step *step, const char *name, enum fathom_style ink)
{
	struct fathom_page *page = &tree->report->page;
	bool wide = page->width >= WIDE && !step->is_fold;
	int columns = page->width - number_columns(tree) - (wide ? PLACE + 2 : 0);
	char place[512];

	columns -= fathom_tree_lines_draw(&tree->guide, step->depth, step->is_last);
	if (!step->is_fold)
		columns -= print_scope_kind(tree, region_of(tree, step->node), &name);
	fputs(fathom_page_style(page, ink), stdout);
	columns -= fathom_page_name(page, name, columns);
	if (!step->is_fold)
		columns -= print_parameters(tree, tree->shape.cnode[step->node], columns);
	fputs(fathom_page_style(page, FATHOM_STYLE_PLAIN), stdout);
	if (wide) {
		fathom_page_blanks(columns);
		printf("  %s", fathom_page_style(page, FATHOM_STYLE_DIM));
		fathom_page_name(page,
				 fathom_region_place(region_of(tree, step->node), place, sizeof(place)), PLACE);
		fputs(fathom_page_style(page, FATHOM_STYLE_PLAIN), stdout);
	}
	putchar('\n');
}

static void push(struct tree *tree, uint32_t node, uint32_t depth, bool is_last, bool is_fold)
{
	tree->stack[tree->stacked++] = (struct step){ node, depth, is_last, is_fold };
}

static void push_children(struct tree *tree, uint32_t node, uint32_t depth)
{
	uint32_t first = tree->shape.first_child[node], levels, k;

	if (tree->visible[node] == 0)
		return;
	if (depth >= tree->depth_limit) {
		tree->cut_by_depth = true;
		return;
	}
	if (next_of_run(tree, node) >= 0 && !tree->report->options.all) {
		end_of_run(tree, node, &levels);
		if (levels > FOLD_FROM) {
			push(tree, (uint32_t)next_of_run(tree, node), depth, true, true);
			return;
		}
	}
	for (k = tree->visible[node]; k-- > 0;)
		push(tree, tree->branches[first + k].node, depth, k + 1 == tree->visible[node], false);
}

/* Prints one line for all further levels of a function that calls itself, and pushes the children of the last level. */
static void print_fold(struct tree *tree, const struct step *step)
{
	double own = 0, times = 0;
	uint32_t levels, last = end_of_run(tree, step->node, &levels), at = last, lines = 0;
	char text[96];

	for (;; at = (uint32_t)tree->shape.parent[at]) {	/* with the scopes between the levels */
		own += tree->shape.own[at];
		times += tree->shape.visits[at];
		lines++;
		if (at == step->node)
			break;
	}
	print_numbers(tree, step->node, own, times);
	snprintf(text, sizeof(text), "%s %u more levels of itself", fathom_page_ellipsis(&tree->report->page), levels);
	print_path(tree, step, text, FATHOM_STYLE_DIM);
	tree->shown += lines;
	push_children(tree, last, step->depth + 1);
}

/* Returns the loop that is all that is shown in a loop, if that has next to nothing itself and both are in one file;
 * else -1. */
static int32_t loop_directly_inside(const struct tree *tree, uint32_t node)
{
	const struct fathom_cube_region *outer = region_of(tree, node), *inner;
	double least = fmax(tree->report->options.least_percent / 100, 0.001) * tree->report->whole;
	uint32_t child;

	if (tree->report->options.all || tree->values->kind != FATHOM_VALUES_SUM || tree->visible[node] != 1 ||
	    !fathom_scope_is_loop(outer) || fathom_report_size(tree->report, tree->shape.own[node]) >= least)
		return -1;
	child = tree->branches[tree->shape.first_child[node]].node;
	inner = region_of(tree, child);
	return fathom_scope_is_loop(inner) && strcmp(inner->file, outer->file) == 0 ? (int32_t)child : -1;
}

/* Prints loops one directly inside the other, as "loop a.c:3, 4, 5", and pushes the children of the innermost one. */
static void print_loop_nest(struct tree *tree, const struct step *step)
{
	double own = tree->shape.own[step->node];
	uint32_t last = step->node;
	int32_t inner;
	char text[256];
	size_t length = (size_t)snprintf(text, sizeof(text), "%.180s", fathom_region_name(region_of(tree, last)));

	while (length < sizeof(text) - 16 && (inner = loop_directly_inside(tree, last)) >= 0) {
		last = (uint32_t)inner;
		length += (size_t)snprintf(text + length, sizeof(text) - length, ", %d",
					   region_of(tree, last)->begin_line);
		own += tree->shape.own[last];
		tree->shown++;
	}
	print_numbers(tree, step->node, own, tree->shape.visits[step->node]);
	print_path(tree, step, text, FATHOM_STYLE_PLAIN);
	tree->shown++;
	push_children(tree, last, step->depth + 1);
}

static void print_node(struct tree *tree, const struct step *step)
{
	const struct fathom_cube_region *region = region_of(tree, step->node);
	const char *name = "explicit tasks";
	uint32_t n = step->node;

	if (loop_directly_inside(tree, n) >= 0) {
		print_loop_nest(tree, step);
		return;
	}
	print_numbers(tree, n, tree->shape.own[n], tree->shape.visits[n]);
	if (!heads_tasks(tree, n))
		name = fathom_region_name(region);
	else if (strcmp(tree->values->metric->uniq_name, "time") == 0)
		name = "explicit tasks (contained in the above)";
	print_path(tree, step, name, fathom_region_style(region));
	tree->shown++;
	push_children(tree, n, step->depth + 1);
}

static void print_tree(struct tree *tree)
{
	for (uint32_t n = 0; n < tree->shape.count; n++) {
		if (tree->shape.parent[n] >= 0 && !heads_tasks(tree, n))
			continue;
		if (!tree->is_shown[n])
			continue;
		push(tree, n, 0, true, false);
		while (tree->stacked > 0 && !fathom_tool_output_lost()) {
			struct step step = tree->stack[--tree->stacked];

			if (step.is_fold)
				print_fold(tree, &step);
			else
				print_node(tree, &step);
		}
	}
}

static void print_rest(struct tree *tree)
{
	struct fathom_page *page = &tree->report->page;
	uint32_t rest = tree->total - tree->shown;
	char text[256], depth[64] = "";

	if (rest == 0)
		return;
	if (tree->cut_by_depth)
		snprintf(depth, sizeof(depth), " or lie deeper than %u levels (--depth)", tree->depth_limit);
	snprintf(text, sizeof(text), "%u of %u call paths%s are not shown: they have less than %g%% (--min)%s.", rest,
		 tree->total, tree->scope_count ? ", loops and inlined calls" : "",
		 tree->report->options.least_percent, depth);
	printf("%s", fathom_page_style(page, FATHOM_STYLE_DIM));
	fathom_page_paragraph(page, text, 0);
	printf("%s", fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

static void explain_scopes(struct tree *tree)
{
	struct fathom_page *page = &tree->report->page;
	const char *remark = tree->report->scopes_remark;

	printf("%s", fathom_page_style(page, FATHOM_STYLE_DIM));
	if (tree->has_scopes)
		fathom_page_paragraph(page, "loop, inlined: parts of the function around them, found by samples; that "
				      "function's own time is without them (--no-scopes: functions only)", 0);
	printf("%s", fathom_page_style(page, FATHOM_STYLE_PLAIN));
	if (!remark)
		return;
	printf("%s", fathom_page_style(page, FATHOM_STYLE_WARN));
	fathom_page_paragraph(page, remark, 0);
	printf("%s", fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

void fathom_report_tree(struct fathom_report *report)
{
	struct fathom_page *page = &report->page;
	struct tree tree = { .report = report, .profile = &report->profile, .values = &report->values };
	bool is_sum = report->values.kind == FATHOM_VALUES_SUM;
	char title[256], remark[128], text[48] = "";

	/* Iterations are one node unless --all is given, because they have a section of their own. */
	fathom_display_tree_init(&tree.shape, &report->profile, &report->values, &report->visits, !report->options.all);
	if (report->sort_values.own)
		fathom_display_tree_init(&tree.sorted, &report->profile, &report->sort_values, &report->visits,
					 !report->options.all);
	if (report->sampled.samples.own)
		fathom_display_tree_init(&tree.samples, &report->profile, &report->sampled.samples, &report->visits,
					 !report->options.all);
	tree.total = tree.shape.count;
	tree.depth_limit = report->options.depth >= 0 ? (uint32_t)report->options.depth :
			   report->options.all	      ? UINT32_MAX : DEPTH_DEFAULT;
	tree.branches = fathom_tool_alloc(tree.shape.count, sizeof(*tree.branches));
	tree.is_shown = fathom_tool_alloc(tree.shape.count, sizeof(*tree.is_shown));
	tree.visible = fathom_tool_alloc(tree.shape.count, sizeof(*tree.visible));
	tree.stack = fathom_tool_alloc((size_t)tree.shape.count + 1, sizeof(*tree.stack));
	fathom_tree_lines_init(&tree.guide, page,
			       page->width - number_columns(&tree) - (page->width >= WIDE ? PLACE + 2 : 0));
	choose_shown(&tree);
	sort_branches(&tree);

	snprintf(title, sizeof(title), "Call tree by %s%s%s%s", is_sum ? "inclusive " : "",
		 report->values.metric->uniq_name, report->options.sort ? ", sorted by " : "",
		 report->options.sort ? report->options.sort : "");
	for (uint32_t n = 0; n < tree.shape.count; n++)
		tree.scope_count += fathom_scope_is(region_of(&tree, n));
	if (tree.scope_count && !tree.shape.is_together)	/* else there is no room for it */
		snprintf(text, sizeof(text), ", %u loops and inlined calls", tree.scope_count);
	snprintf(remark, sizeof(remark), "%u call paths%s%s", tree.total - tree.scope_count, text,
		 tree.shape.is_together ? ", iterations together: --all" : "");
	fathom_page_heading(page, title, remark);
	if (is_sum && !(report->whole > 0) && !report->options.all) {
		printf(report->is_difference ? "%s does not differ.\n" : "%s is nowhere more than zero.\n",
		       report->values.metric->uniq_name);
	} else {
		printf("%s%6s %9s %6s %8s  %scall path%s\n", fathom_page_style(page, FATHOM_STYLE_DIM),
		       is_sum ? "incl." : "", strcmp(report->values.metric->unit, "bytes") == 0 ? "bytes" :
		       strcmp(report->values.metric->uniq_name, "time") == 0 ? "time" : "value",
		       is_sum ? "own" : "", "visits",
		       report->options.samples && tree.samples.inclusive ? " samples  +-95% " : "",
		       fathom_page_style(page, FATHOM_STYLE_PLAIN));
		print_tree(&tree);
		if (tree.has_estimates)
			fathom_sampled_times_explain(page);
		explain_scopes(&tree);
		print_rest(&tree);
	}
	fathom_tree_lines_fini(&tree.guide);
	free(tree.stack);
	free(tree.visible);
	free(tree.is_shown);
	free(tree.branches);
	if (tree.sorted.inclusive)
		fathom_display_tree_fini(&tree.sorted);
	if (tree.samples.inclusive)
		fathom_display_tree_fini(&tree.samples);
	fathom_display_tree_fini(&tree.shape);
}
