#include "run/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "comm/comm.h"
#include "define/region.h"
#include "run/signal_stack.h"
#include "run/process_copy.h"
#include "event/cost.h"
#include "run/experiment.h"
#include "run/filtering.h"
#include "run/run_snapshot.h"
#include "event/location.h"
#include "event/pause.h"
#include "event/nesting.h"
#include "run/notes.h"
#include "run/omitted.h"
#include "event/meter.h"
#include "run/crash_saving.h"
#include "event/state.h"
#include "metric/counters.h"
#include "platform/clock.h"
#include "platform/log.h"
#include "platform/module.h"
#include "platform/vectors.h"
#include "platform/write.h"

struct fathom_runtime fathom;

void fathom_runtime_set_resolver(fathom_region_resolver *resolver)
{
	fathom.resolver = resolver;
}

bool fathom_runtime_measures(void)
{
	return fathom.phase != FATHOM_PHASE_OFF;
}

const struct fathom_settings *fathom_runtime_settings(void)
{
	return &fathom.settings;
}

bool fathom_runtime_has_events(void)
{
	return fathom_location_newest() != NULL;
}

/* Where all that happened so far was left out, there is nothing yet but the program as such. */
static void begin_at_least(void)
{
	if (!fathom_runtime_has_events())
		fathom_location_wake(fathom_self, (uintptr_t)__builtin_frame_address(0));
}

/* A wrong setting ends the program before main. */
static void refuse(const char *error)
{
	if (fathom_experiment_is_first_rank())
		fathom_log(FATHOM_LOG_ERROR, "%s", error);
	_exit(2);
}

static void refuse_filter(const char *error)
{
	char text[800];

	fathom_format(text, sizeof(text), "FATHOM_FILTER cannot be used: %s", error);
	refuse(text);
}

/* The counters that were asked for. Libraries that this loads may call the program's functions: that is no event. */
static void start_counters(void)
{
	struct fathom_location *self = fathom_self;
	char error[512];
	int err;

	if (!fathom.settings.metrics)
		return;
	fathom_self = fathom_location_ignored();
	err = fathom_counters_start(fathom.settings.metrics, fathom.settings.multiplex,
				    fathom_experiment_is_first_rank(), error, sizeof(error));
	fathom_self = self;
	if (err)
		refuse(error);
}

static void read_command(void)
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t length;

	fathom.program_path = fathom_module_program();
	if (!*fathom.program_path)
		fathom.program_path = "program";
	if (fd < 0)
		return;
	length = read(fd, fathom.arguments, sizeof(fathom.arguments) - 1);
	close(fd);
	for (ssize_t i = 0; i + 1 < length; i++)
		if (!fathom.arguments[i])
			fathom.arguments[i] = ' ';
}

static int define_program(void)
{
	const char *base = strrchr(fathom.program_path, '/');
	struct fathom_region spec = {
		.name = base ? base + 1 : fathom.program_path,
		.canonical = fathom.arguments,
		.paradigm = FATHOM_PARADIGM_MEASUREMENT,
		.role = FATHOM_ROLE_ARTIFICIAL,
	};

	fathom.program = fathom_region_define(&spec);
	return fathom.program ? 0 : -ENOMEM;
}

/* The processor clock of the initial thread, as include/linux/posix-timers_types.h numbers it. */
static clockid_t initial_thread_clock(void)
{
	enum { OF_THREAD = 4, SCHEDULED = 2 };

	return (clockid_t)(~(unsigned)fathom.pid << 3 | OF_THREAD | SCHEDULED);
}

/* The processor time of a process or thread so far. Where the kernel does not tell: what it was at the start.
 * Context: signal. */
