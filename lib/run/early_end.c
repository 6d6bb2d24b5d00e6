#include "run/early_end.h"

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "platform/log.h"
#include "run/experiment.h"
#include "run/manifest.h"
#include "run/run.h"
#include "run/run_messages.h"

/* Reports the early end, unless another rank has reported its own: only the first rank can make the file. */
static void say_if_first(const char *why)
{
	const char *experiment = fathom_experiment_shown(fathom_run.identity.experiment);
	char text[64];
	int length = fathom_format(text, sizeof(text), "%d\n", fathom_run.identity.rank);

	if (fathom_experiment_write(fathom_run.identity.experiment, "first-to-end", text, (size_t)length))
		return;
	fathom_manifest_write(fathom_run.identity.experiment, true);
	if (!fathom_run_writes_trace())
		fathom_log(FATHOM_LOG_SAY, "rank %d: %s; each rank that could saved its own profile: fathom merge %s",
			   fathom_run.identity.rank, why, experiment);
	else
		fathom_log(FATHOM_LOG_SAY, "rank %d: %s; each rank that could saved its own %s: %s/rank-N*",
			   fathom_run.identity.rank, why, fathom_run_products(), experiment);
}

void fathom_early_end_say(int err, const char *path, const char *why)
{
	char begin[128];

	if (!fathom_run.identity.parallel) {
		fathom_format(begin, sizeof(begin), "%s: ", why);
		fathom_run_say_result(err, path, begin, " up to there");
		return;
	}
	if (err)
		fathom_log(FATHOM_LOG_ERROR, "rank %d: %s; %s cannot be written (%s): its %s is lost",
			   fathom_run.identity.rank, why,
			   fathom_run_writes_profile() ? path : fathom_run.trace.directory, strerrordesc_np(-err),
			   fathom_run_writes_profile() ? "profile" : "trace");
	else
		say_if_first(why);
	if (!err && fathom_run_writes_profile() && fathom_run_writes_trace() && fathom_run.trace.error)
		fathom_run_say_lost("trace", fathom_run.trace.directory, fathom_run.trace.error, 0);
}

/* Returns when the file rank-RANK with that ending was last changed, in ns since 1970; 0: there is no such file. */
static int64_t file_time_ns(int rank, const char *ending)
{
	char path[FATHOM_RUN_PATH_BYTES];
	struct stat facts;

	fathom_format(path, sizeof(path), "%s/rank-%d%s", fathom_run.identity.experiment, rank, ending);
	return stat(path, &facts) ? 0 : facts.st_ctim.tv_sec * INT64_C(1000000000) + facts.st_ctim.tv_nsec;
}

/* Returns 50 ms after the time since, in ns since 1970. All ranks return at the same time, because all of them read the
 * same time of the last file. */
static void leave_together(int64_t since)
{
	enum { PAUSE_NS = 50000000 };
	int64_t end = since + PAUSE_NS;
	const struct timespec until = { .tv_sec = end / 1000000000, .tv_nsec = end % 1000000000 };
	struct timespec now;

	/* The files may be on another host, whose clock differs. */
	if (clock_gettime(CLOCK_REALTIME, &now) || now.tv_sec < until.tv_sec - 1)
		return;
	clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL);
}

void fathom_early_end_wait(enum fathom_early_end_patience patience)
{
	enum { STEP_NS = 10000000, MOST_STEPS_AT_WORK = 2000 };
	const struct timespec step = { .tv_nsec = STEP_NS };
	const char *last_file = fathom_run_writes_trace() ? "/traces.otf2" : ".cubex";
	int64_t latest = 0;
	int rank = 0;

	for (int i = 0, idle_steps = 0; i < MOST_STEPS_AT_WORK && idle_steps < (int)patience; i++) {
		for (int64_t time; rank < fathom_run.identity.size && (time = file_time_ns(rank, last_file)); rank++)
			latest = time > latest ? time : latest;
		if (rank == fathom_run.identity.size) {
			leave_together(latest);
			return;
		}
		if (!file_time_ns(rank, "") && !file_time_ns(rank, ".cubex") && !file_time_ns(rank, ".cubex.part"))
			idle_steps++;
		nanosleep(&step, NULL);
	}
}
