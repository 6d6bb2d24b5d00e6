#include "tools/whatif/whatif_options.h"

#include <ctype.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/clusters/cluster_options.h"
#include "tools/common/argument.h"
#include "tools/common/command.h"

static const char help[] =
	"usage: fathom whatif [options] [DIRECTORY | traces.otf2 | FILE.dim | FILE.cubex]\n"
	"\n"
	"Predict how long a run would take on another machine, with faster code or with\n"
	"balanced work, by replaying its trace on a model. Without options, the trace is\n"
	"replayed on the machine of the run, which says how well the model fits. From a\n"
	"profile, without a trace, the command says what faster code can gain at most.\n"
	"\n"
	"  --faster REGION=F         the code of REGION (and all that it calls outside of\n"
	"                            MPI) takes 1/F of its time; REGION may have *\n"
	"  --faster cluster:N=F      the bursts of kind N take 1/F of their time; kinds are\n"
	"                            numbered as fathom clusters does with the same options\n"
	"  --metrics LIST, --share PERCENT, --least TIME, --eps NUMBER, --min-points N,\n"
	"  --method METHOD           how kinds are found, as for fathom clusters\n"
	"  --balance                 all processes compute the same time between two\n"
	"                            collective operations of all\n"
	"  --cpu [RANK=]RATIO        processors of this speed, 1 being the measured one;\n"
	"                            0: computation takes no time\n"
	"  --ideal                   a network that takes no time\n"
	"  --latency TIME            of a message: 2us, 0.5ms\n"
	"  --bandwidth RATE          bytes a second: 10GB/s, 900MB/s; 0: any\n"
	"  --inside-latency TIME, --inside-bandwidth RATE\n"
	"                            the same for messages inside of a node\n"
	"  --buses N                 messages that the network carries at a time (0: any)\n"
	"  --links N                 messages into, and out of, a node at a time (0: any)\n"
	"  --half-duplex             links carry messages in one direction at a time\n"
	"  --eager BYTES             larger messages wait for their receive\n"
	"  --collective OP=IN[/OUT]  phases of an operation, or of all: none, constant,\n"
	"                            linear, logarithmic: Allreduce=linear/constant\n"
	"  --tasks-per-node N        put N processes on each node\n"
	"  --cpus N                  processors of a node (0: one for each process)\n"
	"  --slice TIME              processes that share a processor get it in slices of\n"
	"                            this time and keep it while they wait (0: they queue\n"
	"                            for it and leave it when they wait)\n"
	"  --processors N            processors of a node in the measured run (default: as\n"
	"                            the trace says)\n"
	"  --machine FILE.cfg        the machine of a configuration file of Dimemas\n"
	"  --sweep FROM:TO           a table over bandwidths, each twice the one before\n"
	"  -o, --output DIRECTORY    write the predicted trace into this new directory\n"
	"  --dimemas FILE.dim        write the program and the machine (FILE.cfg) for\n"
	"                            Dimemas\n"
	"  --top N                   lines of the list of waits (10)\n"
	"  --json                    print everything as JSON\n"
	"  --width N                 columns\n"
	"  --color WHEN              auto, always or never; --no-color\n"
	"  --help, --version\n"
	"\n"
	"Exit status: 0 good, 1 failure, 2 no trace or a wrong command line.\n";

struct unit {
	const char *name;
	double factor;
};

/* Returns the value of a number with a unit; ends the program if text is none. The first unit is meant without one. */
static double with_unit(const char *option, const char *text, const struct unit *units, const char *example)
{
	char *end;
	double value = strtod(text, &end);

	while (isspace((unsigned char)*end))
		end++;
	if (end == text || !isfinite(value) || value < 0)
		fathom_tool_usage_error("%s %s: %s", option, text, example);
	if (*end == '\0')
		return value * units[0].factor;
	for (; units->name; units++)
		if (strcasecmp(end, units->name) == 0)
			return value * units->factor;
	fathom_tool_usage_error("%s %s: %s", option, text, example);
}

static double seconds_of(const char *option, const char *text)
{
	static const struct unit units[] = {
		{ "s", 1 }, { "ms", 1e-3 }, { "us", 1e-6 }, { "ns", 1e-9 }, { NULL, 0 },
	};

	return with_unit(option, text, units, "a time, such as 2us or 0.5ms");
}

