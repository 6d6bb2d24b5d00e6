/*
 * jump: longjmp and exceptions leave regions without an exit; here these are ended at once.
 *
 * All say where the stack will be: longjmp in its jmp_buf, a catch by where it is called from, and an exception that
 * stops at a frame, to clean up or to be caught, by what the runtime of C++ gets then. Regions that entered below
 * that are over. (Where a jmp_buf cannot be read, on other processors, the next event that finds the stack above a
 * region's own ends it; that is less exact.)
 *
 * fathom_interposed_NAME is NAME in the shared library (lib/local.mk). For static programs see jump_static.c.
 */
#include "event/jump.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unwind.h>

#include "event/coroutine.h"
#include "event/frame.h"

/* noreturn: before such a call, a build for AddressSanitizer forgets what it noted about the stack. */
typedef __attribute__((noreturn)) void (*jump_function)(struct __jmp_buf_tag *, int);
typedef int swap_function(ucontext_t *, const ucontext_t *);
typedef int set_function(const ucontext_t *);
typedef void *catch_function(void *);
typedef void land_function(struct _Unwind_Context *, _Unwind_Ptr);
typedef _Unwind_Word where_function(struct _Unwind_Context *);

static struct {
	jump_function longjmp_, _longjmp_, siglongjmp_, longjmp_chk;
	swap_function *swap;
	set_function *set;
	catch_function *begin_catch;	/* these are NULL in a program without C++ */
	land_function *set_ip;
	where_function *get_cfa;
} library_calls;

/* At the start: in a signal handler nothing may be looked up. */
void fathom_jump_init(void)
{
	*(void **)&library_calls.longjmp_ = dlsym(RTLD_NEXT, "longjmp");
	*(void **)&library_calls._longjmp_ = dlsym(RTLD_NEXT, "_longjmp");
	*(void **)&library_calls.siglongjmp_ = dlsym(RTLD_NEXT, "siglongjmp");
	*(void **)&library_calls.longjmp_chk = dlsym(RTLD_NEXT, "__longjmp_chk");
	*(void **)&library_calls.swap = dlsym(RTLD_NEXT, "swapcontext");
	*(void **)&library_calls.set = dlsym(RTLD_NEXT, "setcontext");
	*(void **)&library_calls.begin_catch = dlsym(RTLD_NEXT, "__cxa_begin_catch");
	*(void **)&library_calls.set_ip = dlsym(RTLD_NEXT, "_Unwind_SetIP");
	*(void **)&library_calls.get_cfa = dlsym(RTLD_NEXT, "_Unwind_GetCFA");
}

/* The stack pointer to which a jump goes; 0: not known. */
static uintptr_t target_of(const struct __jmp_buf_tag *buffer)
{
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__ILP32__)
	uintptr_t mangled = (uintptr_t)buffer->__jmpbuf[6];
	uintptr_t guard;

	/* The C library keeps it rotated by 17 and combined with a secret of the thread. */
	__asm__("mov %%fs:0x30, %0" : "=r"(guard));
	return (mangled >> 17 | mangled << 47) ^ guard;
#else
	(void)buffer;
	return 0;
#endif
}

void fathom_jump_by(const struct __jmp_buf_tag *buffer)
{
	uintptr_t target = target_of(buffer);

	if (target && !fathom_coroutine_jump(target))
		fathom_frame_unwind(target);
}

/* name: of the function that to is; to is NULL before the start, in the constructor of a library that came first. */
static __attribute__((noreturn)) void jump(jump_function to, const char *name, struct __jmp_buf_tag *buffer, int value)
{
	fathom_jump_by(buffer);
	if (!to)
		*(void **)&to = dlsym(RTLD_NEXT, name);
	if (!to)
		abort();	/* the C library has none: nobody can have called it */
	to(buffer, value);
}

FATHOM_API void fathom_interposed_longjmp(struct __jmp_buf_tag buffer[1], int value);
void fathom_interposed_longjmp(struct __jmp_buf_tag buffer[1], int value)
{
	jump(library_calls.longjmp_, "longjmp", buffer, value);
}

