#include "platform/settings.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>

#include "config.h"
#include "platform/clock.h"
#include "platform/log.h"
#include "platform/pattern.h"
#include "platform/ring_setting.h"
#include "platform/sampling_setting.h"
#include "platform/window_setting.h"

static const struct fathom_setting_word mode_words[] = {
	{ "profile", FATHOM_MODE_PROFILE },
	{ "trace", FATHOM_MODE_TRACE },
	{ "none", FATHOM_MODE_NONE },
	{ NULL, 0 },
};

static const struct fathom_setting_word clock_words[] = {
	{ "auto", FATHOM_CLOCK_AUTO },
	{ "tsc", FATHOM_CLOCK_TSC },
	{ "monotonic", FATHOM_CLOCK_MONOTONIC },
	{ NULL, 0 },
};

static const struct fathom_setting_word recursion_words[] = {
	{ "exact", FATHOM_RECURSION_EXACT },
	{ "fold", FATHOM_RECURSION_FOLD },
	{ NULL, 0 },
};

static const struct fathom_setting_word rotation_words[] = {
	{ "off", FATHOM_ROTATION_OFF },
	{ "time", FATHOM_ROTATION_TIME },
	{ "time-space", FATHOM_ROTATION_TIME_SPACE },
	{ NULL, 0 },
};

static const struct fathom_setting_word burst_words[] = {
	{ "on", 32000000 },
	{ NULL, 0 },
};

static const struct fathom_setting_word reuse_words[] = {
	{ "no", FATHOM_REUSE_NO },
	{ "same", FATHOM_REUSE_SAME },
	{ "yes", FATHOM_REUSE_YES },
	{ NULL, 0 },
};

static const struct fathom_setting_word threads_words[] = {
	{ "all", FATHOM_THREADS_ALL },
	{ "sum", FATHOM_THREADS_SUM },
	{ "set", FATHOM_THREADS_SET },
	{ "key", FATHOM_THREADS_KEY },
	{ "calltree", FATHOM_THREADS_CALLTREE },
	{ NULL, 0 },
};

static const struct fathom_setting_word signal_words[] = {
	{ "off", 0 }, { "HUP", SIGHUP }, { "USR1", SIGUSR1 }, { "USR2", SIGUSR2 }, { NULL, 0 },
};

static const struct fathom_setting_word older_words[] = {
	{ "reduce", 0 },
	{ "drop", 1 },
	{ NULL, 0 },
};

static const struct fathom_setting_word switch_words[] = {
	{ "on", 1 },
	{ "off", 0 },
	{ NULL, 0 },
};

#define DEFAULT_MPI_GROUPS \
	(FATHOM_MPI_GROUP_P2P | FATHOM_MPI_GROUP_REQUEST | FATHOM_MPI_GROUP_COLL | FATHOM_MPI_GROUP_RMA | \
	 FATHOM_MPI_GROUP_IO | FATHOM_MPI_GROUP_COMM | FATHOM_MPI_GROUP_ENV | FATHOM_MPI_GROUP_TYPE | \
	 FATHOM_MPI_GROUP_MISC)

static const struct fathom_setting_word mpi_words[] = {
	{ "default", DEFAULT_MPI_GROUPS },
	{ "all", DEFAULT_MPI_GROUPS | FATHOM_MPI_GROUP_INQUIRY | FATHOM_MPI_GROUP_TOOL },
	{ "none", 0 },
	{ "p2p", FATHOM_MPI_GROUP_P2P },
	{ "request", FATHOM_MPI_GROUP_REQUEST },
	{ "coll", FATHOM_MPI_GROUP_COLL },
	{ "rma", FATHOM_MPI_GROUP_RMA },
	{ "io", FATHOM_MPI_GROUP_IO },
	{ "comm", FATHOM_MPI_GROUP_COMM },
	{ "env", FATHOM_MPI_GROUP_ENV },
	{ "type", FATHOM_MPI_GROUP_TYPE },
	{ "misc", FATHOM_MPI_GROUP_MISC },
	{ "inquiry", FATHOM_MPI_GROUP_INQUIRY },
	{ "tool", FATHOM_MPI_GROUP_TOOL },
	{ NULL, 0 },
};