static uint64_t processor_ns(clockid_t clock)
{
	struct timespec used;

	if (clock_gettime(clock, &used))
		return fathom.begin_processor_ns;
	return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

/* Before every constructor that may be instrumented: 101 is the first priority that is not the
 * implementation's. */
__attribute__((constructor(101))) static void start(void)
{
	static char *const nothing[] = { NULL };
	const struct fathom_substrate *substrate;
	/* The program has rights that its user does not have: the user's environment must not be believed. */
	bool is_privileged = getauxval(AT_SECURE);
	char error[512];

	if (fathom_settings_read(&fathom.settings, is_privileged ? nothing : environ, error, sizeof(error)))
		refuse(error);
	fathom_log_set_level(FATHOM_LOG_SAY + (enum fathom_log_level)fathom.settings.verbose);
	fathom_vectors_init();
	fathom_jump_init();	/* longjmp is ours whatever is measured */
	if (is_privileged) {
		fathom_log(FATHOM_LOG_SAY, "not measured: the program has more rights than its user (set-user-ID)");
		return;
	}
	if (fathom.settings.mode == FATHOM_MODE_NONE)
		return;
	if (fathom_clock_init((enum fathom_clock_kind)fathom.settings.clock))
		fathom_log(FATHOM_LOG_ERROR, "FATHOM_CLOCK=tsc: the kernel does not trust this processor's counter; "
			   "the system's clock is used");
	start_counters();
	substrate = fathom_substrate_choose(&fathom.settings);
	if (!substrate)
		return;
	fathom_runtime_use(fathom_metric_strict_count() ? fathom_meter_before(substrate) : substrate);
	fathom.pid = getpid();
	fathom.begin_processor_ns = processor_ns(CLOCK_PROCESS_CPUTIME_ID);
	fathom.begin_seconds = time(NULL);
	fathom.identity.size = 1;
	fathom_experiment_init(&fathom.settings);
	if (fathom_experiment_is_first_rank() && fathom_experiment_check(&fathom.settings, error, sizeof(error))) {
		if (getenv("FATHOM_DIR"))
			refuse(error);
		fathom_log(FATHOM_LOG_ERROR, "%s", error);
	}
	gethostname(fathom.host, sizeof(fathom.host) - 1);
	read_command();
	if (define_program() || fathom_pause_init())
		return;
	if (fathom.settings.filter && fathom_filtering_init(fathom.settings.filter, error, sizeof(error)))
		refuse_filter(error);
	fathom_location_init();
	fathom_crash_saving_init();
	fathom_run_snapshot_init();
	fathom_ending_init();
	/* What stands above is not the program's work. */
	fathom_meter_begin();
	fathom.begin_ticks = fathom_clock_ticks();
	fathom.phase = FATHOM_PHASE_RECORDING;
	fathom_signal_stack_give();
}

static bool writes_profile(void)
{
	return fathom.settings.mode & FATHOM_MODE_PROFILE;
}

static bool writes_trace(void)
{
	return fathom.settings.mode & FATHOM_MODE_TRACE;
}

static const char *what_is_written(void)
{
	if (writes_profile())
		return writes_trace() ? "profile and trace" : "profile";
	return "trace";
}

/* The trace of this run, which can be written only once. */
static struct {
	char directory[sizeof(fathom.identity.experiment) + 32];
	int error;		/* how that went, where a profile is written as well */
	bool is_written;
} trace;

/* Where no profile could be written: whose error it was. Set while the ranks put it together, at rank 0. */
static int profile_failed_rank;

/* Processor time of this process when the program's work ended, and of its initial thread. */
static struct {
	uint64_t all_ns;
	uint64_t initial_ns;
} processor_time;

static void note_processor_time(void)
{
	processor_time.all_ns = processor_ns(CLOCK_PROCESS_CPUTIME_ID);
	processor_time.initial_ns = processor_ns(initial_thread_clock());
}

/* The program's work ends here, as far as the calling thread does it: returns when. */
static uint64_t end_work(void)
{
	uint64_t now = fathom_clock_ticks();

	note_processor_time();
	fathom_meter_end();
	return now;
}

/*
 * Fills in what is to be said of the result of the processes of comm together. end_ticks: when the program's work
 * ended; 0: when all processes are here, as a process that waits for the others in MPI_Finalize does that in the
 * program's time.
 */
static void describe(struct fathom_result *result, struct fathom_comm *comm, uint64_t end_ticks, char *date,
		     size_t date_bytes, bool may_allocate)
{
	static struct fathom_omitted omitted;

	memset(result, 0, sizeof(*result));
	result->mode = !writes_trace() ? "profile" : writes_profile() ? "profile,trace" : "trace";
	result->trace_directory = writes_trace() && !trace.is_written ? trace.directory : NULL;
	result->trace_error = &trace.error;
	result->failed_rank = &profile_failed_rank;
	result->program = fathom.program_path;
	result->arguments = fathom.arguments;
	result->host = fathom.host;
	result->filter = fathom.settings.filter;
	fathom_omitted_unite(comm, &omitted);	/* a broken comm is noticed again */
	if (!result->filter && omitted.count)
		result->filter = "of other ranks";
	result->left_out = omitted.count;
	result->left_out_ranks = omitted.ranks;
	result->system_tree = fathom.settings.system_tree;
	result->system_split = fathom.settings.system_split;
	result->begin_seconds = fathom.begin_seconds;
	fathom_experiment_date(date, date_bytes, fathom.begin_seconds, may_allocate);
	result->begin_text = date;
	result->end_ticks = end_ticks ? end_ticks : end_work();
	result->wall_ticks = result->end_ticks - fathom.begin_ticks;
	result->processor_ns = processor_time.all_ns - fathom.begin_processor_ns;
	result->initial_ns = processor_time.initial_ns - fathom.begin_processor_ns;
	if (writes_profile())	/* after end_ticks: with counters it may take a while */
		result->costs = fathom_cost_measure();
	result->rank = fathom.identity.rank;
	result->world_size = fathom.identity.size;
	result->parallel = fathom.identity.parallel;
	result->may_allocate = may_allocate;
	result->resolve = fathom.resolver;
}

/* As a person would type it. */
static const char *experiment(void)
{
	return fathom_experiment_shown(fathom.identity.experiment);
}

/* rank: whose error it is; 0: the one that says so. */
static void say_lost(const char *what, const char *path, int err, int rank)
{
	if (rank) {
		fathom_log(FATHOM_LOG_ERROR, "%s cannot be written (rank %d: %s): the %s is lost", path, rank,
			   strerrordesc_np(-err), what);
		return;
	}
	fathom_log(FATHOM_LOG_ERROR, "%s cannot be written (%s): the %s is lost", path, strerrordesc_np(-err), what);
}

/* err: how the result went; of a profile, the trace beside it has its own. begin: words to begin with. */
static void say_result(int err, const char *path, const char *begin, const char *up_to_there)
{
	char traces[sizeof(trace.directory) + 32];
	int trace_err = !writes_trace() ? 0 : writes_profile() ? trace.error : err;
	bool has_profile = writes_profile() && !err, has_trace = writes_trace() && !trace_err;

	fathom_format(traces, sizeof(traces), "%s/traces.otf2", trace.directory);
	if (writes_profile() && err)
		say_lost("profile", path, err, profile_failed_rank);
	if (trace_err)
		say_lost("trace", traces, trace_err, 0);
	if (has_profile || has_trace)
		fathom_log(FATHOM_LOG_SAY, "%s%s%s in %s (look at it: fathom report %s)", begin,
			   has_profile && has_trace ? "profile and trace" : has_profile ? "profile" : "trace",
			   up_to_there, experiment(), experiment());
}

/* While we are at work here, what the program's own allocator or handlers do is not recorded. */
static uintptr_t close_own_location(void)
{
	uintptr_t before = fathom_self->busy;

	/* The locations of threads without one cannot be written to: they are busy for ever. */
	if (before != FATHOM_BUSY_FOR_EVER)
		fathom_self->busy = FATHOM_BUSY_FOR_EVER;
	return before;
}

static void reopen_own_location(uintptr_t before)
{
	if (before != FATHOM_BUSY_FOR_EVER)
		fathom_self->busy = before;
}

/*
 * Lets the substrate write its result to path. A limit on the size of files that is met while writing must be an
 * error for the substrate, and not the end of the program; so must a stderr that nobody reads: libraries print there.
 */
static int finish_to(const char *path, struct fathom_comm *comm, struct fathom_result *result)
{
	struct fathom_write_signals before;
	int err;

	fathom_write_signals_hold(&before);
	result->path = path;
	err = fathom.substrate->finish(comm, result);
	if (result->may_allocate)
		fathom_nesting_say(result->resolve, result->parallel ? result->rank : -1);
	fathom_write_signals_release(&before);
	return err;
}

void fathom_runtime_join(struct fathom_comm *comm)
{
	struct fathom_runtime_identity *identity = &fathom.identity;

	if (fathom.phase != FATHOM_PHASE_RECORDING || getpid() != fathom.pid || identity->parallel)
		return;
	/* One that was not known to be a rank may have begun a directory of its own: rank 0's becomes that of all. */
	fathom_run_snapshot_end();
	if (comm->rank && *identity->experiment)
		rmdir(identity->experiment);
	if (comm->rank == 0 && !*identity->experiment) {
		fathom_experiment_create(identity->experiment, sizeof(identity->experiment), &fathom.settings,
					 fathom.program_path, fathom.begin_seconds, 1);
	}
	if (comm->broadcast(comm, 0, identity->experiment, sizeof(identity->experiment)))
		*identity->experiment = '\0';
	identity->rank = comm->rank;
	identity->size = comm->size;
	identity->parallel = true;
	fathom_run_snapshot_join();
	begin_at_least();
	fathom_filtering_join(comm->rank);
	if (fathom.substrate->synchronize)
		fathom.substrate->synchronize(comm);
}

/* How long the calling thread has been ready to run without a processor, in ns; 0 where the kernel does not tell. */
static uint64_t waited_for_processor_ns(void)
{
	int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	char text[128];
	const char *waited;
	ssize_t length;

	if (fd < 0)
		return 0;
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[length < 0 ? 0 : length] = '\0';
	waited = strchr(text, ' ');		/* behind the time that it ran */
	return waited ? strtoull(waited, NULL, 10) : 0;
}

void fathom_runtime_unify(struct fathom_comm *comm)
{
	char path[sizeof(fathom.identity.experiment) + 32], date[64];
	struct fathom_result result;
	uintptr_t before;
	int err;

	if (fathom.phase != FATHOM_PHASE_RECORDING || getpid() != fathom.pid)
		return;
	before = close_own_location();
	describe(&result, comm, 0, date, sizeof(date), true);
	fathom_format(path, sizeof(path), "%s/profile.cubex", fathom.identity.experiment);
	fathom_format(trace.directory, sizeof(trace.directory), "%s", fathom.identity.experiment);
	err = finish_to(path, comm, &result);
	if (!err)
		fathom_run_snapshot_end();
	trace.is_written = true;
	fathom.phase = FATHOM_PHASE_UNIFIED;
	fathom.finalized_ticks = fathom_clock_ticks();
	fathom.finalized_waited_ns = waited_for_processor_ns();
	if (comm->rank == 0 && *fathom.identity.experiment) {
		fathom_notes_write(fathom.identity.experiment, false);
		say_result(err, path, "", "");
	}
	reopen_own_location(before);
}

void fathom_runtime_finalized(void)
{
	if (fathom.phase != FATHOM_PHASE_UNIFIED || getpid() != fathom.pid)
		return;
	fathom.finalized_ticks = fathom_clock_ticks();
	fathom.finalized_waited_ns = waited_for_processor_ns();
}

/* Where this process alone puts its result: the whole profile, or a rank's part. */
static int own_path(char *path, size_t bytes, bool may_allocate)
{
	struct fathom_runtime_identity *identity = &fathom.identity;
	int err;

	if (!*identity->experiment && identity->parallel)
		return -ENOENT;		/* said when it could not be made */
	if (!*identity->experiment) {
		err = fathom_experiment_share(identity->experiment, sizeof(identity->experiment), &fathom.settings,
					      fathom.program_path, &identity->rank, &identity->size);
		identity->parallel = err == 0;
		if (err == -ENOENT)
			err = fathom_experiment_create(identity->experiment, sizeof(identity->experiment),
						       &fathom.settings, fathom.program_path, fathom.begin_seconds,
						       may_allocate);
		if (err)
			return err;
	}
	if (identity->parallel) {
		fathom_format(path, bytes, "%s/rank-%d.cubex", identity->experiment, identity->rank);
		fathom_format(trace.directory, sizeof(trace.directory), "%s/rank-%d", identity->experiment,
			      identity->rank);
	} else {
		fathom_format(path, bytes, "%s/profile.cubex", identity->experiment);
		fathom_format(trace.directory, sizeof(trace.directory), "%s", identity->experiment);
	}
	return 0;
}

/* Nothing hidden stays behind where no result can be written. */
static void discard(void)
{
	if (fathom.substrate->discard)
		fathom.substrate->discard();
}

/* Of all ranks that end early, one says so: the first to leave a mark. */
static void say_first(const char *why)
{
	char text[64];
	int length = fathom_format(text, sizeof(text), "%d\n", fathom.identity.rank);

	if (fathom_experiment_write(fathom.identity.experiment, "first-to-end", text, (size_t)length))
		return;
	fathom_notes_write(fathom.identity.experiment, true);
	if (!writes_trace())
		fathom_log(FATHOM_LOG_SAY, "rank %d: %s; each rank that could saved its own profile: fathom merge %s",
			   fathom.identity.rank, why, experiment());
	else
		fathom_log(FATHOM_LOG_SAY, "rank %d: %s; each rank that could saved its own %s: %s/rank-N*",
			   fathom.identity.rank, why, what_is_written(), experiment());
}

static void say_rescue(int err, const char *path, const char *why)
{
	char begin[128];

	if (!fathom.identity.parallel) {
		fathom_format(begin, sizeof(begin), "%s: ", why);
		say_result(err, path, begin, " up to there");
		return;
	}
	if (err)
		fathom_log(FATHOM_LOG_ERROR, "rank %d: %s; %s cannot be written (%s): its %s is lost",
			   fathom.identity.rank, why, writes_profile() ? path : trace.directory,
			   strerrordesc_np(-err), writes_profile() ? "profile" : "trace");
	else
		say_first(why);
	if (!err && writes_profile() && writes_trace() && trace.error)
		say_lost("trace", trace.directory, trace.error, 0);
}

/* When, in ns since 1970, the file with that ending got there, of what a rank alone writes; 0: it is not there. */
static int64_t left_at(int rank, const char *ending)
{
	char path[sizeof(fathom.identity.experiment) + 32];
	struct stat facts;

	fathom_format(path, sizeof(path), "%s/rank-%d%s", fathom.identity.experiment, rank, ending);
	return stat(path, &facts) ? 0 : facts.st_ctim.tv_sec * INT64_C(1000000000) + facts.st_ctim.tv_nsec;
}

/* All leave at the same time, so that none is killed because another was a little earlier. */
static void leave_together(int64_t since)
{
	enum { PAUSE_NS = 50000000 };
	int64_t end = since + PAUSE_NS;
	const struct timespec until = { .tv_sec = end / 1000000000, .tv_nsec = end % 1000000000 };
	struct timespec now;

	/* Files may be on another host, with another clock. */
	if (clock_gettime(CLOCK_REALTIME, &now) || now.tv_sec < until.tv_sec - 1)
		return;
	clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL);
}

