#include "tools/merge/sample_merge.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/command.h"
#include "tools/common/hash_index.h"

enum { BILLION = 1000000000 };

struct line {
	char kind[8];		/* "leaf", "call" */
	uint32_t event, module;
	uint64_t function, offset, samples;
	uint64_t whole, billionths;	/* the value */
};

struct samples {
	char **events;		/* lines of the file, from the first file that has them */
	size_t event_count, event_room;
	char **modules;		/* build-id and path, as in the file */
	size_t module_count, module_room;
	struct line *lines;
	size_t line_count, line_room;
	struct fathom_index module_index, line_index;
};

static bool is_module(const void *things, uint32_t number, const void *wanted)
{
	return strcmp(((const struct samples *)things)->modules[number], wanted) == 0;
}

static bool is_line(const void *things, uint32_t number, const void *wanted)
{
	const struct line *a = &((const struct samples *)things)->lines[number], *b = wanted;

	return a->offset == b->offset && a->function == b->function && a->module == b->module && a->event == b->event &&
	       strcmp(a->kind, b->kind) == 0;
}

static char *copy(const char *text)
{
	size_t bytes = strlen(text) + 1;

	return memcpy(fathom_tool_alloc(bytes, 1), text, bytes);
}

/* Returns the number of a module, which is added if it is new. */
static uint32_t number_module(struct samples *samples, const char *text)
{
	uint64_t hash = fathom_index_hash_text(0, text);
	int64_t number = fathom_index_find(&samples->module_index, hash, is_module, samples, text);

	if (number >= 0)
		return (uint32_t)number;
	samples->modules = fathom_tool_grow(samples->modules, samples->module_count, &samples->module_room,
					    sizeof(*samples->modules));
	samples->modules[samples->module_count] = copy(text);
	fathom_index_add(&samples->module_index, hash, (uint32_t)samples->module_count);
	return (uint32_t)samples->module_count++;
}

static void add_line(struct samples *samples, const struct line *line)
{
	uint64_t hash = fathom_index_hash_number(fathom_index_hash_text(0, line->kind), (int64_t)line->offset);
	int64_t number;
	struct line *sum;

	hash = fathom_index_hash_number(hash, (int64_t)line->module << 32 | line->event);
	number = fathom_index_find(&samples->line_index, hash, is_line, samples, line);
	if (number < 0) {
		samples->lines = fathom_tool_grow(samples->lines, samples->line_count, &samples->line_room,
						  sizeof(*samples->lines));
		samples->lines[samples->line_count] = *line;
		fathom_index_add(&samples->line_index, hash, (uint32_t)samples->line_count++);
		return;
	}
	sum = &samples->lines[number];
	sum->samples += line->samples;
	sum->whole += line->whole + (sum->billionths + line->billionths) / BILLION;
	sum->billionths = (sum->billionths + line->billionths) % BILLION;
}

/* Takes a line of a file. numbers: of the file's modules in the sum. False: it is none of the format. */
static bool take_line(struct samples *samples, const char *text, uint32_t **numbers, size_t *count, size_t *room)
{
	struct line line = { .samples = 0 };
	uint32_t number;
	int length = 0;

	if (sscanf(text, "event %" SCNu32 "%n", &number, &length) == 1 && length) {
		if (number < samples->event_count)
			return true;
		samples->events = fathom_tool_grow(samples->events, samples->event_count, &samples->event_room,
						   sizeof(*samples->events));
		samples->events[samples->event_count++] = copy(text);
		return true;
	}
	if (sscanf(text, "module %" SCNu32 " %n", &number, &length) == 1 && length) {
		if (number != *count)
			return false;
		*numbers = fathom_tool_grow(*numbers, *count, room, sizeof(**numbers));
		(*numbers)[(*count)++] = number_module(samples, text + length);
		return true;
	}
	if (strncmp(text, "path ", 5) == 0)	/* the call paths of the sum have other numbers */
		return true;
	if (sscanf(text, "%7s %" SCNu32 " %" SCNu32 " %" SCNx64 " %" SCNx64 " %" SCNu64 " %" SCNu64 ".%9" SCNu64,
		   line.kind, &line.event, &line.module, &line.function, &line.offset, &line.samples, &line.whole,
		   &line.billionths) != 8 || line.module >= *count)
		return false;
	line.module = (*numbers)[line.module];
	add_line(samples, &line);
	return true;
}