static const struct fathom_setting_word pthread_words[] = {
	{ "all", FATHOM_PTHREAD_ALL },
	{ "threads", FATHOM_PTHREAD_THREADS },
	{ "off", FATHOM_PTHREAD_OFF },
	{ NULL, 0 },
};

static const struct fathom_setting_word split_words[] = {
	{ "chain", FATHOM_SPLIT_CHAIN },
	{ "comm", FATHOM_SPLIT_COMM },
	{ NULL, 0 },
};

#define MEMBER(member) offsetof(struct fathom_settings, member), NULL
#define MEMBER_OF(part, member) offsetof(struct fathom_settings, member), part

/* Parts that configure can leave out. */
#ifdef FATHOM_WITHOUT_BUDGET
#define BUDGET "the overhead budget (configure --without-budget)"
#define OVERHEAD "off"		/* the default of FATHOM_OVERHEAD */
#else
#define BUDGET NULL
#define OVERHEAD "5%"
#endif
#ifdef FATHOM_WITHOUT_PHASES
#define PHASES "the iterations of phases (configure --without-phases)"
#else
#define PHASES NULL
#endif

const struct fathom_setting fathom_setting_table[] = {
	{ "FATHOM_MODE", FATHOM_SETTING_WORDS, FATHOM_DEFAULT_MODE, mode_words, 0, 0,
	  "What a measured program leaves behind: a call-path profile, an OTF2 trace, both, or nothing.",
	  MEMBER(mode) },
	{ "FATHOM_DIR", FATHOM_SETTING_TEXT, ".", NULL, 0, 0,
	  "The directory in which the experiment directory is made.", MEMBER(dir) },
	{ "FATHOM_NAME", FATHOM_SETTING_NAME, NULL, NULL, 0, 0,
	  "Name of the experiment directory; without it, fathom-PROGRAM-DATE-TIME-XXXX. "
	  "A name in use gets a number behind it.",
	  MEMBER(name) },
	{ "FATHOM_FILTER", FATHOM_SETTING_TEXT, NULL, NULL, 0, 0,
	  "A file of rules that say which functions, MPI calls and other regions are recorded: see fathom help filter.",
	  MEMBER(filter) },
	{ "FATHOM_MPI", FATHOM_SETTING_WORDS, "default", mpi_words, 0, 0,
	  "The groups of MPI calls that are recorded; default is all but inquiry and tool.", MEMBER(mpi) },
	{ "FATHOM_PTHREAD", FATHOM_SETTING_CHOICE, "all", pthread_words, 0, 0,
	  "The calls of POSIX and C11 threads that are recorded: all; only those that create and end threads, but no "
	  "locks; or none.",
	  MEMBER(pthread) },
	{ "FATHOM_IO", FATHOM_SETTING_CHOICE, "on", switch_words, 0, 0,
	  "Whether calls of POSIX files and of stdio are recorded in a program that was built or run with the option "
	  "--io of fathom.",
	  MEMBER(io) },
	{ "FATHOM_METRICS", FATHOM_SETTING_TEXT, NULL, NULL, 0, 0,
	  "Counters that are read at every enter and exit, by name or in groups (@memory), with commas between; fathom "
	  "metrics lists the available ones. Of several lists with | between them, the processes of an MPI program "
	  "take one each, by their rank.", MEMBER(metrics) },
	{ "FATHOM_METRICS_MULTIPLEX", FATHOM_SETTING_CHOICE, "off", switch_words, 0, 0,
	  "Whether the processor's counters take turns if it cannot count all of them at once; their values are then "
	  "estimates.",
	  MEMBER(multiplex) },
	{ "FATHOM_METRICS_ROTATE", FATHOM_SETTING_CHOICE, "off", rotation_words, 0, 0,
	  "Whether the threads of a traced program count the lists of FATHOM_METRICS one after the other: all begin "
	  "with the first list (time), or each process with the list of its rank (time-space); off: each process "
	  "counts the list of its rank all the time.", MEMBER(rotate) },
	{ "FATHOM_METRICS_ROTATE_TIME", FATHOM_SETTING_TIME, "100ms", NULL, 1000000, 3600000000000,
	  "With FATHOM_METRICS_ROTATE, how long a thread counts a list at least; the next call of MPI, OpenMP, threads "
	  "or files then changes it.", MEMBER(rotate_time) },
	{ "FATHOM_METRICS_ROTATE_BURSTS", FATHOM_SETTING_NUMBER, "0", NULL, 0, 1000000000,
	  "With FATHOM_METRICS_ROTATE, after how many such calls a thread changes to the next list, even before that "
	  "time; 0: only the time counts.", MEMBER(rotate_bursts) },
	{ "FATHOM_SAMPLING", FATHOM_SETTING_SAMPLING, "200", NULL, 0, 0,
	  "How often each thread is interrupted to note which functions it is in: so many times in a second of "
	  "processor time; with EVENT@PERIOD (cycles@1M), also each time that this event has occurred so often.",
	  MEMBER(sampling) },
	{ "FATHOM_RECURSION", FATHOM_SETTING_CHOICE, "exact", recursion_words, 0, 0,
	  "Whether each level of a recursion has a call path of its own, or all share one.", MEMBER(recursion) },
	{ "FATHOM_THREADS", FATHOM_SETTING_CHOICE, "all", threads_words, 0, 0,
	  "What the profile keeps of a process's threads: each one, their sum, statistics over them, the first, "
	  "fastest and slowest, or one for each group with the same call paths.", MEMBER(threads) },
	{ "FATHOM_NODES", FATHOM_SETTING_NUMBER, "4M", NULL, 1, 1000000000,
	  "The most call paths that a process keeps; further ones are charged to a call path {truncated}.",
	  MEMBER(nodes) },
	{ "FATHOM_PHASE_CLUSTERS", FATHOM_SETTING_NUMBER, "64", NULL, 0, 256,
	  "The most call trees that a thread keeps for the iterations of a phase: with more iterations, similar ones "
	  "share a call tree; 0: each iteration has its own; 1: all share one.", MEMBER_OF(PHASES, phase_clusters) },
	{ "FATHOM_RANKS_PER_WRITER", FATHOM_SETTING_NUMBER, "64", NULL, 1, 4096,
	  "The number of MPI ranks for which one rank writes the profile.", MEMBER(ranks_per_writer) },
	{ "FATHOM_IDLENESS", FATHOM_SETTING_CHOICE, "off", switch_words, 0, 0,
	  "Whether the profile says which call paths made other threads of OpenMP wait at barriers and for tasks.",
	  MEMBER(idleness) },
	{ "FATHOM_WAITS", FATHOM_SETTING_SIZE, "32M", NULL, 1000000, 1000000000000,
	  "The memory in which an MPI process notes its MPI calls, so that the profile says where ranks wait and for "
	  "what; up to 15 times as much more goes to a file, which vanishes with the process; off: wait states are not "
	  "searched.", MEMBER(waits) },
	{ "FATHOM_BURSTS", FATHOM_SETTING_SIZE, "off", burst_words, 1000000, 1000000000000,
	  "Whether a profile has a file of all stretches of computation between calls of MPI, OpenMP, threads and "
	  "files, for fathom clusters: on, or the memory in which a process notes them (on: 32M); up to 15 times as "
	  "much more goes to a file, which vanishes with the process.", MEMBER(bursts) },
	{ "FATHOM_MESSAGES", FATHOM_SETTING_NUMBER, "1000", NULL, 0, 100000,
	  "The number of MPI ranks for which each thread counts the messages that it exchanges with them, each by "
	  "itself; those with further ranks are added up; 0: messages are not counted by rank.", MEMBER(messages) },
	{ "FATHOM_THREAD_REUSE", FATHOM_SETTING_CHOICE, "no", reuse_words, 0, 0,
	  "Whether a created thread continues the location of a thread that has ended: never, if both were created at "
	  "the same call path, or always.", MEMBER(thread_reuse) },
	{ "FATHOM_TRACE_MEMORY", FATHOM_SETTING_NUMBER, "0", NULL, 0, 1000000000000,
	  "Bytes of trace that a process keeps in memory before it writes them out; 0: fathom chooses.",
	  MEMBER(trace_memory) },
	{ "FATHOM_TRACE_LIMIT", FATHOM_SETTING_NUMBER, "0", NULL, 0, 1000000000000000,
	  "Bytes of trace after which a thread's functions are left out, while MPI and OpenMP go on; 0: no limit.",
	  MEMBER(trace_limit) },
	{ "FATHOM_TRACE_TICK", FATHOM_SETTING_TIME, "0ns", NULL, 0, 1000000,
	  "The resolution of a trace's time stamps: a coarser one makes smaller files.", MEMBER(trace_tick) },
	{ "FATHOM_TRACE_GRANULARITY", FATHOM_SETTING_TIME, "0ns", NULL, 0, 1000000000000,
	  "Visits of functions that are shorter, and in which no MPI, OpenMP or other operation takes place, are left "
	  "out of a trace; their number and time stay; 0: all visits are recorded.", MEMBER(trace_granularity) },
	{ "FATHOM_TRACE_REPEAT", FATHOM_SETTING_NUMBER, "0", NULL, 0, 1000000,
	  "When all processes repeat the same events again and again, this many of the periods stay in a trace, and "
	  "the others are left out; their number and time stay; 0: all periods are recorded.", MEMBER(trace_repeat) },
	{ "FATHOM_TRACE_RING", FATHOM_SETTING_RING, "off", NULL, 0, 0,
	  "The memory in which each thread keeps its newest events in full, or their time; of older ones, functions "
	  "in which no MPI, OpenMP or other operation takes place are left out, as with FATHOM_TRACE_GRANULARITY; "
	  "off: all events are in full.", MEMBER(trace_ring) },
	{ "FATHOM_TRACE_OLDER", FATHOM_SETTING_CHOICE, "reduce", older_words, 0, 0,
	  "With FATHOM_TRACE_RING, what happens to older events: those of functions that only compute are left out "
	  "(reduce), or all are dropped (drop), so that the trace does not grow with the run.", MEMBER(trace_older) },
	{ "FATHOM_TRACE_SLOW", FATHOM_SETTING_NUMBER, "0", NULL, 0, 1000000,
	  "With FATHOM_TRACE_RING, the newest events stay in full when an iteration of a phase takes this many times "
	  "as long as most; 0: they do not.", MEMBER(trace_slow) },
	{ "FATHOM_TRACE_SIGNAL", FATHOM_SETTING_CHOICE, "off", signal_words, 0, 0,
	  "With FATHOM_TRACE_RING, the newest events stay in full when the process gets this signal, which then does "
	  "nothing else, unless the program has a handler for it.", MEMBER(trace_signal) },
	{ "FATHOM_TRACE_WINDOW", FATHOM_SETTING_WINDOW, "off", NULL, 0, 0,
	  "When a trace has all functions: between two times after the begin of the run, or in some iterations of a "
	  "phase; at other times, functions in which no MPI, OpenMP or other operation takes place are left out, as "
	  "with FATHOM_TRACE_GRANULARITY.", MEMBER(trace_window) },
	{ "FATHOM_TRACE_INDEX", FATHOM_SETTING_CHOICE, "off", switch_words, 0, 0,
	  "Whether an index of the trace is made when the program ends (fathom trace --index), so that its time line "
	  "is drawn at once.", MEMBER(trace_index) },
	{ "FATHOM_TRACE_COMPRESS", FATHOM_SETTING_CHOICE, "off", switch_words, 0, 0,
	  "Whether a compressed file, traces.graphs, is made of the trace when the program ends (fathom trace "
	  "--compress); the trace stays.", MEMBER(trace_compress) },
	{ "FATHOM_TRACE_DEVIATION", FATHOM_SETTING_NUMBER, "0", NULL, 0, 1000000000,
	  "By how many ticks the times in the compressed file of FATHOM_TRACE_COMPRESS may deviate; 0: the file has "
	  "all of the trace.", MEMBER(trace_deviation) },
	{ "FATHOM_TRACE_SAMPLES", FATHOM_SETTING_NUMBER, "0", NULL, 0, FATHOM_SAMPLING_MOST,
	  "How many samples a trace may have in a second of a thread's processor time; 0: none.",
	  MEMBER(trace_samples) },
	{ "FATHOM_TRACE_TESTS", FATHOM_SETTING_CHOICE, "off", switch_words, 0, 0,
	  "Whether a trace has a record for each request that MPI_Test and its kin find not complete.",
	  MEMBER(trace_tests) },
	{ "FATHOM_SYSTEM_TREE", FATHOM_SETTING_PATTERN, NULL, NULL, 0, 0,
	  "The place of a process in the system, from the outside in, such as machine=juwels/rack=%{r/64}/node=%h; "
	  "without this setting fathom asks SLURM and the kernel.", MEMBER(system_tree) },
	{ "FATHOM_SYSTEM_SPLIT", FATHOM_SETTING_CHOICE, "chain", split_words, 0, 0,
	  "How processes of the same node find each other at the end: in chains, with memory that does not grow with "
	  "their number, or by splitting the communicator.", MEMBER(system_split) },
	{ "FATHOM_CLOCK", FATHOM_SETTING_CHOICE, "auto", clock_words, 0, 0,
	  "The clock of time stamps: the processor's counter (tsc), the system's clock (monotonic), or the counter if "
	  "it is reliable, else the system's clock (auto).",
	  MEMBER(clock) },
	{ "FATHOM_OVERHEAD", FATHOM_SETTING_SHARE, OVERHEAD, NULL, 0, 100,
	  "The share of the time that measuring functions may take: above it, fathom disables the functions that are "
	  "called most and do least while the program runs.", MEMBER_OF(BUDGET, overhead) },
	{ "FATHOM_PATCH", FATHOM_SETTING_CHOICE, "on", switch_words, 0, 0,
	  "Whether fathom takes the hooks of disabled functions out of the running code; otherwise each call tests "
	  "whether its function is disabled.", MEMBER(patch) },
	{ "FATHOM_SIGNALS", FATHOM_SETTING_CHOICE, "on", switch_words, 0, 0,
	  "Whether the measurement is saved when a fatal signal ends the program.", MEMBER(signals) },
	{ "FATHOM_SNAPSHOT", FATHOM_SETTING_PERIOD, "1s", NULL, 100000000, 3600000000000,
	  "How often a process copies its measurement to a file from which fathom merge makes a result after SIGKILL. "
	  "The file is in the experiment directory, if its file system is a local one; a directory given here is used "
	  "instead, each second.",
	  MEMBER(snapshot) },
	{ "FATHOM_VERBOSE", FATHOM_SETTING_NUMBER, "0", NULL, 0, 2,
	  "How much fathom prints on stderr: 0: the place of the result, and problems; 1 and 2: more.",
	  MEMBER(verbose) },
	{ "FATHOM_INSTRUMENT_MIN_INSNS", FATHOM_SETTING_BUILD, NULL, NULL, 0, 0,
	  "While compiling: functions estimated smaller than this many instructions (10000; 0 to 1000000) "
	  "are not instrumented.", 0, NULL },
	{ "FATHOM_INSTRUMENT_HOOKS", FATHOM_SETTING_BUILD, NULL, NULL, 0, 0,
	  "While compiling with GCC: whether hooks are put into the finished code (late, the default) or called by "
	  "the compiler's instrumentation (early).", 0, NULL },
	{ "FATHOM_INSTRUMENT_CALLS", FATHOM_SETTING_BUILD, NULL, NULL, 0, 0,
	  "While compiling with GCC and late hooks: whether functions are inlined as without hooks, and only "
	  "calls that remain in the finished code are measured (compiled, the default), or all calls (all).", 0, NULL },
	{ "FATHOM_DRIVER_OPTIONS", FATHOM_SETTING_BUILD, NULL, NULL, 0, 0,
	  "While compiling: options of the fathom command, also for the one-word forms (fathom-mpicc); they precede "
	  "options on the command line.", 0, NULL },
};
const size_t fathom_setting_count = sizeof(fathom_setting_table) / sizeof(*fathom_setting_table);

