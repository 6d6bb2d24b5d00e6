#include "run/run_messages.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "platform/log.h"
#include "run/experiment.h"
#include "run/run.h"
#include "sample/sampling.h"

const char *fathom_run_products(void)
{
	if (fathom_run_writes_profile())
		return fathom_run_writes_trace() ? "profile and trace" : "profile";
	return "trace";
}

void fathom_run_say_lost(const char *product, const char *path, int err, int rank)
{
	if (rank) {
		fathom_log(FATHOM_LOG_ERROR, "%s cannot be written (rank %d: %s): the %s is lost", path, rank,
			   strerrordesc_np(-err), product);
		return;
	}
	fathom_log(FATHOM_LOG_ERROR, "%s cannot be written (%s): the %s is lost", path, strerrordesc_np(-err),
		   product);
}

void fathom_run_say_result(int err, const char *path, const char *begin, const char *up_to_there)
{
	const char *experiment = fathom_experiment_shown(fathom_run.identity.experiment);
	char traces[FATHOM_RUN_PATH_BYTES + 32];
	int trace_err = !fathom_run_writes_trace() ? 0 : fathom_run_writes_profile() ? fathom_run.trace.error : err;
	bool has_profile = fathom_run_writes_profile() && !err, has_trace = fathom_run_writes_trace() && !trace_err;

	fathom_format(traces, sizeof(traces), "%s/traces.otf2", fathom_run.trace.directory);
	if (fathom_run_writes_profile() && err)
		fathom_run_say_lost("profile", path, err, fathom_run.profile_failed_rank);
	if (trace_err)
		fathom_run_say_lost("trace", traces, trace_err, 0);
	if (has_profile || has_trace)
		fathom_log(FATHOM_LOG_SAY, "%s%s%s in %s (look at it: fathom report %s)", begin,
			   has_profile && has_trace ? "profile and trace" : has_profile ? "profile" : "trace",
			   up_to_there, experiment, experiment);
}

void fathom_run_say_fault(const char *why)
{
	fathom_log(FATHOM_LOG_ERROR, "%s: the measurement's own data are damaged; the %s may be lost", why,
		   fathom_run_products());
}

void fathom_run_say_samples(void)
{
	struct fathom_sampling_counts counts = fathom_sampling_count();
	bool has_none = !counts.source && !counts.taken;

	if (has_none && !counts.failed)
		return;
	fathom_log(FATHOM_LOG_INFO, "%llu samples (%s), %llu partial, %llu dropped", (unsigned long long)counts.taken,
		   counts.source ? counts.source : "not of time", (unsigned long long)counts.partial,
		   (unsigned long long)counts.dropped);
	/* Every user sees that there are no samples at all, of a parallel program once. */
	if (counts.failed)
		fathom_log(has_none && !fathom_run.identity.rank ? FATHOM_LOG_SAY : FATHOM_LOG_INFO,
			   "no samples of %llu threads: %s%s", (unsigned long long)counts.failed,
			   strerrordesc_np(-counts.error),
			   counts.error == -EAGAIN ? " (ulimit -i allows too few pending signals)" : "");
}
