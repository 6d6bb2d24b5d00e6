/*
 * frame_tables: finds the call-frame information of an instruction: which module has the instruction, and which entry
 * of the module's .eh_frame belongs to it.
 *
 * The dynamic linker knows the modules without a lock (_dl_find_object, glibc 2.35). With an older C library this file
 * keeps a list, which is brought up to date at the start and at the birth of threads. The linker sorts the entries of a
 * module in .eh_frame_hdr. A static program may have none; then this file sorts the entries at the start.
 */
#ifndef FATHOM_SAMPLE_FRAME_TABLES_H
#define FATHOM_SAMPLE_FRAME_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/readable_memory.h"

/* The call-frame information of one module. */
struct fathom_frame_table {
	uintptr_t begin, end;		/* the addresses of the module */
	const unsigned char *header;	/* its .eh_frame_hdr; NULL: none */
	const void *module;		/* the dynamic linker's record of it */
	uint64_t digest;		/* another module at the same addresses has another one */
};

/* Finds the call-frame information of a program without .eh_frame_hdr. Returns 0 or -errno. Calling it again does
 * nothing. Context: start. */
int fathom_frame_tables_init(void);

/* Brings the list of modules up to date, if there is one. Context: birth. */
void fathom_frame_tables_update(void);

/* Fills in the table of the module that has the instruction at pc. False: no module has it, or it has no table.
 * Context: signal. */
bool fathom_frame_table_find(uintptr_t pc, struct fathom_readable_memory *memory, struct fathom_frame_table *table);

/* Returns whether the module of table is still the one at its addresses. Context: signal. */
bool fathom_frame_table_is_valid(const struct fathom_frame_table *table, struct fathom_readable_memory *memory);

/* Returns the FDE in table that pc may belong to: that with the highest first instruction not above pc. NULL: none.
 * Context: signal. */
const unsigned char *fathom_frame_table_entry(const struct fathom_frame_table *table, uintptr_t pc);

/* Returns whether an FDE covers the instruction at pc. If none does, stores the end of the code in front of it that an
 * FDE covers, or of its module, at most 1 MB in front of it. Context: signal. */
bool fathom_frame_table_covers(uintptr_t pc, struct fathom_readable_memory *memory, uintptr_t *end_of_covered);

/* Returns whether pc is in the code that the kernel starts a process with, in the program or in the dynamic linker: it
 * has no caller, and may have no call-frame information. Context: signal. */
bool fathom_frame_tables_is_entry(uintptr_t pc);

#endif
