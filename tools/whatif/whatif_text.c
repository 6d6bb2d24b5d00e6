#include "tools/whatif/whatif_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/number_format.h"

enum { NAME_WIDTH = 28, COLUMN_WIDTH = 12 };

/* --- times and efficiencies --- */

static void print_row(const char *name, const char *measured, const char *replayed, const char *predicted)
{
	printf("  %-*s%*s%*s", NAME_WIDTH, name, COLUMN_WIDTH, measured, COLUMN_WIDTH, replayed);
	if (predicted)
		printf("%*s", COLUMN_WIDTH, predicted);
	putchar('\n');
}

static void print_seconds(const struct fathom_study *study, const char *name, double measured, double replayed,
			  double predicted)
{
	char texts[3][FATHOM_NUMBER_BYTES];

	print_row(name, measured < 0 ? "" : fathom_number_seconds(texts[0], measured),
		  fathom_number_seconds(texts[1], replayed),
		  study->has_prediction ? fathom_number_seconds(texts[2], predicted) : NULL);
}

static const char *factor_text(char *text, double factor)
{
	if (factor < 0)
		return "";
	snprintf(text, FATHOM_NUMBER_BYTES, "%.3f", factor);
	return text;
}

static void print_factor(const struct fathom_study *study, const char *name, double measured, double replayed,
			 double predicted)
{
	char texts[3][FATHOM_NUMBER_BYTES];

	print_row(name, factor_text(texts[0], measured), factor_text(texts[1], replayed),
		  study->has_prediction ? factor_text(texts[2], predicted) : NULL);
}

static void print_times(const struct fathom_study *study)
{
	const struct fathom_study_efficiency *m = &study->measured.efficiency, *r = &study->replayed.efficiency,
					     *p = &study->predicted.efficiency;
	char text[FATHOM_NUMBER_BYTES], error[FATHOM_NUMBER_BYTES];
	static const struct fathom_study_efficiency unknown = { -1, -1, -1, -1, -1 };
	double percent;

	print_row("", study->made->trace ? "measured" : "", "replayed", study->has_prediction ? "predicted" : NULL);
	print_seconds(study, "run time", study->made->trace ? study->measured.seconds : -1, study->replayed.seconds,
		      study->predicted.seconds);
	if (study->measured.start_seconds > 0)
		print_seconds(study, "  of it in MPI_Init", study->measured.start_seconds,
			      study->replayed.start_seconds, study->predicted.start_seconds);
	print_seconds(study, "on an ideal network", -1, study->replayed.ideal_seconds, study->predicted.ideal_seconds);
	if (study->has_prediction && study->predicted.seconds > 0) {
		snprintf(text, sizeof(text), "%.3f", study->replayed.seconds / study->predicted.seconds);
		print_row("speed-up", "", "1", text);
	}
	percent = 100 * fathom_study_error(study);
	snprintf(error, sizeof(error), "%+.1f %%", fabs(percent) < .05 ? 0 : percent);
	if (study->made->trace)
		print_row("error of the replay", "", error, study->has_prediction ? "" : NULL);
	if (r->parallel <= 0)
		return;
	if (!study->made->trace)
		m = &unknown;
	print_factor(study, "parallel efficiency", m->parallel, r->parallel, p->parallel);
	print_factor(study, "  load balance", m->balance, r->balance, p->balance);
	print_factor(study, "  communication", m->communication, r->communication, p->communication);
	print_factor(study, "    serialisation", m->serialisation, r->serialisation, p->serialisation);
	print_factor(study, "    transfer", m->transfer, r->transfer, p->transfer);
}

/* --- the machine --- */

static const char *rate_text(char *text, double bandwidth)
{
	char number[FATHOM_NUMBER_BYTES];

	if (bandwidth <= 0)
		return "any";
	snprintf(text, FATHOM_NUMBER_BYTES, "%.24s/s", fathom_number_bytes(number, bandwidth));
	return text;
}

static void print_network(const char *name, const struct fathom_network *network)
{
	char latency[FATHOM_NUMBER_BYTES], rate[FATHOM_NUMBER_BYTES];

	printf("  %-*slatency %s, bandwidth %s", NAME_WIDTH, name, fathom_number_seconds(latency, network->latency),
	       rate_text(rate, network->bandwidth));
	if (network->buses)
		printf(", %" PRIu32 " buses", network->buses);
	if (network->in_links)
		printf(", %" PRIu32 " %slink%s", network->in_links, network->is_half_duplex ? "half-duplex " : "",
		       network->in_links == 1 ? "" : "s");
	putchar('\n');
}

