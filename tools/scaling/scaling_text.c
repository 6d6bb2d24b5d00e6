#include "tools/scaling/scaling_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"

enum {
	NAME_WIDTH = 26,	/* of the names of factors */
	VALUE_WIDTH = 9,	/* of a value, with the blank before it */
	LOSS_WIDTH = 36,	/* of the numbers of a loss */
	MODEL_WIDTH = 56,	/* of the numbers of a model */
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Writes "4" for 4 ranks with a thread each, "4 x 2" for 4 ranks with 2 threads each. */
static const char *size_text(char text[FATHOM_NUMBER_BYTES], const struct fathom_size *size)
{
	if (size->threads == size->processes)
		snprintf(text, FATHOM_NUMBER_BYTES, "%u", size->processes);
	else if (size->threads % size->processes == 0)
		snprintf(text, FATHOM_NUMBER_BYTES, "%ux%u", size->processes, size->threads / size->processes);
	else
		snprintf(text, FATHOM_NUMBER_BYTES, "%u/%u", size->processes, size->threads);
	return text;
}

/* Writes "4 ranks" or "4 ranks, 8 threads". */
static const char *size_words(char text[64], const struct fathom_size *size)
{
	int length = snprintf(text, 64, "%u rank%s", size->processes, size->processes == 1 ? "" : "s");

	if (size->threads != size->processes)
		snprintf(text + length, 64 - (size_t)length, ", %u threads", size->threads);
	return text;
}

static void print_dim(struct fathom_page *page, const char *text)
{
	printf("%s", fathom_page_style(page, FATHOM_STYLE_DIM));
	fathom_page_paragraph(page, text, 0);
	printf("%s", fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

/* --- efficiencies -------------------------------------------------------------------------------------------- */

/* The sizes that are columns of a block of the table; the last block also has the projection. */
struct block {
	uint32_t first, end;
	bool has_projection;
};

static void print_line_name(const char *name, int indent)
{
	printf("%*s%-*s", indent, "", NAME_WIDTH - indent, name);
}

/* Prints a line of a number of the sizes, by its kind. */
enum line { LINE_SIZE, LINE_WALL_TIME, LINE_RUN_TIME, LINE_SPEED_UP, LINE_LOSS, LINES };

static bool has_line(const struct fathom_scaling *scaling, enum line line)
{
	for (uint32_t s = 0; s < scaling->count; s++)
		if ((line == LINE_WALL_TIME && scaling->sizes[s].wall_time < 0) ||
		    ((line == LINE_RUN_TIME || line == LINE_SPEED_UP) && scaling->sizes[s].run_time < 0))
			return false;
	return true;
}

static const char *line_value(char text[FATHOM_NUMBER_BYTES], const struct fathom_size *size, enum line line)
{
	if (line == LINE_SIZE)
		return size_text(text, size);
	if (line == LINE_WALL_TIME)
		return fathom_number_seconds(text, size->wall_time);
	if (line == LINE_RUN_TIME)
		return fathom_number_seconds(text, size->run_time);
	if (line == LINE_LOSS)
		return fathom_number_percent(text, size->loss, 1);
	snprintf(text, FATHOM_NUMBER_BYTES, "%.2f", size->speed_up);
	return text;
}

static void print_line(const struct fathom_scaling *scaling, const struct fathom_page *page, const struct block *block,
		       enum line line)
{
	static const char *const names[LINES] = {
		"Ranks x threads", "Wall time", "Run time", "Speed-up", "Scaling loss",
	};
	char text[FATHOM_NUMBER_BYTES];

	if (!has_line(scaling, line))
		return;
	print_line_name(names[line], 0);
	for (uint32_t s = block->first; s < block->end; s++)
		printf("%*s", VALUE_WIDTH, line_value(text, &scaling->sizes[s], line));
	if (block->has_projection && line == LINE_SIZE) {
		snprintf(text, sizeof(text), "->%.0f", scaling->target);
		printf("%s%*s%s", fathom_page_style(page, FATHOM_STYLE_DIM), VALUE_WIDTH, text,
		       fathom_page_style(page, FATHOM_STYLE_PLAIN));
	}
	putchar('\n');
}

static void print_factor(const struct fathom_scaling *scaling, const struct fathom_page *page,
			 const struct block *block, enum fathom_factor factor, int indent)
{
	bool is_known = false;

	for (uint32_t s = 0; s < scaling->count; s++)
		is_known |= scaling->sizes[s].factors[factor] >= 0;
	if (!is_known)
		return;
	print_line_name(fathom_factor_table[factor].title, indent);
	for (uint32_t s = block->first; s < block->end; s++) {
		double value = scaling->sizes[s].factors[factor];
		bool is_broken = value >= 0 && value < fathom_factor_limit;

		if (value < 0)
			printf("%*s", VALUE_WIDTH, "-");
		else
			printf("%s%*.3f%s", is_broken ? fathom_page_style(page, FATHOM_STYLE_HOT) : "", VALUE_WIDTH,
			       value, is_broken ? fathom_page_style(page, FATHOM_STYLE_PLAIN) : "");
	}
	if (block->has_projection && !isnan(scaling->projected[factor]))
		printf("%s%*.3f%s", fathom_page_style(page, FATHOM_STYLE_DIM), VALUE_WIDTH, scaling->projected[factor],
		       fathom_page_style(page, FATHOM_STYLE_PLAIN));
	putchar('\n');
}

static void print_block(const struct fathom_scaling *scaling, const struct fathom_page *page, const struct block *block)
{
	static const struct { enum fathom_factor factor; int indent; } lines[] = {
		{ FATHOM_FACTOR_GLOBAL, 0 },	     { FATHOM_FACTOR_PARALLEL, 2 }, { FATHOM_FACTOR_BALANCE, 4 },
		{ FATHOM_FACTOR_COMMUNICATION, 4 },  { FATHOM_FACTOR_SERIALISATION, 6 }, { FATHOM_FACTOR_TRANSFER, 6 },
		{ FATHOM_FACTOR_THREADS, 4 },	     { FATHOM_FACTOR_COMPUTATION, 2 },
		{ FATHOM_FACTOR_INSTRUCTIONS, 4 },   { FATHOM_FACTOR_IPC, 4 },	{ FATHOM_FACTOR_FREQUENCY, 4 },
	};

	for (enum line line = LINE_SIZE; line < LINES; line++)
		print_line(scaling, page, block, line);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		print_factor(scaling, page, block, lines[i].factor, lines[i].indent);
}

static void print_broken(const struct fathom_scaling *scaling, struct fathom_page *page)
{
	char text[256], words[64];

	if (scaling->first_broken == FATHOM_FACTOR_COUNT)
		snprintf(text, sizeof(text), "No factor is below %.2f.", fathom_factor_limit);
	else
		snprintf(text, sizeof(text), "The first to break: %s, %.3f with %s (below %.2f).",
			 fathom_factor_table[scaling->first_broken].title,
			 scaling->sizes[scaling->broken_at].factors[scaling->first_broken],
			 size_words(words, &scaling->sizes[scaling->broken_at]), fathom_factor_limit);
	fathom_page_paragraph(page, text, 0);
}

static void print_efficiencies(const struct fathom_scaling *scaling, struct fathom_page *page)
{
	uint32_t most = (uint32_t)((page->width - NAME_WIDTH) / VALUE_WIDTH);
	bool has_projection = !isnan(scaling->projected[FATHOM_FACTOR_GLOBAL]) ||
			      !isnan(scaling->projected[FATHOM_FACTOR_COMPUTATION]);
	struct block block;

	fathom_page_heading(page, "Efficiency", has_projection ? "->: projected" : "");
	for (block.first = 0; block.first < scaling->count; block.first = block.end) {
		uint32_t rest = scaling->count - block.first;

		block.end = block.first + (rest < most ? rest : most);
		/* The projection takes the place of a size. */
		block.has_projection = has_projection && block.end == scaling->count && rest < most;
		if (has_projection && rest == most)
			block.end--;
		if (block.first)
			putchar('\n');
		print_block(scaling, page, &block);
	}
	print_broken(scaling, page);
}

/* --- losses -------------------------------------------------------------------------------------------------- */

static void print_loss(const struct fathom_scaling *scaling, const struct fathom_page *page, double loss, double from,
		       double to)
{
	uint32_t last = scaling->count - 1;
	char share[FATHOM_NUMBER_BYTES], before[FATHOM_NUMBER_BYTES], after[FATHOM_NUMBER_BYTES];
	enum fathom_style style = loss > 0 ? FATHOM_STYLE_HOT : FATHOM_STYLE_GREEN;

	fathom_number_percent(share, fathom_scaling_share(scaling, loss, last), 1);
	printf("%s%8s%s  %11s  %11s  ", fathom_page_style(page, style), share,
	       fathom_page_style(page, FATHOM_STYLE_PLAIN),
	       fathom_number_with_unit(before, from, scaling->matched.unit),
	       fathom_number_with_unit(after, to, scaling->matched.unit));
}

static void print_losses(const struct fathom_scaling *scaling, struct fathom_page *page, int64_t top, bool all)
{
	const struct fathom_matched_list *list = &scaling->matched.call_paths;
	const struct fathom_size *first = &scaling->sizes[0], *last = &scaling->sizes[scaling->count - 1];
	char title[128], from[FATHOM_NUMBER_BYTES], to[FATHOM_NUMBER_BYTES];
	size_t left = 0;
	int64_t shown = 0;

	snprintf(title, sizeof(title), "Scaling losses from %s to %s %s", size_text(from, first), size_text(to, last),
		 last->threads == last->processes ? "ranks" : "ranks x threads");
	fathom_page_heading(page, title, "own values per thread");
	printf("%s%8s  %11s  %11s  %s%s\n", fathom_page_style(page, FATHOM_STYLE_DIM), "loss", from, to, "call path",
	       fathom_page_style(page, FATHOM_STYLE_PLAIN));
	print_loss(scaling, page, fathom_scaling_loss(scaling, last->total, first->total, scaling->count - 1),
		   first->total, last->total);
	printf("the whole run\n");
	for (size_t i = 0; i < list->count && !fathom_tool_output_lost(); i++) {
		const struct fathom_scaled_item *path = &scaling->paths[i];
		const struct fathom_matched_item *item = &list->items[path->item];
		double share = fathom_scaling_share(scaling, path->loss, scaling->count - 1);
		char text[4096];

		if (path->loss == 0 || (!all && share < 0.0005))
			continue;
		if (shown >= top) {
			left++;
			continue;
		}
		shown++;
		print_loss(scaling, page, path->loss, fathom_scaling_own(scaling, item, 0),
			   fathom_scaling_own(scaling, item, scaling->count - 1));
		fathom_matched_path(list, path->item, text, sizeof(text));
		fathom_page_text(page, text, page->width - LOSS_WIDTH);
		putchar('\n');
	}
	if (left)
		printf("%zu more call paths are not shown (--top).\n", left);
}

/* --- models -------------------------------------------------------------------------------------------------- */

static void print_model(const struct fathom_scaling *scaling, const struct fathom_growth_model *model, double now)
{
	char term[FATHOM_GROWTH_TERM_BYTES], error[FATHOM_NUMBER_BYTES], value[FATHOM_NUMBER_BYTES];
	char predicted[FATHOM_NUMBER_BYTES];
	const char *unit = scaling->matched.unit;

	printf("%-17s %7s  ", fathom_growth_model_term(model, term), fathom_number_percent(error, model->error, 1));
	printf("%12s  %12s  ", fathom_number_with_unit(value, now, unit),
	       fathom_number_with_unit(predicted, model->predicted, unit));
}

static void print_models(const struct fathom_scaling *scaling, struct fathom_page *page, int64_t top, bool all)
{
	const struct fathom_matched_list *list = &scaling->matched.call_paths;
	uint32_t last = scaling->count - 1;
	char text[4096], now[FATHOM_NUMBER_BYTES], target[FATHOM_NUMBER_BYTES];
	int64_t shown = 0;
	size_t left = 0;

	if (!scaling->whole.is_there) {
		snprintf(text, sizeof(text), "%u sizes: models of the growth, and predictions, need at least %d.",
			 scaling->count, FATHOM_GROWTH_SIZES_LEAST);
		print_dim(page, text);
		return;
	}
	fathom_page_heading(page, "Growth with the number of threads, p", "own values per thread");
	snprintf(now, sizeof(now), "%u", scaling->sizes[last].threads);
	snprintf(target, sizeof(target), "%.0f", scaling->target);
	printf("%s%-17s %7s  %12s  %12s  %s%s\n", fathom_page_style(page, FATHOM_STYLE_DIM), "model", "error", now,
	       target, "call path", fathom_page_style(page, FATHOM_STYLE_PLAIN));
	print_model(scaling, &scaling->whole, scaling->sizes[last].total);
	printf("the whole run\n");
	for (size_t i = 0; i < scaling->growing_count && !fathom_tool_output_lost(); i++) {
		const struct fathom_scaled_item *path = &scaling->growing[i];

		if (!all && path->growth <= 0.0005 * fabs(scaling->whole.predicted))
			continue;
		if (shown >= top) {
			left++;
			continue;
		}
		shown++;
		print_model(scaling, &path->model, fathom_scaling_own(scaling, &list->items[path->item], last));
		fathom_matched_path(list, path->item, text, sizeof(text));
		fathom_page_text(page, text, page->width - MODEL_WIDTH);
		putchar('\n');
	}
	if (!shown)
		printf("No call path grows.%s\n", all ? "" : " (--all lists all models)");
	if (left)
		printf("%zu more call paths are not shown (--top).\n", left);
}

/* --- the page ------------------------------------------------------------------------------------------------ */

static void print_expectation(const struct fathom_scaling *scaling, struct fathom_page *page)
{
	static const char *const meanings[] = {
		[FATHOM_EXPECT_STRONG] = "Strong scaling is expected: the work of all threads together stays the same",
		[FATHOM_EXPECT_WEAK] = "Weak scaling is expected: the work of each thread stays the same",
		[FATHOM_EXPECT_MULTICORE] = "Each core of a node is expected to work as fast as one alone",
	};
	char text[256];

	if (scaling->expectation == FATHOM_EXPECT_COEFFICIENTS)
		snprintf(text, sizeof(text), "A loss is %g times the value at a size less %g times the value at the "
			 "smallest size.", scaling->a, scaling->b);
	else if (scaling->is_recognised)
		snprintf(text, sizeof(text), "%s (recognised by: %s; --expect changes it).",
			 meanings[scaling->expectation], scaling->recognised_by);
	else
		snprintf(text, sizeof(text), "%s.", meanings[scaling->expectation]);
	print_dim(page, text);
}

/* Prints at which sizes the times say little about the program. */
static void print_sharing(const struct fathom_scaling *scaling, struct fathom_page *page)
{
	char text[512] = "", size[FATHOM_NUMBER_BYTES];
	size_t length = 0;

	for (uint32_t s = 0; s < scaling->count && length + FATHOM_NUMBER_BYTES < sizeof(text) / 2; s++)
		if (scaling->sizes[s].shares_processors)
			length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%s",
						   length ? ", " : "Size ", size_text(size, &scaling->sizes[s]));
	if (!length)
		return;
	snprintf(text + length, sizeof(text) - length, ": ranks or threads shared processors in these runs, so their "
		 "times tell little about how the program scales.");
	printf("%s", fathom_page_style(page, FATHOM_STYLE_WARN));
	fathom_page_paragraph(page, text, 0);
	printf("%s", fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

void fathom_scaling_print(const struct fathom_scaling *scaling, struct fathom_page *page, int64_t top, bool all)
{
	char program[200], remark[64];

	snprintf(program, sizeof(program), "%.190s", base_name(scaling->matched.runs[scaling->order[0]].program));
	snprintf(remark, sizeof(remark), "%u runs of %u sizes", scaling->matched.count, scaling->count);
	fathom_page_heading(page, program, remark);
	print_expectation(scaling, page);
	print_sharing(scaling, page);
	print_efficiencies(scaling, page);
	print_losses(scaling, page, top, all);
	print_models(scaling, page, top, all);
}