/*
 * The first rank to vanish without MPI_Finalize makes the process manager kill the others, without a
 * signal that could be caught. Where all end like that at about the same time, a moment of patience is all
 * they need to save what they have; who has begun to gets more of it.
 */
static void wait_for_peers(int most_steps)
{
	enum { STEP_NS = 10000000, MOST_STEPS_AT_WORK = 2000 };
	const struct timespec step = { .tv_nsec = STEP_NS };
	const char *last = writes_trace() ? "/traces.otf2" : ".cubex";
	int64_t latest = 0;
	int rank = 0;

	for (int i = 0, vain = 0; i < MOST_STEPS_AT_WORK && vain < most_steps; i++) {
		for (int64_t at; rank < fathom.identity.size && (at = left_at(rank, last)); rank++)
			latest = at > latest ? at : latest;
		if (rank == fathom.identity.size) {
			leave_together(latest);
			return;
		}
		if (!left_at(rank, "") && !left_at(rank, ".cubex") && !left_at(rank, ".cubex.part"))
			vain++;
		nanosleep(&step, NULL);
	}
}

/* All may end in the same way on their own; what happens to one happens to it alone. */
enum { WAIT_FOR_ALL = 100, WAIT_FOR_SOME = 30 };

/*
 * The profile of all processes was written in MPI_Finalize, and cannot be changed any more: the others may be
 * gone. What this process did after MPI_Finalize is saved beside it, if that took at least a tenth of a second and
 * a twentieth of the life of the process. The time in which it only waited for a processor does not count: where there
 * are more processes than processors, each of them waits like that before it ends.
 */
