#include "tools/report/sections/section_messages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/common/command.h"
#include "tools/common/messages/message_pairs.h"
#include "tools/common/number_format.h"
#include "tools/common/profile.h"
#include "tools/report/grid_messages.h"
#include "tools/report/json/json_messages.h"
#include "tools/report/report.h"

enum { PAIRS_DEFAULT = 15, RANKS_DEFAULT = 15 };

static void dim(const struct fathom_page *page, const char *text)
{
	printf("%s%s%s\n", fathom_page_style(page, FATHOM_STYLE_DIM), text,
	       fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

/* Prints two numbers of seconds in 30 columns. */
static void print_waiting(double sender, double receiver)
{
	char text[FATHOM_NUMBER_BYTES];

	printf(" %13s", sender > 0 ? fathom_number_seconds(text, sender) : "-");
	printf(" %15s", receiver > 0 ? fathom_number_seconds(text, receiver) : "-");
}

static void print_pairs(struct fathom_page *page, const struct fathom_message_pairs *pairs, size_t shown)
{
	char text[FATHOM_NUMBER_BYTES], average[FATHOM_NUMBER_BYTES], remark[80];

	snprintf(remark, sizeof(remark), "%zu of %zu pairs of ranks, by bytes", shown, pairs->count);
	fathom_page_heading(page, "Messages", remark);
	dim(page, pairs->has_waiting ?
		  "    from      to   messages      bytes    average  sender waits  receiver waits" :
		  "    from      to   messages      bytes    average");
	for (size_t i = 0; i < shown && !fathom_tool_output_lost(); i++) {
		const struct fathom_message_pair *pair = &pairs->list[i];
		double messages = (double)pair->messages;

		printf("%8u %7u %10s", pair->from, pair->to, fathom_number_count(text, messages));
		printf(" %10s %10s", fathom_number_bytes(text, (double)pair->bytes),
		       fathom_number_bytes(average, messages > 0 ? (double)pair->bytes / messages : 0));
		if (pairs->has_waiting)
			print_waiting(pair->sender_waited, pair->receiver_waited);
		putchar('\n');
	}
}

static int by_bytes(const void *a, const void *b)
{
	const struct fathom_message_record *x = a, *y = b;
	uint64_t x_bytes = x->bytes[0] + x->bytes[1], y_bytes = y->bytes[0] + y->bytes[1];

	if (x_bytes != y_bytes)
		return x_bytes < y_bytes ? 1 : -1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Prints the totals of the ranks with most bytes, and of all ranks. sums: by rank; is sorted by bytes. */
static void print_ranks(struct fathom_page *page, struct fathom_message_record *sums, uint32_t count, uint32_t shown,
			bool has_waiting)
{
	struct fathom_message_record all = { .rank = 0 };
	char text[FATHOM_NUMBER_BYTES], remark[80];

	qsort(sums, count, sizeof(*sums), by_bytes);
	snprintf(remark, sizeof(remark), "%u of %u ranks, by bytes", shown, count);
	fathom_page_heading(page, "Messages of each rank", remark);
	dim(page, has_waiting ?
		  "    rank       sent      bytes   received      bytes  sends waited receives waited" :
		  "    rank       sent      bytes   received      bytes");
	for (uint32_t i = 0; i <= count; i++) {
		const struct fathom_message_record *sum = i < count ? &sums[i] : &all;

		for (int side = 0; i < count && side < FATHOM_MESSAGE_SIDES; side++) {
			all.messages[side] += sum->messages[side];
			all.bytes[side] += sum->bytes[side];
			all.waited[side] += sum->waited[side];
		}
		if (i >= shown && i < count)
			continue;
		if (i < count)
			printf("%8u", sum->rank);
		else
			printf("%8s", "all");
		for (int side = 0; side < FATHOM_MESSAGE_SIDES; side++) {
			printf(" %10s", fathom_number_count(text, (double)sum->messages[side]));
			printf(" %10s", fathom_number_bytes(text, (double)sum->bytes[side]));
		}
		if (has_waiting)
			print_waiting(sum->waited[FATHOM_MESSAGES_SENT], sum->waited[FATHOM_MESSAGES_RECEIVED]);
		putchar('\n');
	}
}

/* Prints what the table of pairs lacks, and what the numbers are. */
static void print_remarks(struct fathom_page *page, const struct fathom_message_pairs *pairs)
{
	char count[FATHOM_NUMBER_BYTES], bytes[FATHOM_NUMBER_BYTES], text[400];

	putchar('\n');
	if (pairs->others_messages) {
		snprintf(text, sizeof(text), "%s more messages (%s) were sent to ranks that are not listed, because a "
			 "thread lists only FATHOM_MESSAGES ranks.", fathom_number_count(count,
			 (double)pairs->others_messages), fathom_number_bytes(bytes, (double)pairs->others_bytes));
		fathom_page_paragraph(page, text, 0);
	}
	if (pairs->partial)
		fathom_page_paragraph(page, "Some of the pairs have more messages than shown, which are among these.",
				      0);
	if (pairs->unknown_messages) {
		snprintf(text, sizeof(text), "%s messages (%s) were sent to processes outside of MPI_COMM_WORLD.",
			 fathom_number_count(count, (double)pairs->unknown_messages),
			 fathom_number_bytes(bytes, (double)pairs->unknown_bytes));
		fathom_page_paragraph(page, text, 0);
	}
	fathom_page_paragraph(page, "Messages of point-to-point calls. Collective operations, one-sided communication "
			      "and files are not in these tables.", 0);
}

/* Prints a line of the messages in a grid; none if there are no messages. */
static void print_direction(const char *name, const struct fathom_message_sum *sum, uint64_t all_bytes)
{
	char text[FATHOM_NUMBER_BYTES];

	if (!sum->messages)
		return;
	printf("  %-30.60s %10s", name, fathom_number_count(text, (double)sum->messages));
	printf(" %10s", fathom_number_bytes(text, (double)sum->bytes));
	printf(" %8s\n", fathom_number_percent(text, (double)sum->bytes, (double)all_bytes));
}

static void print_grid(struct fathom_page *page, const struct fathom_cube *cube,
		       const struct fathom_cube_topology *topology, const struct fathom_message_pairs *pairs)
{
	struct fathom_grid_messages sums;
	char name[96], percent[FATHOM_NUMBER_BYTES], remark[160];

	fathom_grid_messages_sum(&sums, cube, topology, pairs);
	if (!sums.all.messages)
		return;
	snprintf(remark, sizeof(remark), "%.60s: %s of the bytes to neighbours",
		 topology->name && *topology->name ? topology->name : "without a name",
		 fathom_number_percent(percent, sums.neighbor_share, 1));
	fathom_page_heading(page, "Messages in a grid", remark);
	dim(page, "  direction                        messages      bytes    share");
	for (uint32_t d = 0; d < topology->dimension_count; d++)
		for (int side = FATHOM_GRID_DIRECTIONS - 1; side >= 0; side--) {
			const struct fathom_cube_dimension *dimension = &topology->dimensions[d];
			bool is_named = dimension->name && *dimension->name;

			snprintf(name, sizeof(name), "dimension %u%s%.40s%s, %s", d + 1, is_named ? " (" : "",
				 is_named ? dimension->name : "", is_named ? ")" : "",
				 fathom_grid_direction_name((enum fathom_grid_direction)side));
			print_direction(name, &sums.neighbors[d][side], sums.all.bytes);
		}
	print_direction("diagonal neighbours", &sums.diagonal, sums.all.bytes);
	print_direction("farther away", &sums.farther, sums.all.bytes);
	print_direction("to the sender itself", &sums.own, sums.all.bytes);
	print_direction("from or to outside of the grid", &sums.outside, sums.all.bytes);
}

static int print_messages(struct fathom_page *page, const struct fathom_report_options *options,
			  const struct fathom_message_records *file, const struct fathom_cube *cube)
{
	struct fathom_message_record *sums = fathom_tool_alloc(file->ranks, sizeof(*sums));
	struct fathom_message_pairs pairs;
	size_t shown = PAIRS_DEFAULT;
	uint32_t ranks = RANKS_DEFAULT;

	fathom_message_records_sum(file, sums);
	fathom_message_pairs_init(&pairs, file, options->rank);
	if (options->all)
		shown = ranks = UINT32_MAX;
	if (options->top >= 0)
		shown = ranks = (uint32_t)options->top;
	if (options->rank >= 0) {
		sums[0] = sums[options->rank];
		ranks = 1;
	}
	print_pairs(page, &pairs, shown < pairs.count ? shown : pairs.count);
	if (options->rank >= 0)
		print_ranks(page, sums, 1, 1, file->has_waiting);
	else
		print_ranks(page, sums, file->ranks, ranks < file->ranks ? ranks : file->ranks, file->has_waiting);
	for (uint32_t t = 0; t < cube->topology_count; t++)
		print_grid(page, cube, &cube->topologies[t], &pairs);
	print_remarks(page, &pairs);
	fathom_message_pairs_fini(&pairs);
	free(sums);
	return 0;
}

int fathom_report_messages(struct fathom_page *page, const struct fathom_report_options *options, const char *result)
{
	struct fathom_message_records file;
	struct fathom_profile profile;
	int err = fathom_message_records_try(&file, result);

	if (err == -ENOENT)
		fathom_tool_error("%s: this experiment has no messages between ranks (FATHOM_MESSAGES counts those of "
				  "point-to-point calls)", result);
	else if (err)
		fathom_tool_error("%s: %s", file.text.path, file.text.problem);
	if (!err && options->rank >= file.ranks) {
		fathom_tool_error("--rank %ld: there are only ranks 0 to %u", (long)options->rank, file.ranks - 1);
		err = -EINVAL;
	}
	if (!err)
		err = fathom_profile_open(&profile, result, -1);
	if (err) {
		fathom_message_records_fini(&file);
		return err;
	}
	if (options->json)
		fathom_report_json_messages(&file, options->rank, profile.cube);
	else
		err = print_messages(page, options, &file, profile.cube);
	fathom_profile_close(&profile);
	fathom_message_records_fini(&file);
	return err;
}
