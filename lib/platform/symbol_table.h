/*
 * symbol_table: finds where a function begins, by the symbol table of its program or library.
 *
 * Functions without call-frame information (assembly) have no other mark in memory. lib/symbols knows more about names,
 * but needs elfutils, which allocates memory.
 */
#ifndef FATHOM_PLATFORM_SYMBOL_TABLE_H
#define FATHOM_PLATFORM_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Finds the function whose code is at offset, an address as the file at path itself counts them, and sets *begin to the
 * function's first instruction. Returns false if no symbol says it, or if the file cannot be read. A symbol with a size
 * has the code within this size; one without a size (a label of assembly) the code up to the next symbol. Context:
 * finish, signal.
 */
bool fathom_symbol_table_function(const char *path, uint64_t offset, uint64_t *begin);

#endif
