/*
 * elf: reads the ELF files of programs and libraries.
 *
 * The file is mapped into memory. Each offset in it is checked against the length of the file before it is used.
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

/* Maps a file, which need not be an ELF file. 0 or -errno. */
int fathom_elf_open(struct fathom_elf *elf, const char *path);
void fathom_elf_close(struct fathom_elf *elf);

/* Returns whether the file is an ELF file. */
int fathom_elf_is_one(const struct fathom_elf *elf);

/* Returns the size bytes at offset. NULL: they are not in the file, or not aligned. */
const void *fathom_elf_part(const struct fathom_elf *elf, uint64_t offset, uint64_t size, size_t align);

/* Returns the text at offset. NULL: it does not end within the file. */
const char *fathom_elf_text(const struct fathom_elf *elf, uint64_t offset);

/* Returns the header of a file. NULL: the file is for another word size than this machine's. */
const ElfW(Ehdr) *fathom_elf_header(const struct fathom_elf *elf);

/* Return the header of a segment or section. NULL: it is not in the file. */
const ElfW(Phdr) *fathom_elf_segment(const struct fathom_elf *elf, const ElfW(Ehdr) *header, unsigned index);
const ElfW(Shdr) *fathom_elf_section(const struct fathom_elf *elf, const ElfW(Ehdr) *header, unsigned index);

/* A symbol of the table for the dynamic linker. */
struct fathom_elf_symbol {
	const char *name;
	const char *version;	/* "" if it has none */
	int is_defined;
};

/* Calls see for each symbol until it returns a value that is not 0, and returns this value. 0: see returned 0 for all
 * symbols, or the table cannot be read. */
int fathom_elf_each_symbol(const struct fathom_elf *elf, int (*see)(const struct fathom_elf_symbol *symbol, void *data),
			   void *data);

#endif
