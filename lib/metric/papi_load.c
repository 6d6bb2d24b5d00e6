/*
 * Loads the source PAPI from a sibling library: few runs use PAPI, and it takes a while to start.
 */
#include <dlfcn.h>
#include <string.h>

#include "metric/counter_source.h"
#include "platform/log.h"

static void *load(const char *directory)
{
	static const char name[] = "libfathom-papi.so.0";
	char path[4096];
	const char *slash;
	Dl_info own;

	if (directory) {
		if (fathom_format(path, sizeof(path), "%s/%s", directory, name) >= (int)sizeof(path))
			return NULL;
		return dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	}
	if (!dladdr((void *)(uintptr_t)fathom_metric_load_papi, &own) || !own.dli_fname)
		return NULL;
	slash = strrchr(own.dli_fname, '/');
	if (fathom_format(path, sizeof(path), "%.*s%s", slash ? (int)(slash - own.dli_fname) + 1 : 0, own.dli_fname,
			  name) >= (int)sizeof(path))
		return NULL;
	return dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

const struct fathom_metric_source *fathom_metric_load_papi(const char *directory, struct fathom_metric_why *why)
{
	static const struct fathom_metric_source *source;
	static struct fathom_metric_why reason;
	static bool has_tried;
	__typeof__(&fathom_metric_papi_source) start = NULL;
	void *library;

	if (!has_tried) {
		has_tried = true;
		library = load(directory);
		if (library)
			start = (__typeof__(start))(uintptr_t)dlsym(library, FATHOM_METRIC_PAPI_ENTRY);
		fathom_format(reason.text, sizeof(reason.text), "libfathom-papi is not there: fathom was built without "
			      "PAPI, or the program is static");
		if (start)
			source = start(&reason);
	}
	*why = reason;
	return source;
}
