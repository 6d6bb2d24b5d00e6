/*
 * entry: what `fathom list` says about an experiment directory. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_LIST_ENTRY_H
#define FATHOM_TOOLS_LIST_ENTRY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "tools/common/experiment.h"

enum fathom_entry_state {
	FATHOM_ENTRY_COMPLETE,		/* it has the whole result */
	FATHOM_ENTRY_EARLY,		/* the program ended early; reason says why */
	FATHOM_ENTRY_KILLED,		/* the program was killed, or `fathom merge` made the result after that */
	FATHOM_ENTRY_RUNNING,
	FATHOM_ENTRY_PARTS,		/* files of single ranks that `fathom merge` puts together */
	FATHOM_ENTRY_UNFINISHED,	/* the program was stopped while it wrote the result */
	FATHOM_ENTRY_DAMAGED,		/* the result cannot be read; reason says why */
};

struct fathom_entry {
	char path[PATH_MAX];	/* of the directory */
	char *program;		/* NULL: not known */
	char *reason;		/* NULL: none */
	int64_t ranks, threads;	/* threads: of all ranks; -1: not known */
	double wall_time;	/* seconds; negative: not known */
	time_t begin;
	enum fathom_entry_state state;
	bool has_profile, has_trace;
};

/* Lists the experiments in a directory, or the directory itself if it is one, the newest first. The caller frees them
 * with fathom_entries_free. 0, or -errno after an error message. */
int fathom_entries_read(const char *directory, struct fathom_entry **entries, size_t *count);
void fathom_entries_free(struct fathom_entry *entries, size_t count);

/* Returns the name of a state: "complete", ... */
const char *fathom_entry_state_name(enum fathom_entry_state state);

/* Reads what the definitions of a trace say about the run. Without OTF2 it is not known. */
void fathom_entry_read_trace(struct fathom_entry *entry, const char *anchor);

/* Sets a text of an entry to a copy, if it has none yet and the text is not NULL. */
void fathom_entry_set(char **member, const char *text);

/* Returns the seconds since 1970 of a date such as "2026-11-20 14:32:01 +01:00"; -1: the text is none. */
time_t fathom_entry_time(const char *text);

#endif
