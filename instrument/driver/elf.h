/*
 * elf: programs and libraries as they lie in files.
 *
 * The file is in memory; nothing in it is believed before it is checked against its length.
 */
#ifndef FATHOM_DRIVER_ELF_H
#define FATHOM_DRIVER_ELF_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

#if __ELF_NATIVE_CLASS == 64
#define FATHOM_ELF_CLASS ELFCLASS64
#else
#define FATHOM_ELF_CLASS ELFCLASS32
#endif

struct fathom_elf {
	const unsigned char *at;	/* NULL: shorter than any ELF file */
	size_t bytes;
};

/* 0 or -errno. The file need not be an ELF file. */
int fathom_elf_open(struct fathom_elf *elf, const char *path);
void fathom_elf_close(struct fathom_elf *elf);

int fathom_elf_is_one(const struct fathom_elf *elf);

/* size bytes at offset, or NULL: also where they are not aligned as in every sound file. */
const void *fathom_elf_part(const struct fathom_elf *elf, uint64_t offset, uint64_t size, size_t align);

/* The text at offset, or NULL if it does not end in the file. */
const char *fathom_elf_text(const struct fathom_elf *elf, uint64_t offset);

/* The header of a file of this machine's word size, or NULL. */
const ElfW(Ehdr) *fathom_elf_header(const struct fathom_elf *elf);

/* A segment's or section's header, or NULL. */
const ElfW(Phdr) *fathom_elf_segment(const struct fathom_elf *elf, const ElfW(Ehdr) *header, unsigned index);
const ElfW(Shdr) *fathom_elf_section(const struct fathom_elf *elf, const ElfW(Ehdr) *header, unsigned index);

/* A symbol of the table for the dynamic linker. */
struct fathom_elf_symbol {
	const char *name;
	const char *version;	/* "" if it has none */
	int is_defined;
};

/* Call see for each of them until it returns another value than 0, and return that; 0 if there are none, or they
 * cannot be understood. */
int fathom_elf_each_symbol(const struct fathom_elf *elf, int (*see)(const struct fathom_elf_symbol *symbol, void *data),
			   void *data);

#endif
