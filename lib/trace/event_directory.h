/*
 * event_directory: the directories in which processes keep their events until these are part of a trace.
 *
 * Their names tell the host, what its kernel calls this boot and the processes that see each other, and the process:
 * so whoever comes later knows for certain when the process is no more. SIGKILL leaves one behind; the events in it
 * mean nothing without the definitions that died with the process, and the next trace made there removes it.
 */
#ifndef FATHOM_TRACE_EVENT_DIRECTORY_H
#define FATHOM_TRACE_EVENT_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>

/* Make one that nobody else has, in parent. False: that cannot be. Context: birth. */
bool fathom_trace_hidden_make(char *path, size_t bytes, const char *parent);

/* Remove those in parent whose processes are no more. Context: finish. */
void fathom_trace_hidden_clear(const char *parent);

#endif
