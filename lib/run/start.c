/*
 * start: the constructor of the library, which reads the settings and starts the parts of the measurement that they ask
 * for.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

#include "define/metric.h"
#include "define/region.h"
#include "event/jumps/jump.h"
#include "event/location.h"
#include "event/meter.h"
#include "event/pause.h"
#include "event/state.h"
#include "event/thread.h"
#include "metric/counters.h"
#include "platform/clock.h"
#include "platform/log.h"
#include "platform/module.h"
#include "platform/vectors.h"
#include "run/crash_saving.h"
#include "run/ending.h"
#include "run/exec.h"
#include "run/experiment.h"
#include "run/filtering.h"
#include "run/forked_child.h"
#include "run/processor_time.h"
#include "run/run.h"
#include "run/run_snapshot.h"
#include "run/sampling_plan.h"
#include "run/signals/signal_stack.h"
#include "sample/sampling.h"

/* The variable is defined in this file so that a static program that records events also has the constructor below. */
struct fathom_runtime fathom;

/* Ends the program before main because of a wrong setting. */
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

/* Copies the lists of counters that this process reads into lists: of several groups with "|" between them, the one of
 * its rank, or all of them if threads count one after the other. 0, or -EINVAL with a line in error: they are too long,
 * or a group is empty. */
static int choose_groups(char *lists, size_t bytes, char *error, size_t error_bytes)
{
	const char *groups = fathom.settings.metrics, *group = groups;
	bool rotates = fathom.settings.rotate != FATHOM_ROTATION_OFF;
	uint32_t count = 1, wanted;

	for (const char *at = groups; *at; at++)
		count += *at == '|';
	wanted = count > 1 ? fathom_experiment_rank() % count : 0;
	for (uint32_t g = 0; g < count; g++) {
		size_t length = strcspn(group, "|");
		const char *from = rotates ? groups : group;
		size_t chosen = rotates ? strlen(groups) : length;

		if (count > 1 && length == 0) {
			fathom_format(error, error_bytes, "FATHOM_METRICS=%s: a group is empty (groups are lists of "
				      "counters, with | between them)", groups);
			return -EINVAL;
		}
		if (g == wanted && chosen >= bytes) {
			fathom_format(error, error_bytes, "FATHOM_METRICS: %s more than %zu characters",
				      rotates ? "the groups have" : "a group has", bytes - 1);
			return -EINVAL;
		}
		if (g == wanted) {
			memcpy(lists, from, chosen);
			lists[chosen] = '\0';
		}
		group += length + 1;
	}
	return 0;
}

/* Returns 0, or -EINVAL with a line in error if the settings do not permit groups of counters to take turns. */
static int check_rotation(char *error, size_t error_bytes)
{
	if (fathom.settings.rotate == FATHOM_ROTATION_OFF)
		return 0;
	if (fathom.settings.mode != FATHOM_MODE_TRACE)
		fathom_format(error, error_bytes, "FATHOM_METRICS_ROTATE is for traces only (FATHOM_MODE=trace): a "
			      "profile has sums, in which the turns of a counter cannot be seen");
	else if (!fathom.settings.metrics || !strchr(fathom.settings.metrics, '|'))
		fathom_format(error, error_bytes, "FATHOM_METRICS_ROTATE needs several lists of counters in "
			      "FATHOM_METRICS, with | between them");
	else
		return 0;
	return -EINVAL;
}

/* Starts the counters that the settings name. Libraries that are loaded for them may call functions of the program,
 * which must not be recorded: meanwhile the thread has the location of ignored threads. */
static void start_counters(void)
{
	struct fathom_location *self = fathom_self;
	static char lists[16384];
	char error[512];
	struct fathom_counter_wishes wishes = {
		.lists = lists,
		.multiplex = fathom.settings.multiplex,
		.says = fathom_experiment_is_first_rank(),
		.first_group = fathom.settings.rotate == FATHOM_ROTATION_TIME_SPACE ? fathom_experiment_rank() : 0,
		.turn_ns = fathom.settings.rotate_time,
		.turn_bursts = (uint32_t)fathom.settings.rotate_bursts,
	};
	int err = check_rotation(error, sizeof(error));

	if (err)
		refuse(error);
	if (!fathom.settings.metrics)
		return;
	fathom_self = fathom_location_ignored();
	err = choose_groups(lists, sizeof(lists), error, sizeof(error));
	if (!err)
		err = fathom_counters_start(&wishes, error, sizeof(error));
	fathom_self = self;
	if (err)
		refuse(error);
}

