/*
 * jump_tables: where an indirect jump can lead, if it takes its target from a table, as in a switch.
 *
 * Compilers write few forms: a table of distances of 4 bytes from the table itself, which are added to its address; or
 * a table of addresses of 8 bytes. The search looks back from the jump for the instruction that loads the entry and for
 * the constant address of the table. The length comes from the comparison before the jump. Without one, the table ends
 * at the first entry that is not the address of an instruction of the function, or where another constant begins.
 */
#ifndef FATHOM_SYMBOLS_JUMP_TABLES_H
#define FATHOM_SYMBOLS_JUMP_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fathom_code_file;
struct fathom_instructions;

struct fathom_jump_table {
	uint64_t address;
	uint32_t entry_bytes;		/* 4: distances from address; 8: addresses */
	uint32_t most;			/* entries; the table may have fewer */
};

/* Finds the table of the indirect jump with that index in the list. False: its targets are not known. Context:
 * finish. */
bool fathom_jump_table_find(const struct fathom_instructions *instructions, size_t jump,
			    struct fathom_jump_table *table);

/* Returns the target that an entry of the table names; 0: the file has no such entry. Context: finish. */
uint64_t fathom_jump_table_target(struct fathom_code_file *file, const struct fathom_jump_table *table,
				  uint32_t entry);

#endif
