# Control flow with known loops. The comment of a line names the loop that has its position there; see loops.sh.
	.text
# A loop of one block.
	.globl self
	.type self, @function
self:
	mov $10, %eax
1:	dec %eax		# self
	jnz 1b
	ret
	.size self, .-self

# Two loops in each other, with the condition in front, as compilers write them without optimization.
	.globl nested
	.type nested, @function
nested:
	xor %eax, %eax
	jmp 4f
1:	xor %ecx, %ecx
	jmp 3f
2:	inc %ecx		# nested-inner
3:	cmp $5, %ecx
	jl 2b
	inc %eax		# nested-outer
4:	cmp $5, %eax
	jl 1b
	ret
	.size nested, .-nested

# Two jumps back to one header: one loop.
	.globl shared_header
	.type shared_header, @function
shared_header:
1:	dec %eax		# shared-header
	jnz 1b
	dec %ecx
	jnz 1b
	ret
	.size shared_header, .-shared_header

# Two entries: one loop, which begins with the first of them. The loop inside it is a natural one.
	.globl irreducible
	.type irreducible, @function
irreducible:
	test %edi, %edi
	jz 2f
1:	dec %eax		# irreducible
	jz 4f
2:	dec %ecx
3:	dec %edx		# irreducible-inner
	jnz 3b
	test %ecx, %ecx
	jnz 1b
4:	ret
	.size irreducible, .-irreducible

# A loop around a switch with a table of distances. One of the cases goes on, one leaves, one has a loop.
	.globl relative_table
	.type relative_table, @function
relative_table:
	lea table_4(%rip), %rdx
1:	movzbl (%rdi), %eax	# relative-table
	cmp $2, %eax
	ja 9f
	movslq (%rdx,%rax,4), %rax
	add %rdx, %rax
	jmp *%rax
2:	inc %rdi
	jmp 1b
3:	dec %ecx		# relative-table-inner
	jnz 3b
	jmp 1b
4:	ret
9:	ret
	.size relative_table, .-relative_table
	.section .rodata
	.align 4
table_4:
	.long 2b-table_4, 3b-table_4, 4b-table_4
	.text

# The same with a table of addresses, of which no comparison tells the length, as with computed goto.
	.globl absolute_table
	.type absolute_table, @function
absolute_table:
	lea table_8(%rip), %rbx
1:	movzbl (%rdi), %eax	# absolute-table
	jmp *(%rbx,%rax,8)
2:	inc %rdi
	jmp 1b
3:	dec %ecx		# absolute-table-inner
	jnz 3b
	jmp 1b
4:	ret
	.size absolute_table, .-absolute_table
	.section .data.rel.ro, "aw"
	.align 8
table_8:
	.quad 2b, 3b, 4b, 0
	.text

# The same as compilers write it without optimization: the distance of the entry in bytes is computed.
	.globl unoptimized_table
	.type unoptimized_table, @function
unoptimized_table:
1:	movzbl (%rdi), %eax	# unoptimized-table
	cmp $1, %eax
	ja 3f
	mov %eax, %eax
	lea 0(,%rax,4), %rdx
	lea table_o(%rip), %rax
	mov (%rdx,%rax,1), %eax
	cltq
	lea table_o(%rip), %rdx
	add %rdx, %rax
	notrack jmp *%rax
2:	inc %rdi
	jmp 1b
3:	ret
	.size unoptimized_table, .-unoptimized_table
	.section .rodata
	.align 4
table_o:
	.long 2b-table_o, 3b-table_o
	.text

# A loop of which a part is elsewhere.
	.globl split
	.type split, @function
split:
	mov $10, %eax
1:	dec %eax		# split
	jz 3f
	test %edi, %edi
	jnz split.cold
.Lsplit_next:
	jmp 1b
3:	ret
	.size split, .-split

# Code behind a call of abort is not reached from it: the loop has one entry.
	.globl after_abort
	.type after_abort, @function
after_abort:
	test %edi, %edi
	jnz 2f
	jmp 3f
2:	call abort@PLT
1:	inc %ecx		# after-abort
3:	dec %eax
	jnz 1b
	ret
	.size after_abort, .-after_abort

# The same with a function of the program that is declared not to return.
	.globl after_end
	.type after_end, @function
after_end:
	test %edi, %edi
	jnz 2f
	jmp 3f
2:	call end_program
1:	inc %ecx		# after-end
3:	dec %eax
	jnz 1b
	ret
	.size after_end, .-after_end

# An indirect jump that cannot be resolved, and bytes that are no instructions.
	.globl unknown
	.type unknown, @function
unknown:
	jmp *%rax
1:	dec %eax		# unknown
	jnz 1b
	ret
	.byte 0x06, 0x07
	.size unknown, .-unknown

	.section .text.unlikely, "ax"
	.type split.cold, @function
split.cold:
	dec %eax
1:	dec %ecx		# split-cold
	jnz 1b
	jmp .Lsplit_next
	.size split.cold, .-split.cold
	.section .note.GNU-stack, "", @progbits
