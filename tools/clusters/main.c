/*
 * main: the command line of `fathom clusters`, which finds the kinds of computation in a trace.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <sys/stat.h>

#include "otf2/memory.h"
#include "tools/clusters/burst_file.h"
#include "tools/clusters/cluster_options.h"
#include "tools/clusters/cluster_profile.h"
#include "tools/clusters/cluster_trace.h"
#include "tools/clusters/clustering.h"
#include "tools/clusters/clusters_page.h"
#include "tools/clusters/clusters_text.h"
#include "tools/clusters/counter_comparison.h"
#include "tools/clusters/counter_estimates.h"
#include "tools/clusters/distributed_clustering.h"
#include "tools/clusters/process_groups.h"
#include "tools/clusters/refinement_files.h"
#include "tools/clusters/representatives.h"
#include "tools/clusters/thread_sequences.h"
#include "tools/common/argument.h"
#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/common/hosts.h"

static const char help[] =
	"usage: fathom clusters [OPTION...] [DIR|TRACE]\n"
	"\n"
	"Find the kinds of computation in a trace: bursts, which are stretches of\n"
	"computation between calls of MPI, OpenMP, threads and files, in clusters of\n"
	"similar duration and counters. Prints the share of each kind, its values, its\n"
	"code, and whether all threads do the same. Everything that is chosen is printed,\n"
	"and can be given. Without a target, the newest trace is taken. Without a trace,\n"
	"the bursts that a run recorded itself are read (FATHOM_BURSTS=on).\n"
	"\n"
	"  --metrics LIST     the dimensions: names separated by commas: duration, call\n"
	"                     (the call that ends the burst), ipc, a counter of the trace\n"
	"                     (instructions and ipc; else duration and the best counter;\n"
	"                     without counters duration and call)\n"
	"  --share PERCENT    leave out the shortest bursts, as long as this share of\n"
	"                     the time remains (99)\n"
	"  --least TIME       leave out shorter bursts: 1ms, 20us, 0.5s\n"
	"  --eps NUMBER       of DBSCAN: how near bursts of a kind are, on axes from 0 to 1\n"
	"                     (chosen by the curve of distances)\n"
	"  --min-points N     of DBSCAN: how many bursts are a dense place (a 400th of them,\n"
	"                     4 at least)\n"
	"  --method METHOD    dbscan; refinement: DBSCAN with several values of eps, for\n"
	"                     kinds of different density (--eps 0.02,0.06);\n"
	"                     refinement:divisive, from the largest eps to the smallest;\n"
	"                     kmeans:K; xmeans (dbscan)\n"
	"  --tree FILE.dot    also write the tree of refinement as a graph (Graphviz)\n"
	"  --steps DIR        also write the bursts and scores of each step of refinement, its\n"
	"                     tree, and which kinds were joined at the end\n"
	"  --principal-axes   reduce the dimensions to those that have 95 % of the variance\n"
	"  --histogram        only print how many bursts have which duration\n"
	"  --limit N          keep at most so many bursts, the longest ones (4000000)\n"
	"  --sample N         with mpirun -n K fathom clusters, which shares the work out\n"
	"                     to K processes: find clusters by so many bursts (100000)\n"
	"  --top N            print so many kinds (15)\n"
	"  --representatives  print a few bursts that stand for all of their kind, for a\n"
	"                     detailed simulation or measurement\n"
	"  --compare-counters RUN\n"
	"                     compare extrapolated counters with those of another run of the\n"
	"                     program, whose bursts all have them\n"
	"  --json             for programs\n"
	"  -o, --output FILE.cubex\n"
	"                     also write the time of each kind as metrics of a profile\n"
	"  --csv FILE         also write all bursts with their clusters\n"
	"  --trace DIR        also write a copy of the trace with the kind of each burst, as\n"
	"                     values of a metric \"cluster\"\n"
	"  --sequences FILE   also write the aligned sequences of kinds of the threads, as\n"
	"                     letters (FASTA)\n"
	"  --dendrogram FILE.dot\n"
	"                     also write which processes are alike as a graph (Graphviz)\n"
	"  --page FILE.html   also write a page with a scatter plot and a time line, for a\n"
	"                     browser\n"
	"  --width N          columns (80 to 1000)\n"
	"  --color WHEN       auto, always or never; --no-color\n"
	"  --help, --version\n";

struct options {
	struct fathom_cluster_choice choice;
	const char *csv, *sequences, *page, *tree, *dendrogram, *output;	/* files; NULL: not wanted */
	const char *steps, *trace;	/* directories */
	const char *direct;		/* the run to compare counters with; NULL: none */
	int64_t top, limit, sample;
	int width;
	enum fathom_colour colour;
	bool json, histogram, representatives;
};

