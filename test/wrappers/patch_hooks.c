/* Hooks in a library of their own, as a program calls those of fathom: they count for each thread. */
#include "patch_hooks.h"

_Thread_local struct patch_counts patch_counts;

/* The code itself, not an entry of the program's procedure linkage table that stands for it. */
static __attribute__((used)) void count_enter(void *function, void *call_site) __asm__("count_enter");
static void count_enter(void *function, void *call_site)
{
	(void)function, (void)call_site;
	patch_counts.enters++;
}

static __attribute__((used)) void count_exit(void *function, void *call_site) __asm__("count_exit");
static void count_exit(void *function, void *call_site)
{
	(void)function, (void)call_site;
	patch_counts.exits++;
}

void __cyg_profile_func_enter(void *function, void *call_site) __attribute__((alias("count_enter")));
void __cyg_profile_func_exit(void *function, void *call_site) __attribute__((alias("count_exit")));

struct patch_counts *patch_counts_here(void)
{
	return &patch_counts;
}

const void *patch_enter_code(void)
{
	return (const void *)count_enter;
}

const void *patch_exit_code(void)
{
	return (const void *)count_exit;
}
