#include "tools/whatif/dimemas_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "replay/dimemas_config.h"
#include "replay/dimemas_trace.h"
#include "tools/common/command.h"
#include "tools/common/output_file.h"

static FILE *open_file(const char *path)
{
	FILE *file = fopen(path, "r");

	if (!file)
		fathom_tool_error("%s: %s", path, strerror(errno));
	return file;
}

static void say(const char *path, int err, const char *error)
{
	fathom_tool_error("%s: %s", path, err == -EINVAL ? error : strerror(-err));
}

int fathom_dimemas_file_read(struct fathom_trace_program *made, const char *path)
{
	FILE *file = open_file(path);
	char error[256] = "";
	int err;

	*made = (struct fathom_trace_program){ .source = path };
	if (!file)
		return -ENOENT;
	err = fathom_dimemas_read(&made->program, file, error, sizeof(error));
	fclose(file);
	if (err)
		say(path, err, error);
	return err;
}

int fathom_dimemas_machine_read(struct fathom_machine *machine, struct fathom_replay_program *program,
				const char *path)
{
	FILE *file = open_file(path);
	char error[256] = "";
	int err;

	if (!file)
		return -ENOENT;
	err = fathom_dimemas_config_read(machine, program, file, error, sizeof(error));
	fclose(file);
	if (err)
		say(path, err, error);
	return err;
}

/* Returns path with the ending .cfg in place of .dim; the caller frees it. */
static char *machine_path(const char *path)
{
	char *other = strdup(path);

	if (!other)
		fathom_tool_out_of_memory(strlen(path));
	strcpy(other + strlen(other) - 4, ".cfg");
	return other;
}

int fathom_dimemas_files_check(const char *path)
{
	char *machine = machine_path(path);
	const char *paths[] = { path, machine };
	int err = 0;

	for (int i = 0; i < 2 && !err; i++) {
		if (access(paths[i], F_OK) != 0)
			continue;
		fathom_tool_error("%s: exists already (remove it, or choose another name with --dimemas)", paths[i]);
		err = -EEXIST;
	}
	free(machine);
	return err;
}

int fathom_dimemas_files_write(const struct fathom_study *study, const char *path)
{
	const struct fathom_replay_program *program = &study->made->program;
	char *machine = machine_path(path);
	struct fathom_output_file file;
	int err = fathom_output_file_open(&file, path, false);

	if (!err) {
		fathom_dimemas_write(program, "fathom", file.stream);
		err = fathom_output_file_close(&file, 0);
	}
	if (!err)
		err = fathom_output_file_open(&file, machine, false);
	if (!err) {
		fathom_dimemas_config_write(&study->machine, program, file.stream);
		err = fathom_output_file_close(&file, 0);
	}
	free(machine);
	return err;
}