static void parse(struct options *options, int argc, char **argv)
{
	enum { AXES = 256, HISTOGRAM, LIMIT, SAMPLE, TOP, JSON, CSV, SEQUENCES, PAGE, TREE, STEPS, TRACE, DENDROGRAM,
	       REPRESENTATIVES, COMPARE };
	static const struct option table[] = {
		FATHOM_CLUSTER_OPTIONS,
		{ "principal-axes", no_argument, NULL, AXES },
		{ "histogram", no_argument, NULL, HISTOGRAM },
		{ "limit", required_argument, NULL, LIMIT },
		{ "sample", required_argument, NULL, SAMPLE },
		{ "top", required_argument, NULL, TOP },
		{ "representatives", no_argument, NULL, REPRESENTATIVES },
		{ "compare-counters", required_argument, NULL, COMPARE },
		{ "json", no_argument, NULL, JSON },
		{ "csv", required_argument, NULL, CSV },
		{ "sequences", required_argument, NULL, SEQUENCES },
		{ "page", required_argument, NULL, PAGE },
		{ "tree", required_argument, NULL, TREE },
		{ "steps", required_argument, NULL, STEPS },
		{ "trace", required_argument, NULL, TRACE },
		{ "dendrogram", required_argument, NULL, DENDROGRAM },
		{ "output", required_argument, NULL, 'o' },
		FATHOM_PAGE_OPTIONS,
		FATHOM_COMMON_OPTIONS,
		{ NULL, 0, NULL, 0 },
	};
	int code;

	*options = (struct options){ .choice = FATHOM_CLUSTER_CHOICE_INIT, .top = 15, .limit = 4000000,
				       .sample = 100000 };
	opterr = 0;
	while ((code = getopt_long(argc, argv, ":o:h", table, NULL)) != -1) {
		switch (code) {
		case AXES: options->choice.principal_axes = true; break;
		case HISTOGRAM: options->histogram = true; break;
		case LIMIT: options->limit = fathom_argument_number("--limit", optarg, 100, INT32_MAX); break;
		case SAMPLE: options->sample = fathom_argument_number("--sample", optarg, 100, 10000000); break;
		case TOP: options->top = fathom_argument_number("--top", optarg, 0, INT32_MAX); break;
		case REPRESENTATIVES: options->representatives = true; break;
		case COMPARE: options->direct = optarg; break;
		case JSON: options->json = true; break;
		case CSV: options->csv = optarg; break;
		case SEQUENCES: options->sequences = optarg; break;
		case PAGE: options->page = optarg; break;
		case TREE: options->tree = optarg; break;
		case STEPS: options->steps = optarg; break;
		case TRACE: options->trace = optarg; break;
		case DENDROGRAM: options->dendrogram = optarg; break;
		case 'o': options->output = optarg; break;
		default:
			if (!fathom_cluster_option(&options->choice, code, optarg) &&
			    !fathom_argument_page(&options->width, &options->colour, code, argc, argv))
				fathom_argument_other(argv, code, help);
		}
	}
	if (options->histogram && (options->json || options->representatives || options->csv || options->sequences ||
				   options->page || options->tree || options->steps || options->dendrogram ||
				   options->output || options->trace || options->direct))
		fathom_tool_usage_error("--histogram: not with files, --representatives, --compare-counters or "
					"--json");
	if ((options->tree || options->steps) && options->choice.method != FATHOM_REFINEMENT)
		fathom_tool_usage_error("--%s: only with --method refinement", options->tree ? "tree" : "steps");
	options->choice.keeps_partitions = options->steps != NULL;
	fathom_cluster_options_check(&options->choice);
}

