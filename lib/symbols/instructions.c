#include "symbols/instructions.h"

#include <errno.h>
#include <stdlib.h>

#include "config.h"

#ifdef HAVE_ZYDIS
#include <Zydis/Zydis.h>

bool fathom_instructions_can_decode(void)
{
	return true;
}

static int8_t number_of(ZydisRegister name)
{
	ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);

	return whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15 ? (int8_t)(whole - ZYDIS_REGISTER_RAX) :
									    FATHOM_NO_REGISTER;
}

/* Fills in the parts of an operand in memory. The address relative to the instruction is a constant. */
static void take_memory(struct fathom_instruction *instruction, const ZydisDecodedOperandMem *memory)
{
	instruction->value = memory->disp.has_displacement ? (uint64_t)memory->disp.value : 0;
	instruction->base = FATHOM_NO_REGISTER;
	instruction->index = memory->index == ZYDIS_REGISTER_NONE ? FATHOM_NO_REGISTER : number_of(memory->index);
	instruction->scale = memory->index == ZYDIS_REGISTER_NONE ? 0 : memory->scale;
	if (memory->base == ZYDIS_REGISTER_RIP)
		instruction->value += instruction->address + instruction->length;
	else if (memory->base != ZYDIS_REGISTER_NONE)
		instruction->base = number_of(memory->base);
}

static void take_jump(struct fathom_instruction *instruction, const ZydisDecodedInstruction *decoded,
		      const ZydisDecodedOperand *operands)
{
	if (operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
		instruction->target = instruction->address + instruction->length + (uint64_t)operands[0].imm.value.s;
		instruction->flow = decoded->mnemonic == ZYDIS_MNEMONIC_JMP ? FATHOM_FLOW_JUMP :
									      FATHOM_FLOW_CONDITIONAL;
		instruction->is_inclusive = decoded->mnemonic == ZYDIS_MNEMONIC_JNBE ||
					    decoded->mnemonic == ZYDIS_MNEMONIC_JBE;
		instruction->is_unsigned = instruction->is_inclusive || decoded->mnemonic == ZYDIS_MNEMONIC_JNB ||
					   decoded->mnemonic == ZYDIS_MNEMONIC_JB;
		return;
	}
	instruction->flow = FATHOM_FLOW_INDIRECT;
	if (operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER) {
		instruction->base = number_of(operands[0].reg.value);
	} else if (operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY) {
		instruction->operation = FATHOM_OPERATION_LOAD;
		instruction->loaded_bytes = (uint8_t)(operands[0].size / 8);
		take_memory(instruction, &operands[0].mem);
	}
}

static void take_call(struct fathom_instruction *instruction, const ZydisDecodedOperand *operands)
{
	instruction->operation = FATHOM_OPERATION_CALL;
	if (operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
		instruction->value = instruction->address + instruction->length + (uint64_t)operands[0].imm.value.s;
}

/* Fills in what an instruction that is no jump does with its first operand. */
static void take_operation(struct fathom_instruction *instruction, const ZydisDecodedInstruction *decoded,
			   const ZydisDecodedOperand *operands)
{
	const ZydisDecodedOperand *from = &operands[1];

	if (decoded->mnemonic == ZYDIS_MNEMONIC_CMP && from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
		instruction->operation = FATHOM_OPERATION_COMPARE;
		instruction->value = from->imm.value.u;
		return;
	}
	if (!decoded->operand_count_visible || operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER ||
	    !(operands[0].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
		return;
	instruction->to = number_of(operands[0].reg.value);
	instruction->operation = FATHOM_OPERATION_WRITE;
	if (decoded->operand_count_visible < 2)
		return;
	switch (decoded->mnemonic) {
	case ZYDIS_MNEMONIC_LEA:
		if (from->mem.base == ZYDIS_REGISTER_RIP) {
			instruction->operation = FATHOM_OPERATION_CONSTANT;
			take_memory(instruction, &from->mem);
		}
		break;
	case ZYDIS_MNEMONIC_ADD:
		if (from->type == ZYDIS_OPERAND_TYPE_REGISTER) {
			instruction->operation = FATHOM_OPERATION_ADD;
			instruction->base = number_of(from->reg.value);
		}
		break;
	case ZYDIS_MNEMONIC_MOV:
	case ZYDIS_MNEMONIC_MOVSXD:
		if (from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
			instruction->operation = FATHOM_OPERATION_CONSTANT;
			instruction->value = from->imm.value.u;
		} else if (from->type == ZYDIS_OPERAND_TYPE_MEMORY) {
			instruction->operation = FATHOM_OPERATION_LOAD;
			instruction->loaded_bytes = (uint8_t)(from->size / 8);
			take_memory(instruction, &from->mem);
		}
		break;
	default:
		break;
	}
}

static void take(struct fathom_instruction *instruction, const ZydisDecodedInstruction *decoded,
		 const ZydisDecodedOperand *operands)
{
	instruction->length = decoded->length;
	switch (decoded->meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
	case ZYDIS_CATEGORY_UNCOND_BR:
		if (decoded->operand_count_visible)
			take_jump(instruction, decoded, operands);
		return;
	case ZYDIS_CATEGORY_CALL:
		if (decoded->operand_count_visible)
			take_call(instruction, operands);
		return;
	case ZYDIS_CATEGORY_RET:
		instruction->flow = FATHOM_FLOW_END;
		return;
	default:
		break;
	}
	if (decoded->mnemonic == ZYDIS_MNEMONIC_UD2 || decoded->mnemonic == ZYDIS_MNEMONIC_HLT ||
	    decoded->mnemonic == ZYDIS_MNEMONIC_INT3)
		instruction->flow = FATHOM_FLOW_END;
	else
		take_operation(instruction, decoded, operands);
}

static int make_room(struct fathom_instructions *instructions)
{
	size_t room = instructions->room ? 2 * instructions->room : 256;
	struct fathom_instruction *list;

	if (instructions->count < instructions->room)
		return 0;
	list = reallocarray(instructions->list, room, sizeof(*list));
	if (!list)
		return -ENOMEM;
	instructions->list = list;
	instructions->room = room;
	return 0;
}

int fathom_instructions_decode(struct fathom_instructions *instructions, const uint8_t *code, size_t bytes,
			       uint64_t address)
{
	ZydisDecoder decoder;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	for (size_t at = 0; at < bytes;) {
		ZydisDecodedInstruction decoded;
		ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
		struct fathom_instruction instruction = {
			.address = address + at, .to = FATHOM_NO_REGISTER, .base = FATHOM_NO_REGISTER,
			.index = FATHOM_NO_REGISTER,
		};
		int err = make_room(instructions);

		if (err)
			return err;
		if (ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code + at, bytes - at, &decoded, operands))) {
			take(&instruction, &decoded, operands);
		} else {
			instruction.length = 1;
			instruction.flow = FATHOM_FLOW_END;
		}
		instructions->list[instructions->count++] = instruction;
		at += instruction.length;
	}
	return 0;
}

#else

bool fathom_instructions_can_decode(void)
{
	return false;
}

int fathom_instructions_decode(struct fathom_instructions *instructions, const uint8_t *code, size_t bytes,
			       uint64_t address)
{
	(void)instructions, (void)code, (void)bytes, (void)address;
	return 0;
}

#endif

void fathom_instructions_fini(struct fathom_instructions *instructions)
{
	free(instructions->list);
	*instructions = (struct fathom_instructions){ 0 };
}
