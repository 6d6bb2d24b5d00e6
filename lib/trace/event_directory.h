/*
 * event_directory: the hidden directories in which processes store their events until these become part of a trace.
 *
 * The name of a directory contains the host, a hash of the kernel's boot and of the PID namespace, and the process
 * id. So a later process can find out whether the owner still exists. A process that is killed by SIGKILL does not
 * remove its directory. A trace can be made from the events in it as long as there is a run snapshot with their
 * definitions (trace_copy.h). Without a run snapshot, the next trace that is made there removes the directory.
 */
#ifndef FATHOM_TRACE_EVENT_DIRECTORY_H
#define FATHOM_TRACE_EVENT_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>

/* The file in such a directory that contains the path of the run snapshot: as long as the snapshot exists, no other run
 * removes the directory. */
#define FATHOM_TRACE_SNAPSHOT_NOTE "snapshot"

/* Creates a directory with a new name in parent and writes its path to path. False: it cannot be created.
 * Context: birth. */
bool fathom_trace_event_directory_make(char *path, size_t bytes, const char *parent);

/* Removes the hidden directories in parent whose processes no longer exist and left no run snapshot.
 * Context: finish. */
void fathom_trace_event_directory_clear(const char *parent);

#endif
