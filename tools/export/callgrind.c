/*
 * callgrind: regions and the calls between them in the format of Valgrind's callgrind, which KCachegrind reads.
 *
 * A name is written in full where it appears first, with a number that stands for it from then on. The line of a
 * call is not known; the calls of a region stand at its first line.
 */
#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/export/export_format.h"
#include "tools/export/export_profile.h"
#include "tools/export/region_calls.h"

/* The names that were written so far. */
struct names {
	const char **files;	/* by number - 1 */
	size_t file_count, file_room;
	struct fathom_index file_index;
	bool *is_written;	/* by region */
};

static bool is_same_file(const void *files, uint32_t number, const void *wanted)
{
	return strcmp(((const char *const *)files)[number], wanted) == 0;
}

static void put_text(const char *text, FILE *out)
{
	for (; *text; text++)
		fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
}

/* Writes "fl=(1) name": the file of a region. */
static void put_file(struct names *names, const struct fathom_cube_region *region, const char *key, FILE *out)
{
	const char *file = *region->file ? region->file : "???";
	uint64_t hash = fathom_index_hash_text(0, file);
	int64_t number = fathom_index_find(&names->file_index, hash, is_same_file, names->files, file);

	if (number >= 0) {
		fprintf(out, "%s=(%" PRId64 ")\n", key, number + 1);
		return;
	}
	names->files = fathom_tool_grow(names->files, names->file_count, &names->file_room, sizeof(*names->files));
	fathom_index_add(&names->file_index, hash, (uint32_t)names->file_count);
	names->files[names->file_count++] = file;
	fprintf(out, "%s=(%zu) ", key, names->file_count);
	put_text(file, out);
	fputc('\n', out);
}

/* Writes "fn=(1) name". */
static void put_function(struct names *names, const struct fathom_cube *cube, uint32_t r, const char *key, FILE *out)
{
	fprintf(out, "%s=(%" PRIu32 ")", key, r + 1);
	if (!names->is_written[r]) {
		fputc(' ', out);
		put_text(*cube->regions[r].name ? cube->regions[r].name : "?", out);
		names->is_written[r] = true;
	}
	fputc('\n', out);
}

/* Writes the name of the metric as an event: letters, digits and underscores. */
static void put_event(const struct fathom_export_profile *source, FILE *out)
{
	for (const char *at = source->metric->uniq_name; *at; at++)
		fputc(isalnum((unsigned char)*at) ? *at : '_', out);
	if (source->is_time)
		fputs("_ns", out);
}

static void put_head(const struct fathom_export_profile *source, FILE *out)
{
	const char *program = fathom_export_program(source->profile->cube);

	fputs("# callgrind format\nversion: 1\ncreator: fathom " PACKAGE_VERSION "\ncmd: ", out);
	put_text(program, out);
	fputs("\ndesc: Metric: ", out);
	put_text(source->metric->disp_name, out);
	fputs(" in ", out);
	put_text(source->unit, out);
	fputs(source->profile->rank < 0 ? ", sum of all ranks and threads" : ", sum of the threads of one rank", out);
	fputs("\npositions: line\nevents: ", out);
	put_event(source, out);
	fprintf(out, "\nsummary: %" PRId64 "\n\nob=(1) ", source->total);
	put_text(*program ? program : "?", out);
	fputc('\n', out);
}

int fathom_export_callgrind(struct fathom_export_profile *source, FILE *out)
{
	const struct fathom_cube *cube = source->profile->cube;
	struct names names = { .is_written = fathom_tool_alloc(cube->region_count, sizeof(bool)) };
	struct fathom_region_calls graph;

	fathom_region_calls_init(&graph, source);
	put_head(source, out);
	for (uint32_t r = 0; r < cube->region_count; r++) {
		const struct fathom_cube_region *region = &cube->regions[r];
		const struct fathom_region_sum *sum = &graph.regions[r];

		if (sum->call_paths == 0)
			continue;
		fputc('\n', out);
		put_file(&names, region, "fl", out);
		put_function(&names, cube, r, "fn", out);
		fprintf(out, "%" PRIu32 " %" PRId64 "\n", fathom_export_line(region), sum->own);
		for (size_t i = sum->first_call; i < graph.regions[r + 1].first_call; i++) {
			const struct fathom_region_call *call = &graph.calls[i];
			const struct fathom_cube_region *callee = &cube->regions[call->callee];

			put_file(&names, callee, "cfi", out);
			put_function(&names, cube, call->callee, "cfn", out);
			fprintf(out, "calls=%" PRId64 " %" PRIu32 "\n%" PRIu32 " %" PRId64 "\n", call->calls,
				fathom_export_line(callee), fathom_export_line(region), call->inclusive);
		}
	}
	fprintf(out, "\ntotals: %" PRId64 "\n", source->total);
	fathom_region_calls_fini(&graph);
	free(names.files);
	free(names.is_written);
	fathom_index_fini(&names.file_index);
	return 0;
}
