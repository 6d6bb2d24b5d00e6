/*
 * land_static: as jump_static, for exceptions; also linked into programs that are dynamic but contain the unwinder
 * (-static-libgcc).
 */
#include <stdint.h>
#include <unwind.h>

#include "event/jumps/jump.h"

/* Only programs with C++ or the unwinder have these functions. If the program calls a __wrap_ function, the __real_
 * function and _Unwind_GetCFA exist, too. */
#define IF_THERE __attribute__((weak))

typedef void *catch_function(void *);
typedef void land_function(struct _Unwind_Context *, _Unwind_Ptr);

extern catch_function __real___cxa_begin_catch IF_THERE, __wrap___cxa_begin_catch;
extern land_function __real__Unwind_SetIP IF_THERE, __wrap__Unwind_SetIP;
extern _Unwind_Word _Unwind_GetCFA(struct _Unwind_Context *context) IF_THERE;

void *__wrap___cxa_begin_catch(void *exception)
{
	fathom_event_unwind((uintptr_t)__builtin_dwarf_cfa());
	return __real___cxa_begin_catch(exception);
}

void __wrap__Unwind_SetIP(struct _Unwind_Context *context, _Unwind_Ptr where)
{
	fathom_event_unwind((uintptr_t)_Unwind_GetCFA(context));
	__real__Unwind_SetIP(context, where);
}
