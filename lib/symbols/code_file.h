/*
 * code_file: an open program or library, with its symbols, its debug information and its code.
 *
 * Debug information may be in a separate file, which is found by the build-id or by its name. Addresses are the file's
 * own ("offset" in struct fathom_region) unless a comment says that they are Dwfl's: those are larger by bias. The code
 * needs elfutils. Only files of this folder include this header.
 */
#ifndef FATHOM_SYMBOLS_CODE_FILE_H
#define FATHOM_SYMBOLS_CODE_FILE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the dynamic linker puts into a word of the file's memory. */
struct fathom_relocation {
	uint64_t address;
	uint64_t value;		/* of a word that gets an address in the file itself, else 0 */
	const char *symbol;	/* whose address the word gets, else NULL */
};

struct fathom_code_file {
	const char *path;		/* the caller's */
	Dwfl *dwfl;
	Dwfl_Module *module;		/* NULL: the file cannot be read */
	GElf_Addr bias;
	bool has_relocations;		/* the next two are set */
	struct fathom_relocation *relocations;	/* by address */
	size_t relocation_count;
};

/* A part of the code of a function, which may have several: rarely used code is put elsewhere (.cold). */
struct fathom_code_piece {
	uint64_t begin, end;
};

/* Opens a file. If that fails, module is NULL, and the file can be closed all the same. Context: finish. */
void fathom_code_file_open(struct fathom_code_file *file, const char *path);

/* Closes the file. Texts that elfutils returned for it are gone then. Context: finish. */
void fathom_code_file_close(struct fathom_code_file *file);

/* Returns whether the open file is a program, that is, no library. Context: finish. */
bool fathom_code_file_is_program(const struct fathom_code_file *file);

/* Returns whether the open file itself contains debug information, not a separate file. Context: finish. */
bool fathom_code_file_has_debug_info(const struct fathom_code_file *file);

/*
 * Returns the contents of an open file at that address, and in *bytes how many follow in the same section. NULL: the
 * file has nothing there. The contents live as long as the file is open. Context: finish.
 */
const uint8_t *fathom_code_file_contents(const struct fathom_code_file *file, uint64_t address, size_t *bytes);

/* Returns what the dynamic linker puts into the word at that address; NULL: nothing. Context: finish. */
const struct fathom_relocation *fathom_code_file_relocation(struct fathom_code_file *file, uint64_t address);

/* Returns the address that the word of 8 bytes at that address has in the running program, as far as it is an address
 * in the file itself, else 0. Context: finish. */
uint64_t fathom_code_file_pointer(struct fathom_code_file *file, uint64_t address);

/*
 * Returns the compilation unit of the code at that address, and in *dwarf_bias what Dwfl's addresses are larger by than
 * those of the debug information. NULL: there is no debug information for it. Context: finish.
 */
Dwarf_Die *fathom_code_file_unit(const struct fathom_code_file *file, uint64_t address, Dwarf_Addr *dwarf_bias);

/*
 * Returns the source file that the compiler was given for a unit, as an absolute path where it is known: file 0 of
 * DWARF 5, which elfutils before 0.190 does not find. The result may be new memory, which is never freed. Context:
 * finish.
 */
const char *fathom_code_file_main_source(Dwarf_Die *unit);

#endif
