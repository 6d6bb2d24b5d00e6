#define _GNU_SOURCE
#include "driver/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if __ELF_NATIVE_CLASS == 64
#define OWN_CLASS ELFCLASS64
#else
#define OWN_CLASS ELFCLASS32
#endif

/* A file in memory. Nothing in it is believed before it is checked against bytes. */
struct image {
	const unsigned char *at;
	size_t bytes;
};

/* size bytes at offset, or NULL; structures are aligned in every sound file. */
static const void *part(const struct image *image, uint64_t offset, uint64_t size)
{
	if (offset > image->bytes || size > image->bytes - offset || (size > 1 && offset % sizeof(ElfW(Addr))))
		return NULL;
	return image->at + offset;
}

static const ElfW(Phdr) *segment(const struct image *image, const ElfW(Ehdr) *header, unsigned index)
{
	if (header->e_phentsize != sizeof(ElfW(Phdr)))
		return NULL;
	return part(image, header->e_phoff + (uint64_t)index * sizeof(ElfW(Phdr)), sizeof(ElfW(Phdr)));
}

/* Where a virtual address lies in the file; the file's size if nowhere. */
static uint64_t file_offset(const struct image *image, const ElfW(Ehdr) *header, uint64_t address)
{
	for (unsigned i = 0; i < header->e_phnum; i++) {
		const ElfW(Phdr) *load = segment(image, header, i);

		if (load && load->p_type == PT_LOAD && address >= load->p_vaddr &&
		    address - load->p_vaddr < load->p_filesz)
			return address - load->p_vaddr + load->p_offset;
	}
	return image->bytes;
}

static void see_needed(struct fathom_program *program, const char *library)
{
	/* These check at start that nothing was loaded before them. */
	static const char *const first[] = { "libasan.so", "libtsan.so", "liblsan.so" };

	if (strncmp(library, "libfathom.so", 12) == 0)
		program->has_fathom = 1;
	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
		if (strncmp(library, first[i], strlen(first[i])) == 0)
			snprintf(program->sanitizer, sizeof(program->sanitizer), "%s", library);
	}
}

static void read_dynamic(struct fathom_program *program, const struct image *image, const ElfW(Ehdr) *header,
			 const ElfW(Phdr) *dynamic)
{
	size_t count = dynamic->p_filesz / sizeof(ElfW(Dyn));
	const ElfW(Dyn) *entry = part(image, dynamic->p_offset, dynamic->p_filesz);
	uint64_t strings = image->bytes;

	for (size_t i = 0; entry && i < count; i++) {
		if (entry[i].d_tag == DT_STRTAB)
			strings = file_offset(image, header, entry[i].d_un.d_ptr);
	}
	for (size_t i = 0; entry && i < count && entry[i].d_tag != DT_NULL; i++) {
		const char *name;

		if (entry[i].d_tag != DT_NEEDED || entry[i].d_un.d_val > image->bytes)
			continue;
		name = part(image, strings + entry[i].d_un.d_val, 1);
		if (name && memchr(name, '\0', image->bytes - (size_t)(name - (const char *)image->at)))
			see_needed(program, name);
	}
}

/* As it stands in the table of settings, zero at the end included. */
static const char own_setting[] = "FATHOM_RECURSION";

static void read_elf(struct fathom_program *program, const struct image *image)
{
	const ElfW(Ehdr) *header = part(image, 0, sizeof(*header));
	ElfW(Ehdr) own;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	program->is_elf = 1;
	program->is_static = 1;
	if (!header || header->e_ident[EI_CLASS] != OWN_CLASS) {
		program->is_foreign = 1;
	} else if (fd >= 0 && read(fd, &own, sizeof(own)) == sizeof(own)) {
		program->is_foreign = own.e_machine != header->e_machine ||
				      own.e_ident[EI_DATA] != header->e_ident[EI_DATA];
	}
	if (fd >= 0)
		close(fd);
	/* A static program names no library; that it reads our settings gives it away. */
	program->has_fathom = memmem(image->at, image->bytes, own_setting, sizeof(own_setting)) != NULL;
	for (unsigned i = 0; !program->is_foreign && i < header->e_phnum; i++) {
		const ElfW(Phdr) *at = segment(image, header, i);

		if (at && at->p_type == PT_INTERP)
			program->is_static = 0;
		if (at && at->p_type == PT_DYNAMIC)
			read_dynamic(program, image, header, at);
	}
}

int fathom_program_read(struct fathom_program *program, const char *path)
{
	struct image image = { 0 };
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int err = 0;

	*program = (struct fathom_program){ 0 };
	if (fd < 0)
		return -errno;
	if (fstat(fd, &status)) {
		err = -errno;
		goto close_file;
	}
	if (status.st_size < SELFMAG)
		goto close_file;
	image.bytes = (size_t)status.st_size;
	image.at = mmap(NULL, image.bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	if (image.at == MAP_FAILED) {
		err = -errno;
		goto close_file;
	}
	if (memcmp(image.at, ELFMAG, SELFMAG) == 0)
		read_elf(program, &image);
	munmap((void *)image.at, image.bytes);
close_file:
	close(fd);
	return err;
}