static void save_what_came_later(void)
{
	char path[sizeof(fathom.identity.experiment) + 32], date[64];
	struct fathom_tick_scale scale = fathom_clock_scale();
	uint64_t now = fathom_clock_ticks();
	uint64_t later = fathom_ticks_to_units(scale, now - fathom.finalized_ticks);
	uint64_t whole = fathom_ticks_to_units(scale, now - fathom.begin_ticks);
	double waited = (double)(int64_t)(waited_for_processor_ns() - fathom.finalized_waited_ns) * 1e-9;
	struct fathom_result result;
	uint64_t end_ticks;

	if (waited < 0)		/* it is another thread that ends the process */
		waited = 0;
	if ((double)later < (0.1 + waited) * FATHOM_UNITS_PER_SECOND || later < whole / 20)
		return;
	if (!writes_profile()) {
		fathom_log(FATHOM_LOG_SAY, "rank %d went on for %.1f s after MPI_Finalize, which the trace does not "
			   "have", fathom.identity.rank, (double)later / FATHOM_UNITS_PER_SECOND);
		return;
	}
	end_ticks = end_work();
	if (!own_path(path, sizeof(path), true)) {
		describe(&result, fathom_comm_serial(), end_ticks, date, sizeof(date), true);
		result.incomplete = "this rank alone, with what it did after MPI_Finalize";
		if (!finish_to(path, fathom_comm_serial(), &result))
			fathom_log(FATHOM_LOG_SAY,
				   "rank %d went on for %.1f s after MPI_Finalize, which profile.cubex%s not "
				   "have: %s has all of this rank",
				   fathom.identity.rank, (double)later / FATHOM_UNITS_PER_SECOND,
				   writes_trace() ? " and the trace do" : " does", path);
	}
}

