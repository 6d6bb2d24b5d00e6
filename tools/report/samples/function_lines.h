/*
 * function_lines: the samples of a function of the source by its lines.
 *
 * A function may have code in several places: its own, copies that GCC made of it, and wherever it was inlined. Samples
 * in all of them are counted at the lines of the function. A sample in a function that was inlined into it counts at
 * the line of the call, and at the name of that function there.
 */
#ifndef FATHOM_TOOLS_REPORT_SAMPLES_FUNCTION_LINES_H
#define FATHOM_TOOLS_REPORT_SAMPLES_FUNCTION_LINES_H

#include "tools/common/samples/sample_places.h"

/* A function of the source that was found by its name. */
struct fathom_sampled_function {
	char *name;
	const char *file;		/* NULL: not known */
	uint32_t begin_line, end_line;	/* 0: not known */
	uint64_t entry;			/* if the line is not known */
};

/* What was sampled at a line, or in a function that was inlined there. */
struct fathom_sampled_line {
	const char *file;		/* NULL: not known */
	const char *inlined;		/* NULL: all of the line */
	uint32_t number;		/* 0: not known */
	uint64_t offset;		/* of the instruction, if there are no lines at all */
	double value, calls;
	uint64_t samples;
};

struct fathom_function_lines {
	const struct fathom_sample_places *places;
	const char *wanted;		/* the name that the user gave */
	struct fathom_sampled_function *functions;
	size_t function_count, function_room;
	struct fathom_sampled_line *list;	/* of one of the functions */
	size_t count, room;
	bool has_calls;			/* some lines have samples in what they call */
};

/* Finds the functions of a name, or of a pattern if there is none of that name; all have one name. 0, or -EINVAL after
 * an error message: there are none, or several. places and wanted must stay. */
int fathom_function_lines_init(struct fathom_function_lines *lines, const struct fathom_sample_places *places,
			       const char *wanted);
void fathom_function_lines_fini(struct fathom_function_lines *lines);

/* Reads the lines of one of the functions, whose last line may become larger: by file and number, each followed by the
 * functions that were inlined there, the one with most first. */
void fathom_function_lines_read(struct fathom_function_lines *lines, struct fathom_sampled_function *function);

/* Returns the sum of the values, or of the samples, of all lines. */
double fathom_function_lines_value(const struct fathom_function_lines *lines);
uint64_t fathom_function_lines_samples(const struct fathom_function_lines *lines);

/* Returns how many elements of the list, from index on, belong to one line of the source: itself, and what was inlined
 * there. */
size_t fathom_function_lines_same(const struct fathom_function_lines *lines, size_t index);

#endif
