/*
 * program_file: reads from the file of a program what preloading libraries into the program depends on.
 */
#ifndef FATHOM_DRIVER_PROGRAM_FILE_H
#define FATHOM_DRIVER_PROGRAM_FILE_H

struct fathom_program {
	int is_elf;		/* else a script */
	int is_foreign;		/* for another kind of processor than this command */
	int is_static;		/* starts without the dynamic linker */
	int has_fathom;		/* libfathom is linked in */
	char sanitizer[64];	/* a sanitizer's library, which must be loaded first, or "" */
};

/* Reads a file. 0, or -errno: it cannot be read. A damaged file counts as a script: exec will report the damage. */
int fathom_program_read(struct fathom_program *program, const char *path);

#endif