/* The calling thread's location is closed by the caller of these. */
static void write_own_result(void)
{
	char path[sizeof(fathom.identity.experiment) + 32], date[64];
	const char *why = fathom.identity.parallel ? "ended without MPI_Finalize" : "no MPI_Init was seen";
	struct fathom_result result;
	uint64_t end_ticks = end_work();
	int err = own_path(path, sizeof(path), true);

	if (err) {
		discard();
		return;
	}
	describe(&result, fathom_comm_serial(), end_ticks, date, sizeof(date), true);
	if (fathom.identity.parallel)
		result.incomplete = why;
	unlink(path);		/* our own: from before an exec that failed */
	err = finish_to(path, fathom_comm_serial(), &result);
	if (!err)
		fathom_run_snapshot_end();
	if (!result.trace_directory && !writes_profile())
		err = trace.error;	/* it was written before an exec that failed */
	trace.is_written = true;
	if (fathom.identity.parallel) {
		say_rescue(err, path, why);
		wait_for_peers(WAIT_FOR_ALL);
	} else {
		fathom_notes_write(fathom.identity.experiment, false);
		say_result(err, path, "", "");
	}
}

static void end(void *unused)
{
	enum fathom_phase phase = fathom.phase;

	(void)unused;
	fathom.phase = FATHOM_PHASE_FINISHED;
	if (phase == FATHOM_PHASE_RECORDING)
		write_own_result();
	else if (phase == FATHOM_PHASE_UNIFIED)
		save_what_came_later();
}

