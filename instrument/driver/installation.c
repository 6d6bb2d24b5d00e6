#define _GNU_SOURCE
#include "driver/installation.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/word_list.h"

/* Returns the directory of the running command. If /proc is not available, returns the configured directory. */
static char *own_folder(char **self)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash;

	if (length <= 0) {
		*self = fathom_text("%s/fathom", FATHOM_BINDIR);
		return fathom_text("%s", FATHOM_BINDIR);
	}
	path[length] = '\0';
	*self = fathom_text("%s", path);
	slash = strrchr(path, '/');
	*(slash == path ? slash + 1 : slash) = '\0';
	return fathom_text("%s", path);
}

static int is_folder(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Returns the present place of a configured directory, if FATHOM_BINDIR was moved to `bin`. The relative path between
 * the two directories is the same as between the configured ones. If no directory exists there, returns the configured
 * place. */
static char *moved(const char *bin, const char *configured)
{
	size_t same = 0;
	char *up, *path;

	for (size_t i = 0;; i++) {
		if ((FATHOM_BINDIR[i] == '/' || !FATHOM_BINDIR[i]) && (configured[i] == '/' || !configured[i]))
			same = i;
		if (!FATHOM_BINDIR[i] || FATHOM_BINDIR[i] != configured[i])
			break;
	}

	up = fathom_text("%s", bin);
	for (const char *rest = &FATHOM_BINDIR[same]; *rest; rest++) {
		char *slash = *rest == '/' ? strrchr(up, '/') : NULL;

		if (slash)
			*slash = '\0';
	}
	path = fathom_text("%s%s", up, configured + same);
	free(up);
	if (is_folder(path))
		return path;
	free(path);
	return fathom_text("%s", configured);
}

void fathom_installation_find(struct fathom_installation *installation)
{
	char *bin = own_folder(&installation->self);
	char *mark = fathom_text("%s/config.status", bin);

	if (access(mark, F_OK) == 0) {	/* the command runs in a build tree */
		installation->libraries = fathom_text("%s/.libs", bin);
		installation->headers = fathom_text("%s/include", bin);
		installation->plugin = fathom_text("%s/instrument/gcc-plugin/.libs/fathom_gcc_plugin.so", bin);
		installation->tools = fathom_text("%s", bin);
	} else {
		installation->libraries = moved(bin, FATHOM_LIBDIR);
		installation->headers = moved(bin, FATHOM_INCLUDEDIR);
		installation->plugin = fathom_text("%s/fathom/fathom_gcc_plugin.so", installation->libraries);
		installation->tools = moved(bin, FATHOM_PKGLIBEXECDIR);
	}
	free(mark);
	free(bin);
}

void fathom_installation_fini(struct fathom_installation *installation)
{
	free(installation->libraries);
	free(installation->headers);
	free(installation->plugin);
	free(installation->tools);
	free(installation->self);
}

/* Checks that path can be run. 0 or -errno. */
static int try_run(const struct fathom_installation *installation, const char *path, int itself_too)
{
	struct stat status, own;

	if (stat(path, &status))
		return -ENOENT;
	if (S_ISDIR(status.st_mode) || access(path, X_OK))
		return -EACCES;
	if (!itself_too && stat(installation->self, &own) == 0 && own.st_dev == status.st_dev &&
	    own.st_ino == status.st_ino)
		return -ENOENT;
	return 0;
}

char *fathom_installation_search(const struct fathom_installation *installation, const char *name)
{
	const char *path = getenv("PATH");
	int worst = ENOENT;

	if (strchr(name, '/')) {
		errno = -try_run(installation, name, 1);
		return errno ? NULL : fathom_text("%s", name);
	}
	if (!path)
		path = "/usr/local/bin:/usr/bin:/bin";
	for (;;) {
		const char *end = strchrnul(path, ':');
		char *file = end == path ? fathom_text("./%s", name)
					 : fathom_text("%.*s/%s", (int)(end - path), path, name);
		int err = try_run(installation, file, 0);

		if (!err)
			return file;
		free(file);
		if (err == -EACCES)
			worst = EACCES;
		if (!*end)
			break;
		path = end + 1;
	}
	errno = worst;
	return NULL;
}
