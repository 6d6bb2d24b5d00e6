#include "tools/diff/diff_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/json_writer.h"
#include "tools/common/number_format.h"

/* --- text ------------------------------------------------------------------------------------------ */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Writes a difference with its sign: "+1.234 s". */
static const char *difference(char text[FATHOM_NUMBER_BYTES + 1], const struct fathom_diff *diff, double value)
{
	text[0] = value < 0 ? '-' : '+';
	fathom_number_with_unit(text + 1, fabs(value), diff->matched.unit);
	return text;
}

/* Writes the difference in per cent of the value before: "+12.3%", "new", "gone". */
static const char *percent(char text[FATHOM_NUMBER_BYTES], const struct fathom_change *change)
{
	if (change->is_new)
		return strcpy(text, "new");
	if (change->is_gone)
		return strcpy(text, "gone");
	if (change->before == 0)
		return strcpy(text, "-");
	snprintf(text, FATHOM_NUMBER_BYTES, "%+.1f%%", 100 * (change->after / change->before - 1));
	return text;
}

static void print_numbers(const struct fathom_diff *diff, const struct fathom_page *page,
			  const struct fathom_change *change)
{
	char before[FATHOM_NUMBER_BYTES], after[FATHOM_NUMBER_BYTES], delta[FATHOM_NUMBER_BYTES + 1];
	char share[FATHOM_NUMBER_BYTES], noise[FATHOM_NUMBER_BYTES];
	enum fathom_style style = !change->is_change ? FATHOM_STYLE_DIM :
				  change->after > change->before ? FATHOM_STYLE_HOT : FATHOM_STYLE_GREEN;

	printf("%9s %9s %s%10s %7s%s ", fathom_number_with_unit(before, change->before, diff->matched.unit),
	       fathom_number_with_unit(after, change->after, diff->matched.unit), fathom_page_style(page, style),
	       difference(delta, diff, change->after - change->before), percent(share, change),
	       fathom_page_style(page, FATHOM_STYLE_PLAIN));
	printf("%9s  ", fathom_number_with_unit(noise, change->noise, diff->matched.unit));
}

enum { NUMBERS_WIDTH = 50 };	/* columns of print_numbers */

