#include "symbols/calling_modules.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "platform/module.h"

/* Returns an address from the dynamic section. The loader has made the address absolute on most machines. */
static const void *in_module(const struct dl_phdr_info *info, ElfW(Addr) address)
{
	return (const void *)(address < info->dlpi_addr ? address + info->dlpi_addr : address);
}

/* Returns how many symbols must be searched. Undefined symbols precede the ones that the hash table can find. */
static size_t count_undefined(const uint32_t *gnu_hash, const uint32_t *hash)
{
	return gnu_hash ? gnu_hash[1] : hash ? hash[1] : 0;
}

static bool calls(const struct dl_phdr_info *info, const char *function)
{
	const ElfW(Dyn) *dynamic = NULL;
	const ElfW(Sym) *symbols = NULL;
	const char *strings = NULL;
	const uint32_t *gnu_hash = NULL, *hash = NULL;

	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			dynamic = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	if (!dynamic)
		return true;
	for (; dynamic->d_tag != DT_NULL; dynamic++) {
		const void *at = in_module(info, dynamic->d_un.d_ptr);

		if (dynamic->d_tag == DT_SYMTAB)
			symbols = at;
		else if (dynamic->d_tag == DT_STRTAB)
			strings = at;
		else if (dynamic->d_tag == DT_GNU_HASH)
			gnu_hash = at;
		else if (dynamic->d_tag == DT_HASH)
			hash = at;
	}
	if (!symbols || !strings)
		return false;
	for (size_t i = 1; i < count_undefined(gnu_hash, hash); i++)
		if (symbols[i].st_shndx == SHN_UNDEF && !strcmp(strings + symbols[i].st_name, function))
			return true;
	return false;
}

struct calling {
	const char *function;
	struct fathom_module_name *names;
};

/* Returns an address that belongs to the module. */
static const void *inside(const struct dl_phdr_info *info)
{
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD)
			return (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	return NULL;
}

static int list_calling(struct dl_phdr_info *info, size_t size, void *data)
{
	/* Not on the machine stack, because it is large; only one thread calls this, at the start. */
	static struct fathom_module module;
	struct calling *calling = data;
	struct fathom_module_name *name;
	bool does_call = calls(info, calling->function);

	(void)size;
	/* The program itself is always in the list: a statically linked one has no undefined symbols. */
	if ((*info->dlpi_name && !does_call) || fathom_module_of(inside(info), &module))
		return 0;
	name = malloc(sizeof(*name) + strlen(module.path) + 1);
	if (!name)
		return 1;
	strcpy(name->path, module.path);
	name->bias = module.bias;
	name->calls = does_call;
	name->next = calling->names;
	calling->names = name;
	return 0;
}

struct fathom_module_name *fathom_modules_calling(const char *function)
{
	struct calling calling = { function, NULL };

	dl_iterate_phdr(list_calling, &calling);
	return calling.names;
}
