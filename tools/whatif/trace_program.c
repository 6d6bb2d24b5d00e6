#include "tools/whatif/trace_program.h"

#include <stdio.h>
#include <string.h>

/* Returns what records of a program do that has no call paths: their kinds stand for them. */
static const char *kind_of(uint32_t path)
{
	return path == FATHOM_REPLAY_SEND ? "send" : path == FATHOM_REPLAY_RECEIVE ? "receive" :
	       path == FATHOM_REPLAY_COLLECTIVE ? "collective operation" : "?";
}

const char *fathom_trace_program_path(const struct fathom_trace_program *made, uint32_t path, char *text, size_t bytes)
{
	const struct fathom_otf2_defs *defs = made->trace ? &made->trace->defs : NULL;
	size_t length = 0;
	char name[64];

	if (!defs)
		return fathom_trace_program_region(made, path, text, bytes);
	text[0] = '\0';
	while (path != FATHOM_NO_BURST_PATH && path < made->paths.count) {
		const struct fathom_otf2_region *region = fathom_otf2_at(defs, FATHOM_OTF2_REGION,
									 made->paths.paths[path].region);
		const char *part = fathom_otf2_name(defs, FATHOM_OTF2_REGION, region->id, name, sizeof(name));
		size_t part_length = strlen(part), joint = length ? 3 : 0;

		if (part_length + joint + length + 1 > bytes)
			break;
		memmove(text + part_length + joint, text, length + 1);
		memcpy(text, part, part_length);
		memcpy(text + part_length, " > ", joint);
		length += part_length + joint;
		path = made->paths.paths[path].parent;
	}
	return text;
}

const char *fathom_trace_program_region(const struct fathom_trace_program *made, uint32_t path, char *text,
					size_t bytes)
{
	const struct fathom_otf2_defs *defs = made->trace ? &made->trace->defs : NULL;
	const struct fathom_otf2_region *region;
	char name[64];

	if (!defs || path >= made->paths.count) {
		snprintf(text, bytes, "%s", kind_of(path));
		return text;
	}
	region = fathom_otf2_at(defs, FATHOM_OTF2_REGION, made->paths.paths[path].region);
	snprintf(text, bytes, "%s", fathom_otf2_name(defs, FATHOM_OTF2_REGION, region->id, name, sizeof(name)));
	return text;
}
