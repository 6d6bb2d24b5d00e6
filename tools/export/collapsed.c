/*
 * collapsed: call paths as lines "main;solve;MPI_Send 1234", which flame graph tools read.
 *
 * A semicolon separates names, and the last blank precedes the value; there is no way to quote them. A semicolon in a
 * name becomes a colon, and control characters become blanks.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/export/export_format.h"
#include "tools/export/export_profile.h"

static void put_name(const char *name, FILE *out)
{
	if (!*name)
		fputc('?', out);
	for (; *name; name++)
		fputc(*name == ';' ? ':' : (unsigned char)*name < ' ' ? ' ' : *name, out);
}

int fathom_export_collapsed(struct fathom_export_profile *source, FILE *out)
{
	const struct fathom_cube *cube = source->profile->cube;
	uint32_t *chain = fathom_tool_alloc(cube->cnode_count, sizeof(uint32_t));	/* by depth */
	char text[4096];

	for (uint32_t c = 0; c < cube->cnode_count && !ferror(out); c++) {
		uint32_t depth = source->profile->depth[c];

		chain[depth] = c;
		if (source->own[c] == 0)
			continue;
		for (uint32_t i = 0; i <= depth; i++) {
			if (i)
				fputc(';', out);
			put_name(fathom_export_frame_name(cube, chain[i], text, sizeof(text)), out);
		}
		fprintf(out, " %" PRId64 "\n", source->own[c]);
	}
	free(chain);
	return 0;
}
