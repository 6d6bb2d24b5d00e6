#include "waits/wait_formulas.h"

/* The time from enter to begin, as far as it lies in the operation. */
double fathom_waits_until(double enter, double leave, double begin)
{
	return fathom_waits_larger(0, fathom_waits_smaller(begin, leave) - enter);
}

double fathom_waits_late_sender(double enter, double leave, double send_enter)
{
	return fathom_waits_until(enter, leave, send_enter);
}

double fathom_waits_late_receiver(double enter, double leave, double request)
{
	return leave > request && request > enter ? request - enter : 0;
}

double fathom_waits_barrier_wait(double enter, double leave, const struct fathom_waits_meeting *meeting)
{
	return fathom_waits_until(enter, leave, meeting->last_begin);
}

double fathom_waits_barrier_completion(double enter, double leave, const struct fathom_waits_meeting *meeting)
{
	double from = fathom_waits_larger(meeting->first_end, fathom_waits_smaller(meeting->last_begin, leave));

	return fathom_waits_larger(0, leave - fathom_waits_larger(from, enter));
}

static bool needs_all(double leave, const struct fathom_waits_meeting *meeting)
{
	return meeting->first_end > meeting->last_begin || leave > meeting->last_begin;
}

double fathom_waits_nxn_wait(double enter, double leave, const struct fathom_waits_meeting *meeting)
{
	return needs_all(leave, meeting) ? fathom_waits_barrier_wait(enter, leave, meeting) : 0;
}

double fathom_waits_nxn_completion(double enter, double leave, const struct fathom_waits_meeting *meeting)
{
	return needs_all(leave, meeting) ? fathom_waits_barrier_completion(enter, leave, meeting) : 0;
}

double fathom_waits_window_wait(double enter, double leave, const struct fathom_waits_meeting *meeting)
{
	return meeting->first_end > meeting->last_begin ? fathom_waits_until(enter, leave, meeting->last_begin) : 0;
}

double fathom_waits_early_fence(double enter, double leave, double last_access_end)
{
	return fathom_waits_until(enter, leave, last_access_end);
}

double fathom_waits_early_wait(double enter, double leave, double last_complete)
{
	return fathom_waits_until(enter, leave, last_complete);
}

double fathom_waits_late_complete(double enter, double leave, double last_complete, double last_access_end)
{
	return fathom_waits_until(fathom_waits_larger(enter, last_access_end), leave, last_complete);
}

double fathom_waits_team_barrier(double enter, double leave, double last_enter, double tasks)
{
	return fathom_waits_larger(0, fathom_waits_until(enter, leave, last_enter) - tasks);
}

struct fathom_waits_delay fathom_waits_delay_of(double wait, double cost, double delay, double earlier)
{
	double causes = delay + earlier;
	struct fathom_waits_delay result = { .unexplained = wait + cost };

	if (causes <= 0)
		return result;
	result.scale = fathom_waits_smaller(wait / causes, 1);
	result.long_scale = cost / causes;
	result.indirect = fathom_waits_smaller(wait * (earlier / causes), earlier);
	result.unexplained = fathom_waits_larger(0, wait - result.scale * causes);
	return result;
}