/* Adds the lines of a file. */
static void add_file(struct samples *samples, FILE *file, const char *path)
{
	size_t bytes = 0, count = 0, room = 0, number = 1;
	uint32_t *numbers = NULL;
	char *text = NULL;
	ssize_t length = getline(&text, &bytes, file);
	bool is_good = length > 0 && (strcmp(text, "fathom samples 1\n") == 0 ||
				     strcmp(text, "fathom samples 2\n") == 0);

	while (is_good && (length = getline(&text, &bytes, file)) > 0) {
		number++;
		if (text[length - 1] == '\n')
			text[length - 1] = '\0';
		is_good = take_line(samples, text, &numbers, &count, &room);
	}
	if (!is_good)
		fathom_tool_error("%s: line %zu is not one of a file of samples: the rest is left out", path, number);
	free(numbers);
	free(text);
}

static int by_place(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int order = strcmp(y->kind, x->kind);	/* leaf before call */

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	if (order)
		return order;
	if (x->module != y->module)
		return x->module < y->module ? -1 : 1;
	return x->offset != y->offset ? (x->offset < y->offset ? -1 : 1) : x->function < y->function ? -1 : 1;
}

static int write_file(struct samples *samples, const char *path)
{
	FILE *file = fopen(path, "wx");
	bool is_lost;

	if (!file && errno == EEXIST)
		return 0;
	if (!file)
		goto failed;
	qsort(samples->lines, samples->line_count, sizeof(*samples->lines), by_place);
	fprintf(file, "fathom samples 2\n");
	for (size_t i = 0; i < samples->event_count; i++)
		fprintf(file, "%s\n", samples->events[i]);
	for (size_t i = 0; i < samples->module_count; i++)
		fprintf(file, "module %zu %s\n", i, samples->modules[i]);
	for (size_t i = 0; i < samples->line_count; i++) {
		const struct line *line = &samples->lines[i];

		fprintf(file, "%s %" PRIu32 " %" PRIu32 " %" PRIx64 " %" PRIx64 " %" PRIu64 " ", line->kind,
			line->event, line->module, line->function, line->offset, line->samples);
		fprintf(file, "%" PRIu64 ".%09" PRIu64 "\n", line->whole, line->billionths);
	}
	is_lost = ferror(file);
	is_lost |= fclose(file) != 0;
	if (!is_lost)
		return 0;
	unlink(path);
failed:
	fathom_tool_error("%s: %s", path, strerror(errno));
	return -EIO;
}

static void fini(struct samples *samples)
{
	for (size_t i = 0; i < samples->event_count; i++)
		free(samples->events[i]);
	for (size_t i = 0; i < samples->module_count; i++)
		free(samples->modules[i]);
	free(samples->events);
	free(samples->modules);
	free(samples->lines);
	fathom_index_fini(&samples->module_index);
	fathom_index_fini(&samples->line_index);
}

int fathom_samples_merge(const char *directory, const int64_t *ranks, uint32_t rank_count, const char *profile)
{
	struct samples samples = { .event_count = 0 };
	const char *slash = strrchr(profile, '/');
	char path[PATH_MAX];
	int err = 0;

	for (uint32_t i = 0; i < rank_count; i++) {
		FILE *file;

		if (snprintf(path, sizeof(path), "%s/rank-%" PRId64 ".samples.txt", directory, ranks[i]) >=
		    (int)sizeof(path))
			continue;
		file = fopen(path, "r");
		if (!file)
			continue;
		add_file(&samples, file, path);
		fclose(file);
	}
	if (samples.line_count && snprintf(path, sizeof(path), "%.*ssamples.txt",
					   slash ? (int)(slash - profile) + 1 : 0, profile) < (int)sizeof(path))
		err = write_file(&samples, path);
	fini(&samples);
	return err;
}
