/*
 * nesting: regions of the program's own that were not ended in the reverse order of their begins. The core repairs it;
 * the first few are said at the end, with the names of both. So is what else of the program's calls was repaired.
 */
#ifndef FATHOM_EVENT_NESTING_H
#define FATHOM_EVENT_NESTING_H

#include <stdbool.h>
#include <stddef.h>

struct fathom_region;

/* inner was still active when outer ended; NULL: the thread, or its part in a team. Context: birth. */
void fathom_nesting_note(const struct fathom_region *inner, const struct fathom_region *outer);

/* The end of a region that was not active, while innermost was. Context: birth. */
void fathom_nesting_note_end(const char *name, size_t length, const char *file, size_t file_length,
			     unsigned line, const struct fathom_region *innermost);

/* Something else that the program says and that was repaired, or could not be recorded: a line. Context: birth. */
void fathom_nesting_note_line(const char *line);

/* Say what was noted, once. resolve: names regions, see runtime.h; may be NULL. Context: finish. */
void fathom_nesting_say(void (*resolve)(struct fathom_region *region, bool may_allocate), int rank);

#endif