static double rate_of(const char *option, const char *text)
{
	static const struct unit units[] = {
		{ "B/s", 1 }, { "KB/s", 1e3 }, { "MB/s", 1e6 }, { "GB/s", 1e9 }, { "TB/s", 1e12 },
		{ "KiB/s", 1024 }, { "MiB/s", 1048576 }, { "GiB/s", 1073741824 }, { "Gbit/s", 125e6 }, { NULL, 0 },
	};

	return with_unit(option, text, units, "bytes a second, such as 900MB/s or 10GB/s (0: any)");
}

static double bytes_of(const char *option, const char *text)
{
	static const struct unit units[] = {
		{ "B", 1 }, { "KB", 1e3 }, { "MB", 1e6 }, { "GB", 1e9 }, { "K", 1024 }, { "KiB", 1024 },
		{ "MiB", 1048576 }, { "GiB", 1073741824 }, { NULL, 0 },
	};

	return with_unit(option, text, units, "a number of bytes, such as 65536 or 64KiB");
}

static void add_cpu(struct fathom_whatif_options *options, const char *text)
{
	const char *equals = strchr(text, '='), *number = equals ? equals + 1 : text;
	char *end, *rank_end;
	double ratio = strtod(number, &end);
	unsigned long rank = equals ? strtoul(text, &rank_end, 10) : 0;

	if (end == number || *end || !isfinite(ratio) || ratio < 0 || (equals && (rank_end != equals || *text == '-' ||
									      rank > INT32_MAX)))
		fathom_tool_usage_error("--cpu %s: RATIO or RANK=RATIO, such as 2 or 3=0.5", text);
	if (!equals) {
		options->cpu_ratio = ratio;
		return;
	}
	options->speeds = fathom_tool_grow(options->speeds, options->speed_count, &options->speed_room,
					   sizeof(*options->speeds));
	options->speeds[options->speed_count++] = (struct fathom_changed_speed){ (uint32_t)rank, ratio };
}

static int growth_of(const char *text, size_t length)
{
	for (int g = 0; length >= 3 && g < FATHOM_PHASE_GROWTHS; g++)
		if (strncasecmp(text, fathom_phase_growth_name((enum fathom_phase_growth)g), length) == 0)
			return g;
	return -1;
}

static void add_collective(struct fathom_whatif_options *options, const char *text)
{
	const char *equals = strchr(text, '='), *slash = equals ? strchr(equals, '/') : NULL;
	struct fathom_changed_collective changed = { .operation = -2 };
	int in, out;

	if (!equals)
		fathom_tool_usage_error("--collective %s: OPERATION=IN or OPERATION=IN/OUT", text);
	in = growth_of(equals + 1, slash ? (size_t)(slash - equals - 1) : strlen(equals + 1));
	out = slash ? growth_of(slash + 1, strlen(slash + 1)) : (int)FATHOM_PHASE_NONE;
	if (in < 0 || out < 0)
		fathom_tool_usage_error("--collective %s: a phase is none, constant, linear or logarithmic", text);
	if ((size_t)(equals - text) == 3 && strncasecmp(text, "all", 3) == 0)
		changed.operation = -1;
	for (int o = 0; o < FATHOM_COLLECTIVES; o++) {
		const char *name = fathom_collective_name((enum fathom_collective)o);

		if (strlen(name) == (size_t)(equals - text) && strncasecmp(text, name, strlen(name)) == 0)
			changed.operation = o;
	}
	if (changed.operation == -2)
		fathom_tool_usage_error("--collective %s: no such operation (all, Barrier, Bcast, Allreduce, ...)",
					text);
	changed.in = (enum fathom_phase_growth)in;
	changed.out = (enum fathom_phase_growth)out;
	options->collectives = fathom_tool_grow(options->collectives, options->collective_count,
						&options->collective_room, sizeof(*options->collectives));
	options->collectives[options->collective_count++] = changed;
}

static void set_sweep(struct fathom_whatif_options *options, char *text)
{
	char *colon = strchr(text, ':');

	if (!colon)
		fathom_tool_usage_error("--sweep %s: FROM:TO, such as 16MB/s:16GB/s", text);
	*colon = '\0';
	options->sweep_from = rate_of("--sweep", text);
	options->sweep_to = rate_of("--sweep", colon + 1);
	*colon = ':';
	if (options->sweep_from <= 0 || options->sweep_to < options->sweep_from ||
	    options->sweep_to / options->sweep_from > 1 << 20)
		fathom_tool_usage_error("--sweep %s: FROM must be greater than 0 and not greater than TO", text);
}