static void print_header(const struct fathom_page *page, const char *what)
{
	printf("%s%9s %9s %10s %7s %9s  %s%s\n", fathom_page_style(page, FATHOM_STYLE_DIM), "A", "B", "change", "",
	       "+- noise", what, fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

static void print_run(struct fathom_page *page, const struct fathom_diff *diff, uint32_t r)
{
	const struct fathom_matched_run *run = &diff->matched.runs[r];
	char wall[FATHOM_NUMBER_BYTES];

	printf("%c  %9s  %u rank%s, %u thread%s  ", r < diff->first_count ? 'A' : 'B',
	       run->wall_time >= 0 ? fathom_number_seconds(wall, run->wall_time) : "-", run->processes,
	       run->processes == 1 ? "" : "s", run->threads, run->threads == 1 ? "" : "s");
	fathom_page_text(page, run->path, page->width - 36);
	putchar('\n');
}

/* Prints what limits the comparison. */
static void print_remarks(struct fathom_page *page, const struct fathom_diff *diff)
{
	const struct fathom_matched_runs *matched = &diff->matched;
	bool differ = false;

	for (uint32_t r = 1; r < matched->count; r++)
		differ |= matched->runs[r].processes != matched->runs[0].processes ||
			  matched->runs[r].threads != matched->runs[0].threads;
	printf("%s", fathom_page_style(page, FATHOM_STYLE_DIM));
	if (differ)
		fathom_page_paragraph(page, "The runs have different numbers of ranks or threads. All values are means "
				      "per rank.", 0);
	if (matched->count == 2)
		fathom_page_paragraph(page, "There is one run of each side, so nothing tells how much runs differ "
				      "by chance: a difference of 5% or more is called a change. Several runs tell: "
				      "fathom diff A1 A2 A3 -- B1 B2 B3.", 0);
	else
		fathom_page_paragraph(page, "A change lies outside of the noise: the 99% confidence interval for all "
				      "lines together.", 0);
	printf("%s", fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

/* Prints a line for each change, and with --all for each difference; returns the number of changes. */
static size_t print_list(struct fathom_page *page, const struct fathom_diff *diff,
			 const struct fathom_matched_list *list, const struct fathom_change *changes, const char *what)
{
	size_t shown = 0, count = 0;

	for (size_t i = 0; i < list->count; i++)
		count += changes[i].is_change;
	for (size_t i = 0; i < list->count && (int64_t)shown < diff->top && !fathom_tool_output_lost(); i++) {
		const struct fathom_matched_item *item = &list->items[changes[i].item];
		char place[300] = "";

		if (!changes[i].is_change && (!diff->all || changes[i].after == changes[i].before))
			break;
		if (!shown++)
			print_header(page, what);
		print_numbers(diff, page, &changes[i]);
		if (*item->file && item->line > 0)
			snprintf(place, sizeof(place), "  %.250s:%d", base_name(item->file), item->line);
		fathom_page_name(page, item->name, page->width - NUMBERS_WIDTH - (int)strlen(place));
		printf("%s%s%s\n", fathom_page_style(page, FATHOM_STYLE_DIM), place,
		       fathom_page_style(page, FATHOM_STYLE_PLAIN));
	}
	if (!count)
		printf("No change.%s\n", diff->all ? "" : " (--all lists differences that may be noise)");
	else if (count > shown)
		printf("%zu more changes are not shown (--top).\n", count - shown);
	return count;
}

static void print_paths(struct fathom_page *page, const struct fathom_diff *diff)
{
	const struct fathom_matched_list *list = &diff->matched.call_paths;
	size_t shown = 0;

	for (size_t i = 0; i < list->count && (int64_t)shown < diff->top && diff->paths[i].is_change; i++, shown++) {
		char path[4096];

		if (!shown) {
			fathom_page_heading(page, "Call paths with changes of their own value", "per rank");
			print_header(page, "call path");
		}
		print_numbers(diff, page, &diff->paths[i]);
		fathom_matched_path(list, diff->paths[i].item, path, sizeof(path));
		fathom_page_text(page, path, page->width - NUMBERS_WIDTH);
		putchar('\n');
	}
}

void fathom_diff_print(const struct fathom_diff *diff, struct fathom_page *page)
{
	char title[128], program[200];

	snprintf(program, sizeof(program), "%.190s", base_name(diff->matched.runs[0].program));
	fathom_page_heading(page, program, "A: before, B: after");
	for (uint32_t r = 0; r < diff->matched.count; r++)
		print_run(page, diff, r);
	snprintf(title, sizeof(title), "%.100s, per rank", diff->matched.title);
	fathom_page_heading(page, title, "");
	print_header(page, "");
	print_numbers(diff, page, &diff->total);
	printf("%s\n", diff->total.is_change ? "the whole run" : "the whole run (no change)");
	print_remarks(page, diff);
	fathom_page_heading(page, "Regions by change of their own value", "without what they call; per rank");
	print_list(page, diff, &diff->matched.regions, diff->own, "region");
	print_paths(page, diff);
	if (diff->kinds)
		fathom_kind_changes_print(diff->kinds, page, diff->top);
}

/* --- JSON ------------------------------------------------------------------------------------------ */

static json_t *change_object(const struct fathom_change *change)
{
	json_t *object = json_object();

	fathom_json_set_number(object, "before", change->before);
	fathom_json_set_number(object, "after", change->after);
	fathom_json_set_number(object, "noise", change->noise);
	json_object_set_new(object, "change", json_boolean(change->is_change));
	json_object_set_new(object, "new", json_boolean(change->is_new));
	json_object_set_new(object, "gone", json_boolean(change->is_gone));
	return object;
}

static json_t *values_of(const struct fathom_matched_runs *matched, const struct fathom_matched_item *item,
			 enum fathom_change_values which)
{
	json_t *values = json_array();

	for (uint32_t r = 0; r < matched->count; r++)
		json_array_append_new(values, !item->values[r].is_present ? json_null() :
				      fathom_json_number(which == FATHOM_CHANGE_OWN ? item->values[r].own :
							 item->values[r].inclusive));
	return values;
}

static void put_list(const char *key, const struct fathom_diff *diff, const struct fathom_matched_list *list,
		     const struct fathom_change *changes, enum fathom_change_values which)
{
	fathom_json_begin_list(key);
	for (size_t i = 0; i < list->count; i++) {
		const struct fathom_matched_item *item = &list->items[changes[i].item];
		json_t *object = change_object(&changes[i]);
		char path[4096];

		fathom_json_set_text(object, "name", item->name);
		fathom_json_set_text(object, "file", item->file);
		json_object_set_new(object, "line", item->line > 0 ? json_integer(item->line) : json_null());
		if (list == &diff->matched.call_paths) {
			fathom_matched_path(list, changes[i].item, path, sizeof(path));
			fathom_json_set_text(object, "path", path);
		}
		json_object_set_new(object, "values", values_of(&diff->matched, item, which));
		fathom_json_item(i == 0, object);
	}
	fathom_json_end_list();
}

void fathom_diff_json(const struct fathom_diff *diff)
{
	printf("{\n\"fathom_diff\": 1");
	fathom_json_member("metric", fathom_json_text(diff->matched.metric));
	fathom_json_member("unit", fathom_json_text(diff->matched.unit));
	fathom_json_begin_list("runs");
	for (uint32_t r = 0; r < diff->matched.count; r++) {
		const struct fathom_matched_run *run = &diff->matched.runs[r];
		json_t *object = json_object();

		fathom_json_set_text(object, "side", r < diff->first_count ? "A" : "B");
		fathom_json_set_text(object, "file", run->path);
		json_object_set_new(object, "ranks", json_integer(run->processes));
		json_object_set_new(object, "threads", json_integer(run->threads));
		fathom_json_set_known(object, "wall_time", run->wall_time >= 0, run->wall_time);
		fathom_json_set_number(object, "total", run->total);
		fathom_json_item(r == 0, object);
	}
	fathom_json_end_list();
	fathom_json_member("total", change_object(&diff->total));
	put_list("regions", diff, &diff->matched.regions, diff->own, FATHOM_CHANGE_OWN);
	put_list("inclusive", diff, &diff->matched.regions, diff->inclusive, FATHOM_CHANGE_INCLUSIVE);
	put_list("call_paths", diff, &diff->matched.call_paths, diff->paths, FATHOM_CHANGE_OWN);
	if (diff->kinds)
		fathom_kind_changes_json(diff->kinds);
	printf("\n}\n");
}
