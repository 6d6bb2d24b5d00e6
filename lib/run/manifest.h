/*
 * manifest: writes the files for human readers into an experiment directory: settings.txt, which has the settings to
 * repeat the run with, and MANIFEST.md, which explains each file.
 */
#ifndef FATHOM_RUN_MANIFEST_H
#define FATHOM_RUN_MANIFEST_H

#include <stdbool.h>

/*
 * Writes both files into the directory dir; an existing file is not changed. Errors are ignored. ended_early:
 * processes ended before they could join each other, and the directory has the file first-to-end. Context: signal.
 */
void fathom_manifest_write(const char *dir, bool ended_early);

/*
 * Reports that nothing was measured in program, and a remedy, if `fathom run` started this process directly. Prints
 * nothing in other processes: most programs that a script or a launcher starts are not meant to be measured.
 * Context: finish.
 */
void fathom_manifest_say_none(const char *program);

#endif
