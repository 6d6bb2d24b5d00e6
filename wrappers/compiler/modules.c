#include "modules.h"

#include <errno.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

struct search {
	uintptr_t address;
	struct fathom_module *module;	/* NULL: only whether there is one */
};

static void describe(const struct dl_phdr_info *info, struct fathom_module *module)
{
	size_t length = strlen(info->dlpi_name);
	ssize_t linked;

	module->bias = info->dlpi_addr;
	module->begin = UINTPTR_MAX;
	module->end = 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		if (begin < module->begin)
			module->begin = begin;
		if (begin + info->dlpi_phdr[i].p_memsz > module->end)
			module->end = begin + info->dlpi_phdr[i].p_memsz;
	}
	if (length && length < sizeof(module->path)) {
		memcpy(module->path, info->dlpi_name, length + 1);
		return;
	}
	/* The program itself has no name in the list. By its first thread, which may have ended, the kernel no longer
	 * knows it: by this one. */
	linked = readlink("/proc/thread-self/exe", module->path, sizeof(module->path) - 1);
	module->path[linked > 0 ? linked : 0] = '\0';
}

static int is_in(struct dl_phdr_info *info, size_t size, void *data)
{
	const struct search *search = data;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];

		if (header->p_type == PT_LOAD &&
		    search->address - info->dlpi_addr - header->p_vaddr < header->p_memsz) {
			if (search->module)
				describe(info, search->module);
			return 1;
		}
	}
	return 0;
}

int fathom_module_of(const void *address, struct fathom_module *module)
{
	struct search search = { (uintptr_t)address, module };

	return dl_iterate_phdr(is_in, &search) ? 0 : -ENOENT;
}

int fathom_module_loaded(const void *address)
{
	struct search search = { (uintptr_t)address, NULL };

	return dl_iterate_phdr(is_in, &search);
}
