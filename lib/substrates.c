/*
 * substrates: which there are, and which settings ask for them.
 */
#include "event/substrate.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platform/log.h"
#include "platform/settings.h"
#include "profile/profile.h"
#include "trace/trace.h"

/* A long job must not run unrecorded: the same as for a wrong setting. */
static void refuse(const char *why)
{
	fathom_log(FATHOM_LOG_ERROR, "FATHOM_MODE: a trace cannot be made: %s", why);
	_exit(2);
}

/* Traces are in a sibling library, which stays loaded because threads record through it to the end. */
static void *trace_library(void)
{
	static const char name[] = "libfathom-trace.so.0";
	char path[4096];
	const char *slash;
	size_t length;
	Dl_info own;

	if (!dladdr((void *)(uintptr_t)fathom_substrate_choose, &own) || !own.dli_fname)
		return NULL;
	slash = strrchr(own.dli_fname, '/');
	length = slash ? (size_t)(slash - own.dli_fname) + 1 : 0;
	if (length + sizeof(name) > sizeof(path))
		return NULL;
	memcpy(path, own.dli_fname, length);
	memcpy(path + length, name, sizeof(name));
	return dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

static const struct fathom_substrate *load_trace(const struct fathom_settings *settings,
						 const struct fathom_substrate *profile)
{
	__typeof__(&fathom_trace_substrate) make = NULL;
	void *library = trace_library();

	if (library)
		make = (__typeof__(make))(uintptr_t)dlsym(library, FATHOM_TRACE_ENTRY);
	if (!make)
		refuse("libfathom-trace is not there; fathom was built without OTF2, or the program is static");
	return make ? make(settings, profile) : NULL;
}

const struct fathom_substrate *fathom_substrate_choose(const struct fathom_settings *settings)
{
	const struct fathom_substrate *profile = NULL;

	/* A budget is kept by what call paths say: with a trace alone, they are there for nothing else. */
	if (settings->mode & FATHOM_MODE_PROFILE || settings->overhead) {
		profile = fathom_profile_substrate(settings);
		if (!profile)
			return NULL;
	}
	return settings->mode & FATHOM_MODE_TRACE ? load_trace(settings, profile) : profile;
}
