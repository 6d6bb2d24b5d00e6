/* In place of killed_trace.c where fathom is built without OTF2: then no process has recorded a trace. */
#include <errno.h>

#include "killed_trace.h"

bool killed_trace_is_there(const struct copy *copy)
{
	(void)copy;
	return false;
}

int killed_trace_write(const struct copy *copy, const char *path, struct fathom_comm *comm,
		       struct fathom_settings *settings, const struct fathom_result *result, const char *directory)
{
	(void)copy, (void)path, (void)comm, (void)settings, (void)result, (void)directory;
	return -ENOTSUP;
}
