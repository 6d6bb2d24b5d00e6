#include "platform/vectors.h"

#if defined(__x86_64__) && defined(__LP64__)
#include <cpuid.h>
#include <stdint.h>

/* The vector registers that are saved, by their bits in XCR0: SSE, AVX, and the three parts of AVX-512. The x87
 * registers and the tiles of AMX are not saved, because no rarely executed code of fathom changes them. */
#define WANTED (1u << 1 | 1u << 2 | 1u << 5 | 1u << 6 | 1u << 7)
#define LEAF 0xd		/* the leaf of CPUID that describes these registers */

enum { LEGACY_BYTES = 512, HEADER_BYTES = 64 };

/* The mask of the saved parts, and the offset at which the last saved part ends. Mask 0: the code saves SSE only, by
 * FXSAVE. The assembler code below reads both. */
FATHOM_HIDDEN uint32_t fathom_vectors_mask, fathom_vectors_bytes = LEGACY_BYTES;

void fathom_vectors_init(void)
{
	uint32_t eax, ebx, ecx, edx, enabled, bytes = LEGACY_BYTES + HEADER_BYTES;

	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & bit_OSXSAVE))
		return;
	__asm__ volatile("xgetbv" : "=a"(enabled), "=d"(edx) : "c"(0));
	enabled &= WANTED;
	for (uint32_t part = 2; part < 8; part++) {	/* the first two parts are in the legacy area */
		if (!(enabled & 1u << part))
			continue;
		if (!__get_cpuid_count(LEAF, part, &eax, &ebx, &ecx, &edx))
			return;
		if (ebx + eax > bytes)
			bytes = ebx + eax;
	}
	fathom_vectors_bytes = bytes;
	fathom_vectors_mask = enabled;
}

/* Saves the registers and calls the function. Arguments of the function stay where they are, except the one in %rdx:
 * XSAVE uses %rdx, so the code keeps the argument in %r10 meanwhile. */
__asm__(".text\n"
	"\t.globl fathom_vectors_keep\n"
	"\t.type fathom_vectors_keep, @function\n"
	"\t.p2align 4\n"
	"fathom_vectors_keep:\n"
	"\t.cfi_startproc\n"
	"\tendbr64\n"
	"\tpush %rbp\n"
	"\t.cfi_def_cfa_offset 16\n"
	"\t.cfi_offset %rbp, -16\n"
	"\tmov %rsp, %rbp\n"
	"\t.cfi_def_cfa_register %rbp\n"
	"\tpush %r8\n"
	"\tpush %r9\n"
	"\tpush %r10\n"
	"\tpush %r11\n"
	"\tmov %rax, %r11\n"
	"\tmov fathom_vectors_bytes(%rip), %eax\n"
	"\tsub %rax, %rsp\n"
	"\tand $-64, %rsp\n"
	"\tmov fathom_vectors_mask(%rip), %eax\n"
	"\ttest %eax, %eax\n"
	"\tjz 1f\n"
	"\tmov %rdx, %r10\n"
	"\txor %edx, %edx\n"
	"\tmov %rdx, 512(%rsp)\n"	/* the header of the area: no part is saved yet */
	"\tmov %rdx, 520(%rsp)\n"
	"\tmov %rdx, 528(%rsp)\n"
	"\tmov %rdx, 536(%rsp)\n"
	"\tmov %rdx, 544(%rsp)\n"
	"\tmov %rdx, 552(%rsp)\n"
	"\tmov %rdx, 560(%rsp)\n"
	"\tmov %rdx, 568(%rsp)\n"
	"\txsave (%rsp)\n"
	"\tmov %r10, %rdx\n"
	"\tcall *%r11\n"
	"\tmov %rax, %r10\n"
	"\tmov fathom_vectors_mask(%rip), %eax\n"
	"\txor %edx, %edx\n"
	"\txrstor (%rsp)\n"
	"\tmov %r10, %rax\n"
	"\tjmp 2f\n"
	"1:\tfxsave (%rsp)\n"
	"\tcall *%r11\n"
	"\tfxrstor (%rsp)\n"
	"2:\tmov -8(%rbp), %r8\n"
	"\tmov -16(%rbp), %r9\n"
	"\tmov -24(%rbp), %r10\n"
	"\tmov -32(%rbp), %r11\n"
	"\tleave\n"
	"\t.cfi_def_cfa %rsp, 8\n"
	"\tret\n"
	"\t.cfi_endproc\n"
	"\t.size fathom_vectors_keep, . - fathom_vectors_keep\n");
#else
void fathom_vectors_keep(void)
{
}

void fathom_vectors_init(void)
{
}
#endif
