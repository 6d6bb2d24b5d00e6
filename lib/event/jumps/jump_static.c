/*
 * jump_static: the interposed functions for static programs. The linker's option --wrap=NAME redirects the calls of
 * NAME to __wrap_NAME (instrument/driver).
 */
#include <setjmp.h>
#include <stdint.h>
#include <ucontext.h>

#include "event/jumps/jump.h"

typedef void jump_function(struct __jmp_buf_tag *, int);
typedef int swap_function(ucontext_t *, const ucontext_t *);
typedef int set_function(const ucontext_t *);

extern jump_function __real_longjmp, __real__longjmp, __real_siglongjmp, __real___longjmp_chk;
extern jump_function __wrap_longjmp, __wrap__longjmp, __wrap_siglongjmp, __wrap___longjmp_chk;
extern swap_function __real_swapcontext, __wrap_swapcontext;
extern set_function __real_setcontext, __wrap_setcontext;

#define JUMP(name) \
	void __wrap_##name(struct __jmp_buf_tag *buffer, int value) \
	{ \
		fathom_jump_by(buffer); \
		__real_##name(buffer, value); \
	}

JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)

int __wrap_swapcontext(ucontext_t *from, const ucontext_t *to)
{
	fathom_jump_to(to, (uintptr_t)__builtin_dwarf_cfa());
	return __real_swapcontext(from, to);
}

int __wrap_setcontext(const ucontext_t *to)
{
	fathom_jump_to(to, (uintptr_t)__builtin_dwarf_cfa());
	return __real_setcontext(to);
}
