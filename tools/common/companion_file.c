#include "tools/common/companion_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/experiment.h"

static int note_problem(struct fathom_companion_file *file, int err, const char *text)
{
	file->problem = strdup(text);
	if (!file->problem)
		fathom_tool_out_of_memory(strlen(text));
	return err;
}

char *fathom_companion_path(const char *result, const char *name)
{
	const char *slash = strrchr(result, '/'), *base = slash ? slash + 1 : result;
	int kept = (int)(base - result);
	char *path;

	if (fathom_experiment_rank_of(base, ".cubex") >= 0)
		kept += (int)(strlen(base) - strlen("cubex"));
	if (asprintf(&path, "%.*s%s", kept, result, name) < 0)
		fathom_tool_out_of_memory(strlen(result));
	return path;
}

static int read_lines(struct fathom_companion_file *file, const struct fathom_companion_kind *kind, FILE *stream,
		      void *context)
{
	char *line = NULL;
	size_t room = 0;
	unsigned long number = 0;
	char text[160];
	ssize_t length;
	bool is_right = true;

	while (is_right && (length = getline(&line, &room, stream)) > 0) {
		if (line[length - 1] == '\n')
			line[--length] = '\0';
		number++;
		/* A line with a zero byte is damaged. */
		is_right = strlen(line) == (size_t)length && kind->take_line(context, line, number);
	}
	free(line);
	if (ferror(stream))
		return note_problem(file, -EIO, strerror(EIO));
	if (is_right && number >= kind->lines)
		return 0;
	snprintf(text, sizeof(text), "line %lu: no line of a file of %s", number + is_right, kind->content);
	return note_problem(file, -EINVAL, text);
}

int fathom_companion_file_read(struct fathom_companion_file *file, const struct fathom_companion_kind *kind,
			       const char *result, void *context)
{
	FILE *stream;
	int err;

	*file = (struct fathom_companion_file){ .path = fathom_companion_path(result, kind->name) };
	stream = fopen(file->path, "re");
	if (!stream)
		return note_problem(file, -errno, strerror(errno));
	err = read_lines(file, kind, stream, context);
	fclose(stream);
	return err;
}

void fathom_companion_file_fini(struct fathom_companion_file *file)
{
	free(file->path);
	free(file->problem);
	*file = (struct fathom_companion_file){ 0 };
}
