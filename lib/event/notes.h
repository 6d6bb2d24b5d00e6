/*
 * notes: the texts beside the results in an experiment directory: settings.txt, from which the run can be repeated, and
 * MANIFEST.md, which says what each file is.
 */
#ifndef FATHOM_EVENT_NOTES_H
#define FATHOM_EVENT_NOTES_H

#include <stdbool.h>

/*
 * Writes both files into the directory; one that exists stays as it is. ended_early: processes ended before they could
 * join each other, and left the file first-to-end. Context: signal.
 */
void fathom_notes_write(const char *dir, bool ended_early);

#endif
