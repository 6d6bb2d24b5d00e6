/*
 * sample_records: the samples of an experiment by code address, which are in its file samples.txt
 * (doc/reference/files.md).
 */
#ifndef FATHOM_TOOLS_COMMON_SAMPLE_RECORDS_H
#define FATHOM_TOOLS_COMMON_SAMPLE_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/common/companion_file.h"

/* What a sample was taken of. */
struct fathom_sample_event {
	char *name, *unit;
	uint32_t number;	/* in the file; 0: processor time */
	double total;		/* of all samples */
	uint64_t samples;
};

/* A program or library. */
struct fathom_sample_module {
	char *path;
	char *build_id;		/* hexadecimal; "": it has none */
	uint32_t number;	/* in the file */
};

/* Samples of an event at an address, or in what was called from there. */
struct fathom_sample_record {
	uint32_t event, module;	/* indices */
	uint64_t function;	/* offset of the function's first instruction; 0: not known */
	uint64_t address;	/* offset of the instruction; of a call: the return address */
	uint64_t samples;
	double value;		/* seconds, or what the event counts */
	bool is_call;
};

/* Samples of processor time at an instruction of a call path, or in what was called from there. */
struct fathom_sample_path {
	int32_t parent;		/* the call outside, which has a smaller index; -1: there is none */
	uint32_t call_path;	/* of the profile */
	int32_t module;		/* index; -1: no instruction of the function is known */
	bool is_call;
	uint64_t function, address;	/* as above */
	uint64_t samples;
	size_t first_count;	/* its counts by column, which end at those of the next path */
};

struct fathom_sample_count {
	uint32_t column;	/* location of the profile */
	uint64_t samples;
};

struct fathom_sample_records {
	struct fathom_companion_file text;
	struct fathom_sample_event *events;
	struct fathom_sample_module *modules;
	struct fathom_sample_record *records;
	struct fathom_sample_path *paths;	/* with one more at the end, for its first_count; NULL: none */
	struct fathom_sample_count *counts;	/* none if only the sums are known */
	size_t path_count, path_room, count_count, count_room;
	size_t event_count, event_room, module_count, module_room, record_count, record_room;
};

/* Reads the samples of the experiment to which a result file belongs. 0, or -errno after an error message; the second
 * function prints none, but notes the problem in text. */
int fathom_sample_records_read(struct fathom_sample_records *file, const char *result);
int fathom_sample_records_try(struct fathom_sample_records *file, const char *result);

/* Frees what read has allocated, also if it failed. */
void fathom_sample_records_fini(struct fathom_sample_records *file);

#endif
