/*
 * speedscope: the call tree in the file format of speedscope.app.
 *
 * A profile in this format is a list of events that open and close frames at a position. The positions are sums
 * of values in the order of the call tree, not times of the run. The size of the file is linear in the size of the
 * tree, which a list of stacks is not.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/export/export_format.h"
#include "tools/export/export_profile.h"
#include "tools/export/json_text.h"

static void put_text(const char *key, const char *text, FILE *out)
{
	char *quoted = fathom_export_json_text(text);

	fprintf(out, "\"%s\":%s", key, quoted);
	free(quoted);
}

static void put_frame(const struct fathom_cube_region *region, const char *name, bool is_first, FILE *out)
{
	fputs(is_first ? "\n{" : ",\n{", out);
	put_text("name", *name ? name : "?", out);
	if (*region->file) {
		fputc(',', out);
		put_text("file", region->file, out);
		if (fathom_export_line(region))
			fprintf(out, ",\"line\":%" PRIu32, fathom_export_line(region));
	}
	fputc('}', out);
}

/* Writes a frame for each region, and one for each call path with parameters. frame: by cnode, its frame. */
static void put_frames(const struct fathom_cube *cube, uint32_t *frame, FILE *out)
{
	uint32_t count = cube->region_count;
	char text[4096];

	for (uint32_t r = 0; r < cube->region_count; r++)
		put_frame(&cube->regions[r], cube->regions[r].name, r == 0, out);
	for (uint32_t c = 0; c < cube->cnode_count; c++) {
		const struct fathom_cube_cnode *node = &cube->cnodes[c];

		frame[c] = node->region;
		if (!node->parameter_count)
			continue;
		frame[c] = count++;
		put_frame(&cube->regions[node->region], fathom_export_frame_name(cube, c, text, sizeof(text)), false,
			  out);
	}
}

/* Writes the events. Call paths without any value are left out. */
static void put_events(const struct fathom_export_profile *source, const uint32_t *frame, FILE *out)
{
	const struct fathom_profile *profile = source->profile;
	uint32_t *open = fathom_tool_alloc(profile->cube->cnode_count, sizeof(uint32_t));
	uint32_t count = 0, c = 0;
	const char *separator = "\n";
	int64_t at = 0;

	while (c < profile->cube->cnode_count || count) {
		if (count && c >= profile->subtree_end[open[count - 1]]) {
			fprintf(out, ",\n{\"type\":\"C\",\"frame\":%" PRIu32 ",\"at\":%" PRId64 "}",
				frame[open[--count]], at);
			continue;
		}
		if (source->inclusive[c] == 0) {
			c = profile->subtree_end[c];
			continue;
		}
		fprintf(out, "%s{\"type\":\"O\",\"frame\":%" PRIu32 ",\"at\":%" PRId64 "}", separator, frame[c], at);
		separator = ",\n";
		at += source->own[c];
		open[count++] = c++;
	}
	free(open);
}

int fathom_export_speedscope(struct fathom_export_profile *source, FILE *out)
{
	static const char *const units[] = { "nanoseconds", "bytes" };
	const struct fathom_cube *cube = source->profile->cube;
	uint32_t *frame = fathom_tool_alloc(cube->cnode_count, sizeof(uint32_t));
	const char *unit = "none";

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (strcmp(source->unit, units[i]) == 0)
			unit = units[i];
	fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
	      "\"exporter\":\"fathom " PACKAGE_VERSION "\",\n", out);
	put_text("name", fathom_export_program(cube), out);
	fputs(",\n\"activeProfileIndex\":0,\n\"shared\":{\"frames\":[", out);
	put_frames(cube, frame, out);
	fputs("]},\n\"profiles\":[{\"type\":\"evented\",", out);
	put_text("name", source->metric->disp_name, out);
	fprintf(out, ",\"unit\":\"%s\",\"startValue\":0,\"endValue\":%" PRId64 ",\"events\":[", unit, source->total);
	put_events(source, frame, out);
	fputs("]}]}\n", out);
	free(frame);
	return 0;
}