enum option_code {
	FASTER = 256, BALANCE, CPU, IDEAL, LATENCY, BANDWIDTH, INSIDE_LATENCY, INSIDE_BANDWIDTH, BUSES, LINKS,
	HALF_DUPLEX, EAGER, COLLECTIVE, TASKS_PER_NODE, CPUS, SLICE, PROCESSORS, SWEEP, MACHINE, DIMEMAS, TOP, JSON
};

/* Takes an option of the machine. False: code is none of them. */
static bool take_machine_option(struct fathom_whatif_options *options, int code)
{
	switch (code) {
	case IDEAL: options->ideal = true; return true;
	case LATENCY: options->all.latency = seconds_of("--latency", optarg); return true;
	case BANDWIDTH: options->all.bandwidth = rate_of("--bandwidth", optarg); return true;
	case INSIDE_LATENCY: options->inside.latency = seconds_of("--inside-latency", optarg); return true;
	case INSIDE_BANDWIDTH: options->inside.bandwidth = rate_of("--inside-bandwidth", optarg); return true;
	case BUSES: options->buses = fathom_argument_number("--buses", optarg, 0, INT32_MAX); return true;
	case LINKS: options->links = fathom_argument_number("--links", optarg, 0, INT32_MAX); return true;
	case HALF_DUPLEX: options->half_duplex = true; return true;
	case EAGER: options->eager = bytes_of("--eager", optarg); return true;
	case COLLECTIVE: add_collective(options, optarg); return true;
	case TASKS_PER_NODE:
		options->tasks_a_node = fathom_argument_number("--tasks-per-node", optarg, 1, INT32_MAX);
		return true;
	case CPUS: options->cpus = fathom_argument_number("--cpus", optarg, 0, INT32_MAX); return true;
	case SLICE: options->slice = seconds_of("--slice", optarg); return true;
	case PROCESSORS:
		options->processors = fathom_argument_number("--processors", optarg, 1, INT32_MAX);
		return true;
	case SWEEP: set_sweep(options, optarg); return true;
	case MACHINE: options->machine = optarg; return true;
	default: return false;
	}
}

bool fathom_whatif_is_dimemas(const char *path)
{
	size_t length = path ? strlen(path) : 0;

	return length > 4 && strcmp(path + length - 4, ".dim") == 0;
}

void fathom_whatif_options_read(struct fathom_whatif_options *options, int argc, char **argv)
{
	static const struct option names[] = {
		{ "faster", required_argument, NULL, FASTER },
		{ "balance", no_argument, NULL, BALANCE },
		{ "cpu", required_argument, NULL, CPU },
		{ "ideal", no_argument, NULL, IDEAL },
		{ "latency", required_argument, NULL, LATENCY },
		{ "bandwidth", required_argument, NULL, BANDWIDTH },
		{ "inside-latency", required_argument, NULL, INSIDE_LATENCY },
		{ "inside-bandwidth", required_argument, NULL, INSIDE_BANDWIDTH },
		{ "buses", required_argument, NULL, BUSES },
		{ "links", required_argument, NULL, LINKS },
		{ "half-duplex", no_argument, NULL, HALF_DUPLEX },
		{ "eager", required_argument, NULL, EAGER },
		{ "collective", required_argument, NULL, COLLECTIVE },
		{ "tasks-per-node", required_argument, NULL, TASKS_PER_NODE },
		{ "cpus", required_argument, NULL, CPUS },
		{ "slice", required_argument, NULL, SLICE },
		{ "processors", required_argument, NULL, PROCESSORS },
		{ "sweep", required_argument, NULL, SWEEP },
		{ "machine", required_argument, NULL, MACHINE },
		{ "dimemas", required_argument, NULL, DIMEMAS },
		{ "output", required_argument, NULL, 'o' },
		{ "top", required_argument, NULL, TOP },
		{ "json", no_argument, NULL, JSON },
		FATHOM_CLUSTER_OPTIONS,
		FATHOM_PAGE_OPTIONS,
		FATHOM_COMMON_OPTIONS,
		{ NULL, 0, NULL, 0 },
	};
	bool has_choice = false;
	int code;

	*options = (struct fathom_whatif_options){
		.all = { -1, -1 }, .inside = { -1, -1 }, .buses = -1, .links = -1, .tasks_a_node = -1, .cpus = -1,
		.processors = -1, .slice = -1, .eager = -1, .cpu_ratio = 1, .top = 10,
		.kinds = FATHOM_CLUSTER_CHOICE_INIT,
	};
	opterr = 0;
	while ((code = getopt_long(argc, argv, ":o:h", names, NULL)) != -1) {
		if (take_machine_option(options, code))
			continue;
		switch (code) {
		case FASTER: fathom_speed_rules_add(&options->rules, optarg); break;
		case BALANCE: options->balance = true; break;
		case CPU: add_cpu(options, optarg); break;
		case 'o': options->output = optarg; break;
		case DIMEMAS: options->dimemas = optarg; break;
		case TOP: options->top = fathom_argument_number("--top", optarg, 0, INT32_MAX); break;
		case JSON: options->json = true; break;
		default:
			if (fathom_cluster_option(&options->kinds, code, optarg))
				has_choice = true;
			else if (!fathom_argument_page(&options->width, &options->colour, code, argc, argv))
				fathom_argument_other(argv, code, help);
		}
	}
	options->target = fathom_argument_target(argc, argv);
	fathom_cluster_options_check(&options->kinds);
	if (has_choice && !fathom_speed_rules_kind(&options->rules))
		fathom_tool_usage_error("options about kinds of bursts go with --faster cluster:N=F only");
	if (options->half_duplex && options->links <= 0 && !options->machine)
		fathom_tool_usage_error("--half-duplex: how many links does a node have? (--links N)");
	if (options->dimemas && !fathom_whatif_is_dimemas(options->dimemas))
		fathom_tool_usage_error("--dimemas %s: the name must end in .dim", options->dimemas);
}