const char *fathom_setting_allowed(const struct fathom_setting *setting, char *text, size_t bytes)
{
	size_t length = 0;

	switch (setting->type) {
	case FATHOM_SETTING_TEXT:
	case FATHOM_SETTING_BUILD:
		fathom_format(text, bytes, "any text");
		break;
	case FATHOM_SETTING_NAME:
		fathom_format(text, bytes, "a name without / of up to %d bytes, not . or ..", (int)FATHOM_NAME_BYTES);
		break;
	case FATHOM_SETTING_PATTERN:
		fathom_format(text, bytes, "up to %d levels CLASS=NAME with / between, in names %%h, %%r, %%{r/N}, "
			      "%%{r%%N} and %%%%; machine, node, socket, numa need no name",
			      (int)FATHOM_PATTERN_LEVELS);
		break;
	case FATHOM_SETTING_NUMBER:
		fathom_format(text, bytes, "a number from %llu to %llu", (unsigned long long)setting->least,
			      (unsigned long long)setting->most);
		break;
	case FATHOM_SETTING_SIZE:
		fathom_format(text, bytes, "off, %sor a number of bytes from %llu to %llu",
			      setting->words ? "on, " : "", (unsigned long long)setting->least,
			      (unsigned long long)setting->most);
		break;
	case FATHOM_SETTING_TIME:
		fathom_format(text, bytes, "a time from %lluns to %lluns, in ns, us, ms or s",
			      (unsigned long long)setting->least, (unsigned long long)setting->most);
		break;
	case FATHOM_SETTING_PERIOD:
		fathom_format(text, bytes, "off, a time from %llums to %llus, in ms or s, or a directory "
			      "(with / in it)",
			      (unsigned long long)setting->least / 1000000,
			      (unsigned long long)setting->most / 1000000000);
		break;
	case FATHOM_SETTING_SAMPLING:
		fathom_format(text, bytes, "off, a rate from 1 to %d samples a second, and up to %d times "
			      "EVENT@PERIOD, with commas between",
			      (int)FATHOM_SAMPLING_MOST, (int)FATHOM_SAMPLED_EVENTS);
		break;
	case FATHOM_SETTING_WINDOW:
		fathom_format(text, bytes, "off, FROM:TO in seconds (0.5:2), or iterations of a phase: "
			      "NAME#FIRST-LAST");
		break;
	case FATHOM_SETTING_RING:
		fathom_format(text, bytes, "off, a number of bytes from %d to %d, or a time from 1ms to %ds",
			      (int)FATHOM_RING_LEAST_BYTES, (int)FATHOM_RING_MOST_BYTES, (int)FATHOM_RING_MOST_SECONDS);
		break;
	case FATHOM_SETTING_SHARE:
		fathom_format(text, bytes, "off, or a percentage with its sign (5%%), from %llu%% to %llu%%",
			      (unsigned long long)setting->least, (unsigned long long)setting->most);
		break;
	case FATHOM_SETTING_CHOICE:
	case FATHOM_SETTING_WORDS:
		for (const struct fathom_setting_word *word = setting->words; word->word && length < bytes; word++) {
			const char *between = word == setting->words ? "" : word[1].word ? ", " :
					      setting->type == FATHOM_SETTING_WORDS ? " and " : " or ";

			length += (size_t)fathom_format(text + length, bytes - length, "%s%s", between, word->word);
		}
		break;
	}
	return text;
}

