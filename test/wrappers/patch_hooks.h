/* What patch_hooks.c counts, for patch_stress.cc and patch_subject.cc. */
#ifndef PATCH_HOOKS_H
#define PATCH_HOOKS_H

#ifdef __cplusplus
extern "C" {
#endif

struct patch_counts {
	long enters, exits;
};

struct patch_counts *patch_counts_here(void);	/* of the calling thread */
const void *patch_enter_code(void);
const void *patch_exit_code(void);

/* A function to be patched. */
struct patch_subject {
	const char *name;
	long (*call)(long n);		/* calls it */
	long (*plain)(long n);		/* what call has to return */
	long counts;			/* enters and exits of a call; 0: they differ */
	long stay;			/* those of them that are of inlined functions */
};

const struct patch_subject *patch_subjects(int *count);
const void *const *patch_functions(void);	/* in the same order: their addresses */
const void *const *patch_places(void);		/* and whose code they are in */

#ifdef __cplusplus
}
#endif
#endif
