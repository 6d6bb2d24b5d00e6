#include "compiler/patch/patching.h"

#include <errno.h>

#include "define/region.h"
#include "event/switch.h"
#include "run/runtime.h"
#include "compiler/patch/patch_table.h"
#include "platform/log.h"
#include "platform/settings.h"
#include "platform/sibling_library.h"
#include "compiler/patch/sleds.h"

static const struct fathom_patch_table *patch;	/* NULL: hooks stay */
static bool is_refused;				/* the system does not let code be changed: all hooks stay */
bool fathom_patching_checks;

void fathom_patching_start(void)
{
	const struct fathom_settings *settings = fathom_runtime_settings();

	if (fathom_runtime_measures() && settings->patch && (settings->overhead || settings->filter))
		patch = fathom_sibling_library_symbol(FATHOM_PATCH_LIBRARY, FATHOM_PATCH_ENTRY);
	fathom_patching_checks = patch != NULL;
	if (!patch)
		fathom_event_note_hooks_stay();
}

static void take_out(const void *function, const void *from, enum fathom_patch_parts parts)
{
	static const struct fathom_patch_hooks hooks = {
		.enter = (const void *)fathom_hook_enter,
		.exit = (const void *)fathom_hook_exit,
		.sled_enter = (const void *)fathom_sled_enter,
		.sled_exit = (const void *)fathom_sled_exit,
		.sled_tail = (const void *)fathom_sled_tail,
	};

	if (is_refused || patch->out(function, from, &hooks, parts) != -EACCES)
		return;
	fathom_log(FATHOM_LOG_SAY, "this system does not allow a program's code to be changed: disabled functions "
		   "keep their hooks, which cost a few ns a call");
	is_refused = true;
	fathom_event_note_hooks_stay();
	fathom_poke(&fathom_patching_checks, false);
}

static bool put_back(const void *function)
{
	static bool has_said;

	if (!patch->restore(function))
		return true;
	if (!has_said)
		fathom_log(FATHOM_LOG_ERROR, "this system no longer allows a program's code to be changed: functions "
			   "that are enabled again have no hooks, and their calls are not recorded");
	has_said = true;
	return false;
}

bool fathom_patching_follow(const void *function, const struct fathom_region *region)
{
	if (!patch)
		return true;
	if (!fathom_region_is_disabled(region))
		return put_back(function);
	if (fathom_peek(&region->switched) == FATHOM_SWITCH_DRAINED)
		take_out(function, function, FATHOM_PATCH_BOTH);
	else
		take_out(function, function, FATHOM_PATCH_SLED_ENTERS);
	return true;
}

void fathom_patching_check(const void *function, const void *from)
{
	/* The byte before from belongs to the call. The code at from may belong to another function. */
	if (patch)
		take_out(function, (const char *)from - 1, FATHOM_PATCH_BOTH);
}

void fathom_patching_forget(int (*is_kept)(const void *address))
{
	if (patch)
		patch->forget(is_kept);
}