static int parse_number(const struct fathom_setting *setting, const char *text, uint64_t *value)
{
	uint64_t number = 0, unit = 1;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	for (; *text >= '0' && *text <= '9'; text++) {
		if (number > setting->most)
			return -EINVAL;		/* this test also prevents the overflow of number */
		number = number * 10 + (uint64_t)(*text - '0');
	}
	if (*text == 'k' || *text == 'M' || *text == 'G') {
		unit = *text == 'k' ? 1000 : *text == 'M' ? 1000000 : 1000000000;
		text++;
	}
	if (*text || number > setting->most / unit || number * unit < setting->least)
		return -EINVAL;
	*value = number * unit;
	return 0;
}

static const struct fathom_setting_word *find_word(const struct fathom_setting *setting, const char *text,
						   size_t length)
{
	for (const struct fathom_setting_word *word = setting->words; word->word; word++)
		if (strlen(word->word) == length && !strncmp(word->word, text, length))
			return word;
	return NULL;
}

static int parse_size(const struct fathom_setting *setting, const char *text, uint64_t *value)
{
	const struct fathom_setting_word *word = setting->words ? find_word(setting, text, strlen(text)) : NULL;

	if (word) {
		*value = word->value;
		return 0;
	}
	if (strcmp(text, "off"))
		return parse_number(setting, text, value);
	*value = 0;
	return 0;
}