/* Refuses a file that exists. 0, or -1 after an error message. */
static int check_output(const char *option, const char *output)
{
	struct stat status;

	if (!output || lstat(output, &status) != 0)
		return 0;
	fathom_tool_error("%s: exists already (remove it, or choose another name with %s)", output, option);
	return -1;
}

/* Writes the files that are wanted. 0, or -errno after an error message. */
static int write_files(const struct options *options, const struct fathom_clustering *clustering,
		       const struct fathom_thread_sequences *sequences, const struct fathom_process_groups *groups)
{
	int err = 0;

	if (options->sequences)
		err = fathom_thread_sequences_write(sequences, clustering, options->sequences);
	if (!err && options->csv)
		err = fathom_burst_file_write(clustering, options->csv);
	if (!err && options->tree)
		err = fathom_refinement_tree_write(clustering, options->tree);
	if (!err && options->steps)
		err = fathom_refinement_steps_write(clustering, options->steps);
	if (!err && options->dendrogram)
		err = fathom_process_groups_write(groups, options->dendrogram);
	if (!err && options->output)
		err = fathom_cluster_profile_write(clustering, options->output);
	if (!err && options->trace)
		err = fathom_cluster_trace_write(clustering, NULL, options->trace);
	if (!err && options->page)
		err = fathom_clusters_page_write(clustering, options->page);
	return err;
}

static void print(const struct options *options, const struct fathom_clustering *clustering,
		  const struct fathom_process_groups *groups)
{
	struct fathom_page page;

	if (options->json) {
		fathom_clusters_json(clustering);
		return;
	}
	fathom_page_init(&page, options->width, options->colour);
	fathom_clusters_print(clustering, &page, options->top);
	fathom_counter_estimates_print(clustering->estimates, clustering, &page);
	if (clustering->comparison)
		fathom_counter_comparison_print(clustering->comparison, clustering->estimates, clustering, &page);
	fathom_cycle_causes_print(clustering, &page);
	fathom_process_groups_print(groups, &page);
	if (clustering->representatives)
		fathom_representatives_print(clustering->representatives, clustering, &page);
	fathom_page_fini(&page);
}

/* Compares the counters with those of another run. 0, or -errno after an error message. */
static int compare_counters(const struct options *options, const struct fathom_clustering *clustering,
			    struct fathom_counter_comparison *comparison)
{
	static struct fathom_burst_data direct;
	struct fathom_experiment experiment;
	int err = fathom_experiment_find_bursts(&experiment, options->direct) ? -ENOENT : 0;

	if (!err)
		err = fathom_burst_data_read(&direct, experiment.path, (size_t)options->limit);
	if (!err)
		err = fathom_counter_comparison_make(comparison, clustering->estimates, clustering, &direct);
	fathom_burst_data_fini(&direct);
	return err;
}

static int cluster(const struct options *options, const struct fathom_burst_data *data)
{
	static struct fathom_clustering clustering;
	static struct fathom_thread_sequences sequences;
	static struct fathom_process_groups groups;
	struct fathom_representatives representatives = { 0 };
	struct fathom_counter_estimates estimates = { 0 };
	struct fathom_counter_comparison comparison = { 0 };
	int err = fathom_clustering_make(&clustering, data, &options->choice);

	if (!err) {
		fathom_thread_sequences_make(&sequences, &clustering);
		fathom_thread_sequences_score(&sequences, &clustering);
		fathom_process_groups_make(&groups, &clustering);
		clustering.processes = groups.processes;
		clustering.process_groups = groups.groups;
		clustering.process_count = groups.count;
		clustering.process_group_count = groups.group_count;
		fathom_counter_estimates_make(&estimates, &clustering);
		clustering.estimates = &estimates;
		if (options->representatives) {
			fathom_representatives_make(&representatives, &clustering);
			clustering.representatives = &representatives;
		}
		if (options->direct) {
			err = compare_counters(options, &clustering, &comparison);
			clustering.comparison = &comparison;
		}
		if (!err)
			err = write_files(options, &clustering, &sequences, &groups);
	}
	if (!err)
		print(options, &clustering, &groups);
	fathom_representatives_fini(&representatives);
	fathom_counter_comparison_fini(&comparison);
	fathom_counter_estimates_fini(&estimates);
	fathom_process_groups_fini(&groups);
	fathom_thread_sequences_fini(&sequences);
	fathom_clustering_fini(&clustering);
	return err;
}

