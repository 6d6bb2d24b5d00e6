/* Replaces killed_trace.c in a build without OTF2, in which no process can have recorded a trace. */
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
