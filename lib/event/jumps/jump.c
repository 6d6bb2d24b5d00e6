/*
 * jump: longjmp and exceptions leave regions without an exit. The functions here end these regions at once.
 *
 * Each of the interposed functions knows the stack pointer after the jump: longjmp from its jmp_buf, the begin of a
 * catch from its own caller, and an exception that stops at a frame, for a clean-up or a catch, from the context that
 * the C++ runtime passes. The regions that were entered with a lower stack pointer end. (On processors on which
 * jmp_buf cannot be read, the next event that finds the stack pointer above that of a region ends the region; this is
 * less exact.)
 *
 * In the shared library, fathom_interposed_NAME has the name NAME (lib/local.mk). For static programs see
 * jump_static.c.
 */
#include "event/jumps/jump.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unwind.h>

#include "event/frame.h"
#include "event/jumps/coroutine.h"

/* noreturn: before a call of such a function, AddressSanitizer forgets what it knows about the stack. */
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

/* The functions are looked up at the start, because a signal handler must not call dlsym. */
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

/* Returns the stack pointer after a jump with buffer; 0: not known. */
static uintptr_t target_of(const struct __jmp_buf_tag *buffer)
{
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__ILP32__)
	uintptr_t mangled = (uintptr_t)buffer->__jmpbuf[6];
	uintptr_t guard;

	/* The C library stores the stack pointer combined with a secret of the thread, and rotated by 17 bits. */
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

/* to: the function of the C library with this name. It is NULL before the start, when the constructor of another
 * library runs before ours. */
static __attribute__((noreturn)) void jump(jump_function to, const char *name, struct __jmp_buf_tag *buffer, int value)
{
	fathom_jump_by(buffer);
	if (!to)
		*(void **)&to = dlsym(RTLD_NEXT, name);
	if (!to)
		abort();	/* the C library has no such function, so the program cannot have called it */
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

/* With _FORTIFY_SOURCE the compiler calls __longjmp_chk instead of the three functions above. */
FATHOM_API void fathom_interposed___longjmp_chk(struct __jmp_buf_tag buffer[1], int value) __attribute__((noreturn));
void fathom_interposed___longjmp_chk(struct __jmp_buf_tag buffer[1], int value)
{
	jump(library_calls.longjmp_chk, "__longjmp_chk", buffer, value);
}

/* --- other stacks ---------------------------------------------------------------------------------- */

/* Returns the stack pointer of context; 0: not known. */
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

/* Returns the function name of a library that was loaded after this one, perhaps with RTLD_LOCAL: looks first behind
 * this library, and then in the library that contains caller and in its dependencies. */
static void *find_function(const void *caller, const char *name)
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
		*(void **)&to = find_function(__builtin_return_address(0), "__cxa_begin_catch");
	return to(exception);
}

/* The last function that the exception's runtime calls before a frame continues. At this moment the CFA of context is
 * that of the function called by this frame: the frame's stack pointer when it continues. */
FATHOM_API void fathom_interposed__Unwind_SetIP(struct _Unwind_Context *context, _Unwind_Ptr where);
void fathom_interposed__Unwind_SetIP(struct _Unwind_Context *context, _Unwind_Ptr where)
{
	land_function *to = library_calls.set_ip;
	where_function *get_cfa = library_calls.get_cfa;

	if (!to || !get_cfa) {
		*(void **)&to = find_function(__builtin_return_address(0), "_Unwind_SetIP");
		*(void **)&get_cfa = find_function(__builtin_return_address(0), "_Unwind_GetCFA");
	}
	if (get_cfa)
		fathom_frame_unwind((uintptr_t)get_cfa(context));
	to(context, where);
}
