/*
 * program_file: what kind of file a program is, as far as preloading into it goes.
 */
#ifndef FATHOM_DRIVER_PROGRAM_FILE_H
#define FATHOM_DRIVER_PROGRAM_FILE_H

struct fathom_program {
	int is_elf;		/* else a script */
	int is_foreign;		/* for another kind of processor than this command */
	int is_static;		/* starts without the dynamic linker */
	int has_fathom;		/* libfathom is linked in */
	char sanitizer[64];	/* library that insists on being the first loaded, or "" */
};

/* 0 or -errno: the file cannot be read. A damaged file counts as a script: exec will tell. */
int fathom_program_read(struct fathom_program *program, const char *path);

#endif
