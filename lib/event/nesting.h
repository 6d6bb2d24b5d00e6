/*
 * nesting: notes about user regions that the program did not end in the reverse order of their begins. The core ends
 * them in the right order. The end of the run reports the first few notes with the names of both regions, and other
 * wrong calls of the user API that were repaired.
 */
#ifndef FATHOM_EVENT_NESTING_H
#define FATHOM_EVENT_NESTING_H

#include <stdbool.h>
#include <stddef.h>

struct fathom_region;

/* Notes that inner was still active when outer ended. outer is NULL if the thread, or its work in a team, ended.
 * Context: birth. */
void fathom_nesting_note(const struct fathom_region *inner, const struct fathom_region *outer);

/* Notes that the program ended a region of this name, which was not active, while innermost was the innermost region.
 * file and line are those of the call; NULL and 0: not known. Context: birth. */
void fathom_nesting_note_end(const char *name, size_t length, const char *file, size_t file_length,
			     unsigned line, const struct fathom_region *innermost);

/* Notes, as a line of text, another error that was repaired, or something that could not be recorded. Context: birth.
 */
void fathom_nesting_note_line(const char *line);

/* Reports the notes; only the first call does anything. resolve finds the name of a region that has none yet; may be
 * NULL. rank: negative in a process without MPI. Context: finish. */
void fathom_nesting_say(void (*resolve)(struct fathom_region *region, bool may_allocate), int rank);

#endif