/* The saver met a fault: memory of the measurement was overwritten, or there was a mistake of ours. */
static void say_fault(const char *why)
{
	fathom_log(FATHOM_LOG_ERROR, "%s: the measurement's own data are damaged; the %s may be lost", why,
		   what_is_written());
}

void fathom_runtime_end(void)
{
	uintptr_t before;

	if (fathom.phase == FATHOM_PHASE_RECORDING && fathom_filtering_has_left_out())
		begin_at_least();
	if (fathom.phase == FATHOM_PHASE_RECORDING && getpid() == fathom.pid && !fathom_runtime_has_events())
		fathom_notes_say_none(fathom.program_path);
	if (fathom.phase == FATHOM_PHASE_OFF || !fathom_runtime_has_events())
		return;
	before = close_own_location();
	if (fathom_crash_saving_run(end, NULL, true) == FATHOM_SAVED_IN_PART)
		say_fault("at the end");
	reopen_own_location(before);
}

/* What the copy of a crashing process does. */
struct second_try {
	char named[sizeof(fathom.identity.experiment) + 64];
	const char *path;
	struct fathom_result *result;
};

static int write_with_names(void *data)
{
	struct second_try *second = data;
	int err;

	fathom.phase = FATHOM_PHASE_FINISHED;
	fathom_log_set_level(FATHOM_LOG_ERROR);	/* all has been said */
	second->result->may_allocate = 1;
	err = finish_to(second->named, fathom_comm_serial(), second->result);
	if (!writes_profile())
		return err;
	if (err || rename(second->named, second->path))
		unlink(second->named);
	return trace.error;
}