static int parse_time(const struct fathom_setting *setting, const char *text, uint64_t *value)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };
	uint64_t number = 0;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	for (; *text >= '0' && *text <= '9'; text++) {
		if (number > setting->most)
			return -EINVAL;
		number = number * 10 + (uint64_t)(*text - '0');
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(text, units[i].name))
			continue;
		if (number > setting->most / units[i].ns || number * units[i].ns < setting->least)
			return -EINVAL;
		*value = number * units[i].ns;
		return 0;
	}
	return -EINVAL;
}

/*
 * Reads "off", "5%" or "0.5%". A number without the sign is refused, because 0.05 could mean 5%. 0% becomes the least
 * share, a thousandth of a percent, because the value 0 stands for "off"; so 0% disables as many functions as possible.
 */
static int parse_share(const struct fathom_setting *setting, const char *text, uint64_t *value)
{
	uint64_t number = 0;
	int decimals = -1;

	if (!strcmp(text, "off")) {
		*value = 0;
		return 0;
	}
	if (*text < '0' || *text > '9')
		return -EINVAL;
	for (; (*text >= '0' && *text <= '9') || (*text == '.' && decimals < 0); text++) {
		if (*text == '.') {
			decimals = 0;
			continue;
		}
		if (number > setting->most * 1000 || (decimals >= 0 && ++decimals > 3))
			return -EINVAL;
		number = number * 10 + (uint64_t)(*text - '0');
	}
	for (decimals = decimals < 0 ? 0 : decimals; decimals < 3; decimals++)
		number *= 10;
	if (*text++ != '%' || *text || number < setting->least * 1000 || number > setting->most * 1000)
		return -EINVAL;
	*value = number ? number : 1;
	return 0;
}

