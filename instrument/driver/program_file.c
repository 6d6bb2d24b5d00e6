#define _GNU_SOURCE
#include "driver/program_file.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "driver/elf.h"

/* Returns the offset of a virtual address in the file, or the size of the file if it does not contain the address. */
static uint64_t file_offset(const struct fathom_elf *elf, const ElfW(Ehdr) *header, uint64_t address)
{
	for (unsigned i = 0; i < header->e_phnum; i++) {
		const ElfW(Phdr) *load = fathom_elf_segment(elf, header, i);

		if (load && load->p_type == PT_LOAD && address >= load->p_vaddr &&
		    address - load->p_vaddr < load->p_filesz)
			return address - load->p_vaddr + load->p_offset;
	}
	return elf->bytes;
}

static void see_needed(struct fathom_program *program, const char *library)
{
	/* These libraries check at the start that they were loaded first. */
	static const char *const first[] = { "libasan.so", "libtsan.so", "liblsan.so" };

	if (strncmp(library, "libfathom.so", 12) == 0)
		program->has_fathom = 1;
	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
		if (strncmp(library, first[i], strlen(first[i])) == 0)
			snprintf(program->sanitizer, sizeof(program->sanitizer), "%s", library);
	}
}

static void read_dynamic(struct fathom_program *program, const struct fathom_elf *elf, const ElfW(Ehdr) *header,
			 const ElfW(Phdr) *dynamic)
{
	size_t count = dynamic->p_filesz / sizeof(ElfW(Dyn));
	const ElfW(Dyn) *entry = fathom_elf_part(elf, dynamic->p_offset, dynamic->p_filesz, __alignof__(*entry));
	uint64_t strings = elf->bytes;

	for (size_t i = 0; entry && i < count; i++) {
		if (entry[i].d_tag == DT_STRTAB)
			strings = file_offset(elf, header, entry[i].d_un.d_ptr);
	}
	for (size_t i = 0; entry && i < count && entry[i].d_tag != DT_NULL; i++) {
		const char *name;

		if (entry[i].d_tag != DT_NEEDED || entry[i].d_un.d_val > elf->bytes)
			continue;
		name = fathom_elf_text(elf, strings + entry[i].d_un.d_val);
		if (name)
			see_needed(program, name);
	}
}

/* A text in the table of settings, with its NUL. Every program that contains libfathom contains this text. */
static const char own_setting[] = "FATHOM_RECURSION";

static void read_elf(struct fathom_program *program, const struct fathom_elf *elf)
{
	const ElfW(Ehdr) *header = fathom_elf_header(elf);
	ElfW(Ehdr) own;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	program->is_elf = 1;
	program->is_static = 1;
	if (!header) {
		program->is_foreign = 1;
	} else if (fd >= 0 && read(fd, &own, sizeof(own)) == sizeof(own)) {
		program->is_foreign = own.e_machine != header->e_machine ||
				      own.e_ident[EI_DATA] != header->e_ident[EI_DATA];
	}
	if (fd >= 0)
		close(fd);
	/* A static program has no list of its libraries, so the text of a setting shows whether it contains
	 * libfathom. */
	program->has_fathom = memmem(elf->at, elf->bytes, own_setting, sizeof(own_setting)) != NULL;
	for (unsigned i = 0; !program->is_foreign && i < header->e_phnum; i++) {
		const ElfW(Phdr) *at = fathom_elf_segment(elf, header, i);

		if (at && at->p_type == PT_INTERP)
			program->is_static = 0;
		if (at && at->p_type == PT_DYNAMIC)
			read_dynamic(program, elf, header, at);
	}
}

int fathom_program_read(struct fathom_program *program, const char *path)
{
	struct fathom_elf elf;
	int err = fathom_elf_open(&elf, path);

	*program = (struct fathom_program){ 0 };
	if (err)
		return err;
	if (fathom_elf_is_one(&elf))
		read_elf(program, &elf);
	fathom_elf_close(&elf);
	return 0;
}
