/*
 * installation: the places of the parts of this fathom.
 *
 * All places are found from that of the running command itself, so that an installation may be moved as a whole, and a
 * build tree works without being installed.
 */
#ifndef FATHOM_DRIVER_INSTALLATION_H
#define FATHOM_DRIVER_INSTALLATION_H

struct fathom_installation {
	char *libraries;	/* folder of libfathom.so and its sibling libraries */
	char *headers;		/* folder that has fathom/fathom.h and the module for Fortran */
	char *plugin;		/* file for gcc's -fplugin= */
	char *tools;		/* folder of fathom-report and the other tools */
	char *self;		/* the command itself, links resolved */
};

/* Finds the places. Never fails: without /proc the configured folders are taken. */
void fathom_installation_find(struct fathom_installation *installation);
void fathom_installation_fini(struct fathom_installation *installation);

/* Returns the file that a shell would run for name: name itself if it contains a slash, otherwise the first match in
 * PATH that is not this command. The caller frees the result. NULL: none; errno is ENOENT or EACCES. */
char *fathom_installation_search(const struct fathom_installation *installation, const char *name);

#endif