static int parse_words(const struct fathom_setting *setting, const char *text, uint64_t *value)
{
	bool says_nothing = false;
	uint64_t bits = 0;

	for (;;) {
		size_t length = strcspn(text, ",");
		const struct fathom_setting_word *word = find_word(setting, text, length);

		if (!word)
			return -EINVAL;
		bits |= word->value;
		says_nothing |= !word->value;
		if (!text[length])
			break;
		text += length + 1;
	}
	if (says_nothing && bits)	/* "none" excludes all other words */
		return -EINVAL;
	*value = bits;
	return 0;
}

/* Returns whether text is a single line. settings.txt has one line for each setting, so a text must not have more. */
static bool is_line(const char *text)
{
	return *text && !strchr(text, '\n');
}

static bool is_name(const char *text)
{
	return is_line(text) && !strchr(text, '/') && strcmp(text, ".") && strcmp(text, "..") &&
	       strlen(text) <= FATHOM_NAME_BYTES;
}

static int parse_period(const struct fathom_setting *setting, const char *text, const char **value)
{
	uint64_t ns;

	if (!is_line(text) || (strcmp(text, "off") && !strchr(text, '/') && parse_time(setting, text, &ns)))
		return -EINVAL;
	*value = text;
	return 0;
}

uint64_t fathom_setting_period(const char *text)
{
	const struct fathom_setting any = { .most = UINT64_MAX / 2 };
	uint64_t ns = 0;

	return parse_time(&any, text, &ns) ? 0 : ns;
}