static bool has_inside(const struct fathom_replay_program *program)
{
	return program->node_count < program->task_count;
}

static void print_machine(const struct fathom_study *study, const struct fathom_machine *machine)
{
	const struct fathom_replay_program *program = &study->made->program;
	char bytes[FATHOM_NUMBER_BYTES];

	if (program->node_count > 1)
		print_network("messages between nodes", &machine->between);
	if (has_inside(program))
		print_network("messages inside of a node", &machine->inside);
	if (machine->eager_limit == UINT64_MAX)
		printf("  %-*sno message waits for its receive\n", NAME_WIDTH, "eager limit");
	else
		printf("  %-*smessages over %s wait for their receives\n", NAME_WIDTH, "eager limit",
		       fathom_number_bytes(bytes, (double)machine->eager_limit));
	if (machine->cpus && machine->slice_seconds > 0)
		printf("  %-*s%" PRIu32 ", shared in time slices of %s\n", NAME_WIDTH, "processors of a node",
		       machine->cpus, fathom_number_seconds(bytes, machine->slice_seconds));
	else if (machine->cpus)
		printf("  %-*s%" PRIu32 "\n", NAME_WIDTH, "processors of a node", machine->cpus);
}

static void print_machines(const struct fathom_study *study, struct fathom_page *page)
{
	const struct fathom_calibration *calibration = &study->calibration;
	uint64_t instances = 0;
	char remark[128];

	for (int o = 0; o < FATHOM_COLLECTIVES; o++)
		instances += calibration->collectives[o];
	snprintf(remark, sizeof(remark), "from %" PRIu64 " messages, %" PRIu64 " operations",
		 calibration->inside_messages + calibration->between_messages, instances);
	fathom_page_heading(page, "Machine of the run", remark);
	print_machine(study, &study->measured_machine);
	if (!study->has_prediction)
		return;
	fathom_page_heading(page, "Machine of the prediction", NULL);
	print_machine(study, &study->machine);
}

/* --- faster kinds --- */

static void print_kinds(const struct fathom_study *study, struct fathom_page *page)
{
	const struct fathom_speed_rules *rules = &study->options->rules;
	char seconds[FATHOM_NUMBER_BYTES];

	if (!fathom_speed_rules_kind(rules))
		return;
	fathom_page_heading(page, "Faster kinds of bursts", "time as measured, sums over processes");
	printf("  %8s  %9s  %8s  %9s  code\n", "factor", "kind", "bursts", "time");
	for (size_t i = 0; i < rules->count; i++) {
		const struct fathom_speed_rule *rule = &rules->rules[i];

		if (!rule->kind)
			continue;
		printf("  %8g  %9" PRIu32 "  %8" PRIu64 "  %9s  ", rule->factor, rule->kind, rule->bursts,
		       fathom_number_seconds(seconds, fathom_replay_seconds(&study->made->program, rule->ticks)));
		fathom_page_text(page, rule->place, page->width - 44);
		putchar('\n');
	}
}

/* --- who waits --- */

/* Prints the end of a call path in so many columns: the MPI call, and the region that calls it. */
static void print_path(const struct fathom_study *study, struct fathom_page *page, uint32_t path, int columns)
{
	const struct fathom_burst_path *paths = study->made->paths.paths;
	char leaf[64], caller[1024];
	uint32_t parent = path < study->made->paths.count ? paths[path].parent : FATHOM_NO_BURST_PATH;

	fathom_trace_program_region(study->made, path, leaf, sizeof(leaf));
	if (parent != FATHOM_NO_BURST_PATH && columns > (int)strlen(leaf) + 3) {
		fathom_trace_program_region(study->made, parent, caller, sizeof(caller));
		fathom_page_name(page, caller, columns - (int)strlen(leaf) - 3);
		printf(" > ");
	}
	printf("%s", leaf);
}