static void print_histogram(const struct options *options, const struct fathom_burst_data *data)
{
	struct fathom_page page;

	fathom_page_init(&page, options->width, options->colour);
	fathom_clusters_print_histogram(data, &page);
	fathom_page_fini(&page);
}

/* Under mpirun: clusters a trace together with the other processes; rank 0 prints. target: as on the command line. 0,
 * or -errno after an error message. */
static int cluster_together(const struct options *options, struct fathom_comm *comm, const char *target)
{
	static struct fathom_burst_data data;
	static struct fathom_distributed_clustering distributed;
	static const struct fathom_process_groups no_groups;
	static const struct fathom_counter_estimates no_estimates;
	struct fathom_experiment experiment = { "" };
	int err = comm->rank == 0 && fathom_experiment_find_bursts(&experiment, target) ? -ENOENT : 0;

	err = fathom_hosts_agree(comm, err);
	if (!err)
		err = comm->broadcast(comm, 0, &experiment, sizeof(experiment));
	data.part = (uint32_t)comm->rank;
	data.part_count = (uint32_t)comm->size;
	if (!err)
		err = fathom_hosts_agree(comm, fathom_burst_data_read(&data, experiment.path, (size_t)options->limit));
	if (!err)
		err = fathom_distributed_clustering_make(&distributed, comm, &data, &options->choice,
							 (uint32_t)options->sample);
	distributed.clustering.estimates = &no_estimates;
	if (!err && comm->rank == 0)
		print(options, &distributed.clustering, &no_groups);
	fathom_distributed_clustering_fini(&distributed);
	fathom_burst_data_fini(&data);
	return err;
}

/* Refuses what needs all bursts in one process. */
static void check_together(const struct options *options)
{
	if (options->choice.method != FATHOM_DBSCAN || options->choice.principal_axes || options->histogram ||
	    options->representatives || options->csv || options->sequences || options->page || options->dendrogram ||
	    options->output || options->trace || options->direct)
		fathom_tool_usage_error("mpirun: several processes find clusters by DBSCAN, and print them as text or "
					"--json; for all else, use one process");
}

int main(int argc, char **argv)
{
	static struct fathom_burst_data data;
	struct fathom_experiment experiment;
	struct options options;
	struct fathom_comm *comm;
	const char *target;
	int err;

	fathom_tool_begin("clusters");
	comm = fathom_hosts_open();
	if (!comm)
		return FATHOM_TOOL_FAILURE;
	parse(&options, argc, argv);
	if (comm->size > 1)
		check_together(&options);
	target = fathom_argument_target(argc, argv);
	fathom_hosts_command_line_read();
	fathom_otf2_memory_set_end(fathom_tool_out_of_memory);
	if (comm->size > 1) {
		err = cluster_together(&options, comm, target);
		fathom_hosts_close();
		return err ? FATHOM_TOOL_FAILURE : fathom_tool_end();
	}
	if (check_output("--csv", options.csv) || check_output("--sequences", options.sequences) ||
	    check_output("--page", options.page) || check_output("--tree", options.tree) ||
	    check_output("--steps", options.steps) ||
	    check_output("--dendrogram", options.dendrogram) || check_output("-o", options.output) ||
	    check_output("--trace", options.trace) ||
	    fathom_experiment_find_bursts(&experiment, target))
		return FATHOM_TOOL_FAILURE;
	err = fathom_burst_data_read(&data, experiment.path, (size_t)options.limit);
	if (!err && options.histogram)
		print_histogram(&options, &data);
	else if (!err)
		err = cluster(&options, &data);
	fathom_burst_data_fini(&data);
	return err ? FATHOM_TOOL_FAILURE : fathom_tool_end();
}
