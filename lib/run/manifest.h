/*
 * manifest: the texts for people in an experiment directory: settings.txt, from which the run can be repeated, and
 * MANIFEST.md, which says what each file is.
 */
#ifndef FATHOM_RUN_MANIFEST_H
#define FATHOM_RUN_MANIFEST_H

#include <stdbool.h>

/*
 * Writes both files into the directory; one that exists stays as it is. ended_early: processes ended before they could
 * join each other, and left the file first-to-end. Context: signal.
 */
void fathom_manifest_write(const char *dir, bool ended_early);

/*
 * Says that nothing was measured in a program that `fathom run` started, and what helps; in any other process, nothing.
 * What a script or a launcher starts is mostly not meant to be measured: its processes do not say it. Context: finish.
 */
void fathom_manifest_say_none(const char *program);

#endif