void fathom_whatif_options_fini(struct fathom_whatif_options *options)
{
	free(options->speeds);
	free(options->collectives);
	fathom_speed_rules_fini(&options->rules);
}

/* Returns whether more is changed than the speed of regions. */
static bool changes_machine(const struct fathom_whatif_options *options)
{
	return options->balance || options->ideal || options->cpu_ratio != 1 ||
	       options->speed_count || options->collective_count || options->all.latency >= 0 ||
	       options->all.bandwidth >= 0 || options->inside.latency >= 0 || options->inside.bandwidth >= 0 ||
	       options->buses >= 0 || options->links >= 0 || options->eager >= 0 || options->tasks_a_node >= 0 ||
	       options->cpus >= 0 || options->slice >= 0 || options->half_duplex;
}

bool fathom_whatif_options_change(const struct fathom_whatif_options *options)
{
	return options->rules.count || changes_machine(options);
}

bool fathom_whatif_options_need_trace(const struct fathom_whatif_options *options)
{
	return changes_machine(options) || options->output || options->dimemas || options->machine ||
	       options->sweep_from > 0;
}

static void change(struct fathom_network *network, const struct fathom_changed_network *changed)
{
	if (changed->latency >= 0)
		network->latency = changed->latency;
	if (changed->bandwidth >= 0)
		network->bandwidth = changed->bandwidth;
}

void fathom_whatif_options_apply(const struct fathom_whatif_options *options, struct fathom_machine *machine)
{
	uint64_t eager_limit = machine->eager_limit;

	if (options->ideal) {
		fathom_machine_init_ideal(machine);
		machine->eager_limit = eager_limit;
	}
	change(&machine->between, &options->all);
	change(&machine->inside, &options->all);
	change(&machine->inside, &options->inside);
	if (options->buses >= 0)
		machine->between.buses = machine->inside.buses = (uint32_t)options->buses;
	if (options->links >= 0) {
		machine->between.in_links = machine->between.out_links = (uint32_t)options->links;
		machine->inside.in_links = machine->inside.out_links = (uint32_t)options->links;
		machine->between.is_half_duplex = machine->inside.is_half_duplex = false;
	}
	if (options->half_duplex)
		machine->between.is_half_duplex = machine->inside.is_half_duplex = true;
	if (options->eager >= 0)
		machine->eager_limit = (uint64_t)options->eager;
	if (options->cpus >= 0)
		machine->cpus = (uint32_t)options->cpus;
	if (options->slice >= 0)
		machine->slice_seconds = options->slice;
	machine->cpu_ratio = options->cpu_ratio;
	for (size_t i = 0; i < options->collective_count; i++) {
		const struct fathom_changed_collective *changed = &options->collectives[i];

		for (int o = 0; o < FATHOM_COLLECTIVES; o++) {
			if (changed->operation != o && changed->operation >= 0)
				continue;
			machine->collectives[o].in.growth = changed->in;
			machine->collectives[o].out.growth = changed->out;
			machine->collectives[o].scale = 1;
			machine->collectives[o].fixed = 0;
		}
	}
}