/*
 * The names of functions come from libraries that allocate memory, which this process may not be able to do any more.
 * So a copy of the process tries, and if it succeeds, its file replaces the one without names. A trace is written by
 * the copy alone. Returns how the trace went.
 */
static int try_with_names(const char *path, struct fathom_result *result)
{
	enum { MOST_SECONDS = 20 };
	struct second_try second = { .path = path, .result = result };
	int err;

	fathom_format(second.named, sizeof(second.named), "%s.named.cubex", path);
	err = fathom_process_copy_run(write_with_names, &second, MOST_SECONDS);
	unlink(second.named);	/* and .part, should the copy have been killed half-way */
	return err;
}

static int save_alone(const char *path, struct fathom_result *result)
{
	bool has_trace = result->trace_directory;
	int err = finish_to(path, fathom_comm_serial(), result), copy_err;

	if (err && !has_trace)
		return err;
	copy_err = try_with_names(path, result);
	if (!has_trace)
		return err;
	trace.is_written = true;
	trace.error = copy_err;
	discard();
	return writes_profile() ? err : copy_err;
}

struct rescue {
	const char *why;
	enum fathom_end end;
	uint64_t end_ticks;		/* when the program's work ended */
};

static void write_rescued_result(const struct rescue *rescue)
{
	char path[sizeof(fathom.identity.experiment) + 32], date[64];
	struct fathom_result result;
	int err = own_path(path, sizeof(path), false);

	if (err) {
		discard();
		return;
	}
	describe(&result, fathom_comm_serial(), rescue->end_ticks, date, sizeof(date), false);
	result.incomplete = rescue->why;
	unlink(path);
	err = save_alone(path, &result);
	if (!err)
		fathom_run_snapshot_end();
	say_rescue(err, path, rescue->why);
	if (!fathom.identity.parallel)
		fathom_notes_write(fathom.identity.experiment, false);
	else if (rescue->end != FATHOM_END_PERHAPS)
		wait_for_peers(rescue->end == FATHOM_END_BY_ITSELF ? WAIT_FOR_ALL : WAIT_FOR_SOME);
}

static void rescue(void *data)
{
	const struct rescue *rescue = data;

	note_processor_time();
	fathom_meter_pause(true);
	if (fathom.phase == FATHOM_PHASE_RECORDING)
		write_rescued_result(rescue);
	if (rescue->end != FATHOM_END_PERHAPS)
		fathom.phase = FATHOM_PHASE_FINISHED;
}

void fathom_runtime_rescue(const char *why, enum fathom_end end)
{
	struct rescue how = { .why = why, .end = end, .end_ticks = fathom_clock_ticks() };
	enum fathom_saved saved;
	int error = errno;
	uintptr_t before;

	if (fathom.phase == FATHOM_PHASE_OFF || getpid() != fathom.pid || !fathom_runtime_has_events())
		return;
	before = close_own_location();
	saved = fathom_crash_saving_run(rescue, &how, end != FATHOM_END_PERHAPS);
	if (saved != FATHOM_SAVED_BY_OTHER)
		fathom_meter_pause(false);
	if (saved == FATHOM_SAVED_IN_PART)
		say_fault(why);
	reopen_own_location(before);
	errno = error;
}

void fathom_runtime_save(const char *why)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	fathom_runtime_rescue(why, FATHOM_END_BY_FORCE);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}
