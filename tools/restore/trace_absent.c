/* Replaces killed_trace.c in a build without OTF2, in which no process can have recorded a trace. */
#include <errno.h>

#include "killed_trace.h"
#include "unfinished_trace.h"

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

bool unfinished_trace_is_whole(const char *directory)
{
	(void)directory;
	return false;
}

int unfinished_trace_set_aside(const char *directory)
{
	(void)directory;
	return 0;
}

void unfinished_trace_remove(const char *directory)
{
	(void)directory;
}