/* Notes the path of the program and its command line. */
static void read_command(void)
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t length;

	fathom_run.program_path = fathom_module_program();
	if (!*fathom_run.program_path)
		fathom_run.program_path = "program";
	if (fd < 0)
		return;
	length = read(fd, fathom_run.arguments, sizeof(fathom_run.arguments) - 1);
	close(fd);
	for (ssize_t i = 0; i + 1 < length; i++)
		if (!fathom_run.arguments[i])
			fathom_run.arguments[i] = ' ';
}

static int define_program(void)
{
	const char *base = strrchr(fathom_run.program_path, '/');
	struct fathom_region spec = {
		.name = base ? base + 1 : fathom_run.program_path,
		.canonical = fathom_run.arguments,
		.paradigm = FATHOM_PARADIGM_MEASUREMENT,
		.role = FATHOM_ROLE_ARTIFICIAL,
	};

	fathom.program = fathom_region_define(&spec);
	return fathom.program ? 0 : -ENOMEM;
}

/* The handler of samples runs on the signal stack. */
static void thread_begins(void)
{
	fathom_signal_stack_give();
	fathom_sampling_thread_begin();
}

/* The thread may record events after this call, if a later destructor of the program is instrumented. Therefore its
 * root frame is not removed. */
static void thread_ends(struct fathom_location *location)
{
	fathom_sampling_thread_end();
	if (location == fathom_self)
		fathom_thread_end(location);
	fathom_signal_stack_take_back();
}

static const struct fathom_thread_watch watch = {
	.first_location = fathom_run_snapshot_begin,
	.thread_begins = thread_begins,
	.thread_ends = thread_ends,
	.thread_is_ignored = fathom_sampling_keep_handler,
};

/* Runs before all constructors that may be instrumented: 101 is the first priority that is not reserved for the
 * compiler and the C library. */
__attribute__((constructor(101))) static void start(void)
{
	static char *const nothing[] = { NULL };
	const struct fathom_substrate *substrate;
	/* If the program has rights that its user does not have, the user's environment cannot be trusted. */
	bool is_privileged = getauxval(AT_SECURE);
	char error[512];

	if (fathom_settings_read(&fathom.settings, is_privileged ? nothing : environ, error, sizeof(error)))
		refuse(error);
	fathom_log_set_level(FATHOM_LOG_SAY + (enum fathom_log_level)fathom.settings.verbose);
	fathom_vectors_init();
	fathom_jump_init();	/* fathom's longjmp is called even if nothing is measured */
	if (is_privileged) {
		fathom_log(FATHOM_LOG_SAY, "not measured: the program has more rights than its user (set-user-ID)");
		return;
	}
	if (fathom.settings.mode == FATHOM_MODE_NONE)
		return;
	if (fathom.settings.trace_older && fathom.settings.trace_repeat)
		refuse("FATHOM_TRACE_OLDER=drop: not together with FATHOM_TRACE_REPEAT");
	if (fathom_clock_init((enum fathom_clock_kind)fathom.settings.clock))
		fathom_log(FATHOM_LOG_ERROR, "FATHOM_CLOCK=tsc: the kernel does not trust this processor's counter; "
			   "the system's clock is used");
	start_counters();
	substrate = fathom_substrate_choose(&fathom.settings);
	if (!substrate)
		return;
	fathom_runtime_use(fathom_metric_strict_count() ? fathom_meter_before(substrate) : substrate);
	fathom.pid = getpid();
	fathom_processor_time_begin();
	fathom_run.begin_seconds = time(NULL);
	fathom_run.identity.size = 1;
	fathom_experiment_init(&fathom.settings);
	if (fathom_experiment_is_first_rank() && fathom_experiment_check(&fathom.settings, error, sizeof(error))) {
		if (getenv("FATHOM_DIR"))
			refuse(error);
		fathom_log(FATHOM_LOG_ERROR, "%s", error);
	}
	gethostname(fathom_run.host, sizeof(fathom_run.host) - 1);
	read_command();
	if (define_program() || fathom_pause_init())
		return;
	if (fathom.settings.filter && fathom_filtering_init(fathom.settings.filter, error, sizeof(error)))
		refuse_filter(error);
	fathom_location_init(&watch);
	fathom_crash_saving_init();
	fathom_run_snapshot_init();
	fathom_forked_child_init();
	fathom_exec_init();
	fathom_ending_init();
	if (fathom_sampling_plan_start(error, sizeof(error)))
		refuse(error);
	/* The time until now is fathom's own, and not part of the run. */
	fathom_meter_begin();
	fathom.begin_ticks = fathom_clock_ticks();
	fathom_poke(&fathom.phase, FATHOM_PHASE_RECORDING);
	fathom_signal_stack_give();
	if (fathom_sampling_is_on() && fathom_run_is_asked_for())
		fathom_run_begin_at_least();
}
