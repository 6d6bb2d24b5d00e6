#include "trace/detail_window.h"

#include <stddef.h>
#include <string.h>

#include "platform/clock.h"
#include "platform/window_setting.h"

struct fathom_detail_window fathom_detail_window = { UINT64_MAX, UINT64_MAX };

/* Written once, at the start. */
static struct fathom_window_setting chosen;
static const char *chosen_text;

static uint32_t running_iterations;	/* chosen iterations that run, on all threads */

void fathom_detail_window_set(const char *text)
{
	if (!text || !fathom_window_setting_read(text, &chosen) || !chosen.is_on)
		chosen = (struct fathom_window_setting){ 0 };
	chosen_text = chosen.is_on ? text : NULL;
}

const char *fathom_detail_window_text(void)
{
	return chosen_text;
}

void fathom_detail_window_begin(uint64_t now)
{
	if (!chosen.is_on || chosen.phase)
		return;
	fathom_detail_window.from = now + fathom_clock_ticks_in(chosen.from_ns);
	if (chosen.to_ns != UINT64_MAX)
		fathom_detail_window.to = now + fathom_clock_ticks_in(chosen.to_ns);
}

bool fathom_detail_window_begin_iteration(const struct fathom_region *phase, uint64_t number, uint64_t now)
{
	if (!chosen.phase || number < chosen.first || number > chosen.last ||
	    strncmp(phase->name, chosen.phase, chosen.phase_bytes) || phase->name[chosen.phase_bytes])
		return false;
	if (fathom_peek(&fathom_detail_window.from) == UINT64_MAX)
		fathom_poke(&fathom_detail_window.from, now);
	__atomic_fetch_add(&running_iterations, 1, __ATOMIC_RELAXED);
	fathom_poke(&fathom_detail_window.to, UINT64_MAX);
	return true;
}

void fathom_detail_window_end_iteration(uint64_t now)
{
	if (__atomic_sub_fetch(&running_iterations, 1, __ATOMIC_RELAXED) == 0)
		fathom_poke(&fathom_detail_window.to, now);
}