static void print_waits(const struct fathom_study *study, struct fathom_page *page)
{
	size_t count, i, lines;
	struct fathom_study_wait *waits = fathom_study_waits(study, &count);
	char texts[4][FATHOM_NUMBER_BYTES];

	lines = (int64_t)count > study->options->top ? (size_t)study->options->top : count;
	if (lines) {
		fathom_page_heading(page, study->has_prediction ? "Who waits in the prediction" :
								  "Who waits in the replay", "sums over processes");
		printf("  %9s  %9s  %9s  %14s  call path\n", "waiting", "before", "transfer", "longest (rank)");
	}
	for (i = 0; i < lines; i++) {
		const struct fathom_study_wait *wait = &waits[i];
		char longest[FATHOM_NUMBER_BYTES + 16];

		snprintf(longest, sizeof(longest), "%s (%" PRIu32 ")",
			 fathom_number_seconds(texts[3], wait->rank_seconds), wait->rank);
		printf("  %9s  %9s  %9s  %14s  ", fathom_number_seconds(texts[0], wait->wait_seconds),
		       fathom_number_seconds(texts[1], wait->before_seconds),
		       fathom_number_seconds(texts[2], wait->transfer_seconds), wait->wait_seconds > 0 ? longest : "");
		print_path(study, page, wait->path, page->width - 51);
		putchar('\n');
	}
	if (lines < count)
		printf("  (%zu more: --top %zu)\n", count - lines, count);
	free(waits);
}

/* --- sweep --- */

static void print_sweep(const struct fathom_study *study, struct fathom_page *page)
{
	const struct fathom_sweep *sweep = &study->sweep;
	char text[FATHOM_NUMBER_BYTES];

	if (sweep->bandwidth_count == 0)
		return;
	fathom_page_heading(page, "Speed-up by bandwidth", sweep->factor_count > 1 ? "and factor of --faster" : NULL);
	printf("  %14s", "");
	for (size_t f = 0; f < sweep->factor_count; f++)
		printf("  %6gx", sweep->factors[f]);
	putchar('\n');
	for (size_t b = 0; b < sweep->bandwidth_count; b++) {
		printf("  %14s", rate_text(text, sweep->bandwidths[b]));
		for (size_t f = 0; f < sweep->factor_count; f++)
			printf("  %7.3f", sweep->speed_ups[f * sweep->bandwidth_count + b]);
		putchar('\n');
	}
}

/* --- notes --- */

/* Prints a remark behind the tables. */
static void print_note(struct fathom_page *page, const char *text)
{
	fathom_page_paragraph(page, text, 0);
}

static void print_notes(const struct fathom_study *study, struct fathom_page *page)
{
	const struct fathom_replay_program *program = &study->made->program;
	char text[512];

	if (program->lost_sends + program->lost_receives + program->lost_collectives) {
		snprintf(text, sizeof(text),
			 "! Left out: %" PRIu64 " sends and %" PRIu64 " receives whose other end is not in the trace, "
			 "and %" PRIu64 " parts of collective operations that not all members took part in",
			 program->lost_sends, program->lost_receives, program->lost_collectives);
		print_note(page, text);
	}
	if (study->made->one_sided + study->made->neighborhoods) {
		snprintf(text, sizeof(text), "! %" PRIu64 " steps of one-sided communication and %" PRIu64
			 " collective operations between neighbours keep their measured times", study->made->one_sided,
			 study->made->neighborhoods);
		print_note(page, text);
	}
	if (study->measured_slice > 0)
		print_note(page, "! The processes shared processors in the measured run. The trace does not say when "
			   "each process had one: the length of their time slices is fitted to the measured time, so "
			   "the error says little about predictions");
	else if (study->busy_threads > study->processors && study->processors)
		print_note(page, "! The threads of a node shared its processors in the measured run. Their times "
			   "contain waiting for a processor, and predictions keep it");
	if (fabs(fathom_study_error(study)) > .1)
		print_note(page, "! The replay on the machine of the run differs by more than 10 % from the measured "
			   "time: predictions are as uncertain as that");
}

void fathom_whatif_print(const struct fathom_study *study, struct fathom_page *page)
{
	const struct fathom_replay_program *program = &study->made->program;
	char remark[128];

	snprintf(remark, sizeof(remark), "%" PRIu32 " process%s, %" PRIu32 " node%s, %" PRIu64 " events",
		 program->task_count, program->task_count == 1 ? "" : "es", program->node_count,
		 program->node_count == 1 ? "" : "s", study->made->events);
	fathom_page_heading(page, study->has_prediction ? "Prediction" : "Replay", remark);
	print_times(study);
	print_machines(study, page);
	print_kinds(study, page);
	print_waits(study, page);
	print_sweep(study, page);
	print_notes(study, page);
}
