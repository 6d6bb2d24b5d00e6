#include "symbols/jump_tables.h"

#include <string.h>

#include "symbols/code_file.h"
#include "symbols/instructions.h"

enum {
	FURTHEST = 32,		/* instructions that are looked at before a jump */
	MOST_ENTRIES = 4096,
};

/* The instruction before `before` that puts something into the register, at most FURTHEST instructions away; NULL:
 * there is none. */
static const struct fathom_instruction *find_write(const struct fathom_instructions *instructions, size_t before,
						   int reg, size_t *index)
{
	for (size_t i = 1; i <= FURTHEST && i <= before; i++) {
		const struct fathom_instruction *instruction = &instructions->list[before - i];

		if (instruction->to != reg)
			continue;
		*index = before - i;
		return instruction;
	}
	return NULL;
}

/*
 * Finds the constant that a register has at an instruction: the nearest before it, else the nearest behind it, because
 * compilers put the address of a table in front of a loop, and that code may be anywhere. The entries of the table show
 * whether the constant is the right one. False: the register never gets a constant.
 */
static bool find_constant(const struct fathom_instructions *instructions, size_t at, int reg, uint64_t *value)
{
	for (size_t i = at; i-- > 0;)
		if (instructions->list[i].operation == FATHOM_OPERATION_CONSTANT && instructions->list[i].to == reg) {
			*value = instructions->list[i].value;
			return true;
		}
	for (size_t i = at; i < instructions->count; i++)
		if (instructions->list[i].operation == FATHOM_OPERATION_CONSTANT && instructions->list[i].to == reg) {
			*value = instructions->list[i].value;
			return true;
		}
	return false;
}

/* The number of entries by the comparison before a jump: "cmp $7, %eax; ja default". */
static uint32_t count_entries(const struct fathom_instructions *instructions, size_t jump)
{
	for (size_t i = 1; i <= FURTHEST && i < jump; i++) {
		const struct fathom_instruction *branch = &instructions->list[jump - i];
		const struct fathom_instruction *comparison = branch - 1;

		if (branch->flow != FATHOM_FLOW_CONDITIONAL || !branch->is_unsigned)
			continue;
		if (comparison->operation != FATHOM_OPERATION_COMPARE || comparison->value >= MOST_ENTRIES)
			break;
		return (uint32_t)comparison->value + (branch->is_inclusive ? 1 : 0);
	}
	return MOST_ENTRIES;
}

/* The number of entries up to the next constant address of the function behind the table. */
static uint32_t count_up_to_next(const struct fathom_instructions *instructions, const struct fathom_jump_table *table)
{
	uint64_t most = MOST_ENTRIES;

	for (size_t i = 0; i < instructions->count; i++) {
		const struct fathom_instruction *instruction = &instructions->list[i];
		uint64_t distance = instruction->value - table->address;

		if (instruction->operation == FATHOM_OPERATION_CONSTANT && instruction->value > table->address &&
		    distance / table->entry_bytes < most)
			most = distance / table->entry_bytes;
	}
	return (uint32_t)most;
}

/* Returns the register with the address of the table of which an instruction loads an entry; the other one has the
 * number of the entry, or without optimization its distance in bytes. */
static int register_of_table(const struct fathom_instructions *instructions, size_t at)
{
	const struct fathom_instruction *load = &instructions->list[at], *write;
	size_t index;

	if (load->scale != 1)
		return load->base;
	write = find_write(instructions, at, load->index, &index);
	return write && write->operation == FATHOM_OPERATION_CONSTANT ? load->index : load->base;
}

/* Fills in the address of the table of which an instruction loads an entry. */
static bool take_load(const struct fathom_instructions *instructions, size_t at, struct fathom_jump_table *table)
{
	const struct fathom_instruction *load = &instructions->list[at];
	uint64_t constant = 0;
	int reg;

	if (load->operation != FATHOM_OPERATION_LOAD || (load->loaded_bytes != 4 && load->loaded_bytes != 8) ||
	    (load->scale != 1 && load->scale != load->loaded_bytes))
		return false;
	reg = register_of_table(instructions, at);
	if (reg != FATHOM_NO_REGISTER && !find_constant(instructions, at, reg, &constant))
		return false;
	table->address = constant + load->value;
	table->entry_bytes = load->loaded_bytes;
	return true;
}

/* Finds the load of the entry that the jump through a register uses. */
static bool find_load(const struct fathom_instructions *instructions, size_t jump, struct fathom_jump_table *table)
{
	size_t index, load;
	const struct fathom_instruction *write =
		find_write(instructions, jump, instructions->list[jump].base, &index);

	if (!write)
		return false;
	if (write->operation == FATHOM_OPERATION_LOAD)
		return take_load(instructions, index, table) && table->entry_bytes == 8;
	if (write->operation != FATHOM_OPERATION_ADD)
		return false;
	/* The sum of the entry and the table's address, in either order. */
	if (find_write(instructions, index, write->to, &load) && take_load(instructions, load, table))
		return table->entry_bytes == 4;
	return find_write(instructions, index, write->base, &load) && take_load(instructions, load, table) &&
	       table->entry_bytes == 4;
}

bool fathom_jump_table_find(const struct fathom_instructions *instructions, size_t jump,
			    struct fathom_jump_table *table)
{
	uint32_t counted, up_to_next;

	if (instructions->list[jump].operation == FATHOM_OPERATION_LOAD) {
		if (!take_load(instructions, jump, table) || table->entry_bytes != 8)
			return false;
	} else if (!find_load(instructions, jump, table)) {
		return false;
	}
	counted = count_entries(instructions, jump);
	up_to_next = count_up_to_next(instructions, table);
	table->most = counted < MOST_ENTRIES ? counted : up_to_next;
	return true;
}

uint64_t fathom_jump_table_target(struct fathom_code_file *file, const struct fathom_jump_table *table, uint32_t entry)
{
	uint64_t address = table->address + (uint64_t)entry * table->entry_bytes;
	const uint8_t *contents;
	size_t bytes;
	int32_t distance;

	if (table->entry_bytes == 8)
		return fathom_code_file_pointer(file, address);
	contents = fathom_code_file_contents(file, address, &bytes);
	if (!contents || bytes < sizeof(distance))
		return 0;
	memcpy(&distance, contents, sizeof(distance));
	return table->address + (uint64_t)(int64_t)distance;
}