static int parse_sampling(const char *text, const char **value)
{
	struct fathom_sampling_setting unused;

	if (!fathom_sampling_setting_read(text, &unused))
		return -EINVAL;
	*value = text;
	return 0;
}

static int parse_window(const char *text, const char **value)
{
	struct fathom_window_setting unused;

	if (!fathom_window_setting_read(text, &unused))
		return -EINVAL;
	*value = text;
	return 0;
}

static int parse_ring(const char *text, const char **value)
{
	struct fathom_ring_setting unused;

	if (!fathom_ring_setting_read(text, &unused))
		return -EINVAL;
	*value = text;
	return 0;
}

static int parse(struct fathom_settings *settings, const struct fathom_setting *setting, const char *text)
{
	void *member = (char *)settings + setting->offset;
	const struct fathom_setting_word *word;

	switch (setting->type) {
	case FATHOM_SETTING_TEXT:
		if (text && !is_line(text))
			return -EINVAL;
		*(const char **)member = text;
		return 0;
	case FATHOM_SETTING_NAME:
		if (text && !is_name(text))
			return -EINVAL;
		*(const char **)member = text;
		return 0;
	case FATHOM_SETTING_PATTERN:
		if (text && !fathom_pattern_is_valid(text))
			return -EINVAL;
		*(const char **)member = text;
		return 0;
	case FATHOM_SETTING_SIZE:
		return parse_size(setting, text, member);
	case FATHOM_SETTING_TIME:
		return parse_time(setting, text, member);
	case FATHOM_SETTING_PERIOD:
		return parse_period(setting, text, member);
	case FATHOM_SETTING_SAMPLING:
		return parse_sampling(text, member);
	case FATHOM_SETTING_WINDOW:
		return parse_window(text, member);
	case FATHOM_SETTING_RING:
		return parse_ring(text, member);
	case FATHOM_SETTING_SHARE:
		return parse_share(setting, text, member);
	case FATHOM_SETTING_NUMBER:
		return parse_number(setting, text, member);
	case FATHOM_SETTING_CHOICE:
		word = find_word(setting, text, strlen(text));
		if (!word)
			return -EINVAL;
		*(uint64_t *)member = word->value;
		return 0;
	case FATHOM_SETTING_WORDS:
		return parse_words(setting, text, member);
	case FATHOM_SETTING_BUILD:
		break;
	}
	return 0;
}