FATHOM_API void fathom_interposed__longjmp(struct __jmp_buf_tag buffer[1], int value);
void fathom_interposed__longjmp(struct __jmp_buf_tag buffer[1], int value)
{
	jump(library_calls._longjmp_, "_longjmp", buffer, value);
}

FATHOM_API void fathom_interposed_siglongjmp(struct __jmp_buf_tag buffer[1], int value);
void fathom_interposed_siglongjmp(struct __jmp_buf_tag buffer[1], int value)
{
	jump(library_calls.siglongjmp_, "siglongjmp", buffer, value);
}

/* What they are when _FORTIFY_SOURCE is on. */
FATHOM_API void fathom_interposed___longjmp_chk(struct __jmp_buf_tag buffer[1], int value) __attribute__((noreturn));
void fathom_interposed___longjmp_chk(struct __jmp_buf_tag buffer[1], int value)
{
	jump(library_calls.longjmp_chk, "__longjmp_chk", buffer, value);
}

/* --- other stacks ---------------------------------------------------------------------------------- */

/* Where the stack pointer of context is; 0: not known. */
static uintptr_t stack_pointer_of(const ucontext_t *context)
{
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__ILP32__)
	return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#else
	(void)context;
	return 0;
#endif
}

void fathom_jump_to(const ucontext_t *context, uintptr_t here)
{
	uintptr_t target = stack_pointer_of(context);

	if (target)
		fathom_coroutine_switch(here, target, context->uc_stack.ss_sp, context->uc_stack.ss_size);
}

FATHOM_API int fathom_interposed_swapcontext(ucontext_t *from, const ucontext_t *to);
int fathom_interposed_swapcontext(ucontext_t *from, const ucontext_t *to)
{
	swap_function *swap = library_calls.swap;

	if (!swap)
		*(void **)&swap = dlsym(RTLD_NEXT, "swapcontext");
	fathom_jump_to(to, (uintptr_t)__builtin_dwarf_cfa());
	return swap(from, to);
}

FATHOM_API int fathom_interposed_setcontext(const ucontext_t *to);
int fathom_interposed_setcontext(const ucontext_t *to)
{
	set_function *set = library_calls.set;

	if (!set)
		*(void **)&set = dlsym(RTLD_NEXT, "setcontext");
	fathom_jump_to(to, (uintptr_t)__builtin_dwarf_cfa());
	return set(to);
}

/* --- exceptions ------------------------------------------------------------------------------------ */

/* Of a library that was loaded later than we, and maybe for itself: what the code at caller meant. */
static void *meant_by(const void *caller, const char *name)
{
	void *found = dlsym(RTLD_NEXT, name), *library;
	Dl_info info;

	if (found || !dladdr(caller, &info))
		return found;
	library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	if (!library)
		return NULL;
	found = dlsym(library, name);
	dlclose(library);
	return found;
}

void fathom_event_unwind(uintptr_t here)
{
	fathom_frame_unwind(here);
}

FATHOM_API void *fathom_interposed___cxa_begin_catch(void *exception);
void *fathom_interposed___cxa_begin_catch(void *exception)
{
	catch_function *to = library_calls.begin_catch;

	fathom_frame_unwind((uintptr_t)__builtin_dwarf_cfa());
	if (!to)
		*(void **)&to = meant_by(__builtin_return_address(0), "__cxa_begin_catch");
	return to(exception);
}

/* The last that an exception's runtime says before a frame goes on. The context's CFA is that of the frame that was
 * called from there: where the stack pointer will be. */
FATHOM_API void fathom_interposed__Unwind_SetIP(struct _Unwind_Context *context, _Unwind_Ptr where);
void fathom_interposed__Unwind_SetIP(struct _Unwind_Context *context, _Unwind_Ptr where)
{
	land_function *to = library_calls.set_ip;
	where_function *get_cfa = library_calls.get_cfa;

	if (!to || !get_cfa) {
		*(void **)&to = meant_by(__builtin_return_address(0), "_Unwind_SetIP");
		*(void **)&get_cfa = meant_by(__builtin_return_address(0), "_Unwind_GetCFA");
	}
	if (get_cfa)
		fathom_frame_unwind((uintptr_t)get_cfa(context));
	to(context, where);
}
