#include "tools/common/samples/sample_modules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/command.h"
#include "tools/common/text_layout.h"
#include "tools/common/samples/sample_records.h"

static const char was_rebuilt[] = "was rebuilt after this run";
static const char is_missing[] = "is not there any more";
static const char is_unreadable[] = "cannot be read as a program";

const char *fathom_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Opens a file if it is the one that ran, else returns NULL and sets *refusal. */
static struct fathom_code_structure *open_matching(const char *path, const char *build_id, const char **refusal)
{
	struct fathom_code_structure *structure;

	if (access(path, R_OK) != 0) {
		*refusal = is_missing;
		return NULL;
	}
	structure = fathom_code_structure_open(path);
	*refusal = is_unreadable;
	if (!structure || !*build_id || strcmp(fathom_code_structure_build_id(structure), build_id) == 0)
		return structure;
	*refusal = was_rebuilt;
	fathom_code_structure_close(structure);
	return NULL;
}

void fathom_sample_modules_init(struct fathom_sample_modules *modules, const struct fathom_sample_records *file)
{
	modules->file = file;
	modules->structures = fathom_tool_alloc(file->module_count, sizeof(*modules->structures));
	modules->refusals = fathom_tool_alloc(file->module_count, sizeof(*modules->refusals));
}

struct fathom_code_structure *fathom_sample_modules_open(struct fathom_sample_modules *modules, uint32_t index)
{
	const struct fathom_sample_module *module = &modules->file->modules[index];
	const char *ignored;

	if (modules->structures[index] || modules->refusals[index])
		return modules->structures[index];
	modules->structures[index] = open_matching(module->path, module->build_id, &modules->refusals[index]);
	if (!modules->structures[index] && *module->build_id)
		modules->structures[index] = open_matching(fathom_base_name(module->path), module->build_id, &ignored);
	if (modules->structures[index])
		modules->refusals[index] = NULL;
	return modules->structures[index];
}

void fathom_sample_modules_fini(struct fathom_sample_modules *modules)
{
	for (size_t i = 0; modules->structures && i < modules->file->module_count; i++)
		if (modules->structures[i])
			fathom_code_structure_close(modules->structures[i]);
	free(modules->structures);
	free(modules->refusals);
	*modules = (struct fathom_sample_modules){ 0 };
}

void fathom_sample_modules_explain(const struct fathom_sample_modules *modules, const struct fathom_page *page)
{
	for (size_t i = 0; i < modules->file->module_count; i++)
		if (modules->refusals[i])
			printf("%s%.*s: %s: its samples have no lines and loops%s\n",
			       fathom_page_style(page, FATHOM_STYLE_WARN), page->width - 60,
			       fathom_base_name(modules->file->modules[i].path), modules->refusals[i],
			       fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

const char *fathom_sample_modules_refusal(const struct fathom_sample_modules *modules, const char **path)
{
	for (size_t i = 0; i < modules->file->module_count; i++)
		if (modules->refusals[i]) {
			*path = modules->file->modules[i].path;
			return modules->refusals[i];
		}
	return NULL;
}