/* Returns the edit distance of two names, computed up to the longest name in the table. */
static int distance(const char *a, size_t a_length, const char *b)
{
	int row[64], b_length = (int)strlen(b);

	if (a_length > 60 || b_length > 60)
		return 64;
	for (int j = 0; j <= b_length; j++)
		row[j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		int diagonal = row[0];

		row[0] = (int)i;
		for (int j = 1; j <= b_length; j++) {
			int changed = diagonal + (a[i - 1] != b[j - 1]);
			int added = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;

			diagonal = row[j];
			row[j] = changed < added ? changed : added;
		}
	}
	return row[b_length];
}

static const struct fathom_setting *nearest(const char *name, size_t length)
{
	const struct fathom_setting *best = fathom_setting_table;

	for (size_t i = 1; i < fathom_setting_count; i++)
		if (distance(name, length, fathom_setting_table[i].name) < distance(name, length, best->name))
			best = &fathom_setting_table[i];
	return best;
}

static const struct fathom_setting *find_setting(const char *name, size_t length)
{
	for (size_t i = 0; i < fathom_setting_count; i++)
		if (strlen(fathom_setting_table[i].name) == length &&
		    !strncmp(fathom_setting_table[i].name, name, length))
			return &fathom_setting_table[i];
	return NULL;
}

int fathom_settings_read(struct fathom_settings *settings, char *const *environment, char *error, size_t error_bytes)
{
	char allowed[256];

	memset(settings, 0, sizeof(*settings));
	for (size_t i = 0; i < fathom_setting_count; i++) {
		const struct fathom_setting *setting = &fathom_setting_table[i];

		if (setting->fallback || setting->type == FATHOM_SETTING_TEXT ||
		    setting->type == FATHOM_SETTING_NAME || setting->type == FATHOM_SETTING_PATTERN)
			parse(settings, setting, setting->fallback);
	}
	for (; *environment; environment++) {
		const struct fathom_setting *setting;
		const char *value = strchr(*environment, '=');
		size_t length;

		if (strncmp(*environment, "FATHOM_", 7) || !value)
			continue;
		length = (size_t)(value++ - *environment);
		setting = find_setting(*environment, length);
		if (!setting) {
			fathom_format(error, error_bytes,
				      "%.*s is not a setting; the nearest is %s (fathom config lists all)", (int)length,
				      *environment, nearest(*environment, length)->name);
			return -EINVAL;
		}
		if (setting->left_out && (!setting->fallback || strcmp(value, setting->fallback))) {
			fathom_format(error, error_bytes, "%s=%s cannot be used: fathom was built without %s",
				      setting->name, value, setting->left_out);
			return -EINVAL;
		}
		if (parse(settings, setting, value)) {
			fathom_format(error, error_bytes, "%s=%s cannot be used: allowed is %s%s", setting->name, value,
				      setting->type == FATHOM_SETTING_WORDS ? "a list, with commas, of " : "",
				      setting->type == FATHOM_SETTING_TEXT ?
					      "a text in one line that is not empty" :
					      fathom_setting_allowed(setting, allowed, sizeof(allowed)));
			return -EINVAL;
		}
	}
	return 0;
}
