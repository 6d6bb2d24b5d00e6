#include "tools/common/progress.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { MILLISECOND = 1000000, STRIDE_MOST = 1 << 16 };

/* Written by the one thread of the command. */
static struct {
	const char *what;	/* NULL: no work is shown */
	uint64_t total, done;
	uint64_t next;		/* the step at which the clock is read again */
	uint64_t stride;	/* the number of steps between two readings of the clock */
	uint64_t begin_ns;	/* of the first work; 0: there was none */
	uint64_t read_ns;	/* the last reading of the clock */
	uint64_t shown_ns;	/* the last time the line was written */
	uint64_t delay_ns;
	bool is_shown;
} progress = { .delay_ns = 2000 * (uint64_t)MILLISECOND };

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 * MILLISECOND + (uint64_t)now.tv_nsec;
}

/* Returns whether lines on stderr can be replaced. */
static bool is_terminal(void)
{
	const char *terminal = getenv("TERM");

	return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

static void show(void)
{
	struct winsize size = { 0 };
	uint64_t done = progress.done < progress.total ? progress.done : progress.total;
	int room = 80;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		room = size.ws_col;
	room -= 12;	/* the number, and the last column, behind which some terminals begin a new line */
	fprintf(stderr, "\r%.*s: ", room > 0 ? room : 0, progress.what);
	if (progress.total)
		fprintf(stderr, "%.0f %%\033[K", 100 * (double)done / (double)progress.total);
	else
		fprintf(stderr, "%.0f s\033[K", (double)(progress.read_ns - progress.begin_ns) / 1e9);
	fflush(stderr);
	progress.is_shown = true;
}

/* Reads the clock, writes the line if it is time to, and decides after how many steps to read the clock again. */
static void look_at_clock(void)
{
	uint64_t now = now_ns(), since = now - progress.read_ns;

	if (since < MILLISECOND && progress.stride < STRIDE_MOST)
		progress.stride *= 2;
	else if (since > 50 * MILLISECOND)
		progress.stride = 1;
	progress.read_ns = now;
	progress.next = progress.done + (progress.delay_ns ? progress.stride : 1);
	if (now - progress.begin_ns < progress.delay_ns)
		return;
	if (progress.delay_ns && now - progress.shown_ns < 200 * MILLISECOND)
		return;
	progress.shown_ns = now;
	show();
}

void fathom_progress_begin(const char *what, uint64_t total)
{
	fathom_progress_end();
	if (!is_terminal())
		return;
	progress.what = what;
	progress.total = total;
	progress.done = 0;
	progress.next = 0;
	progress.stride = 1;
	progress.read_ns = now_ns();
	if (!progress.begin_ns)
		progress.begin_ns = progress.read_ns;
	look_at_clock();
}

void fathom_progress_set(uint64_t done)
{
	if (!progress.what)
		return;
	progress.done = done;
	if (done >= progress.next)
		look_at_clock();
}

void fathom_progress_step(void)
{
	fathom_progress_set(progress.done + 1);
}

void fathom_progress_clear(void)
{
	if (!progress.is_shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	progress.is_shown = false;
}

void fathom_progress_end(void)
{
	fathom_progress_clear();
	progress.what = NULL;
}

void fathom_progress_set_delay(uint64_t delay_ns)
{
	progress.delay_ns = delay_ns;
}
