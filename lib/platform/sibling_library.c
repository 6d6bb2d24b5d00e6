#include "platform/sibling_library.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* The directory of this library, with a slash at the end. If it is unknown, the text is empty, and the loader searches
 * the directories in which it searches all libraries. */
static char directory[4096];

void fathom_sibling_library_start(void)
{
	const char *slash;
	size_t length, begin = 0;
	Dl_info own;

	if (!dladdr((void *)(uintptr_t)fathom_sibling_library_start, &own) || !own.dli_fname)
		return;
	slash = strrchr(own.dli_fname, '/');
	if (!slash)
		return;
	/* The loader reports a relative path, for example if LD_LIBRARY_PATH has a relative directory. */
	if (*own.dli_fname != '/') {
		if (!getcwd(directory, sizeof(directory) - 1)) {
			*directory = '\0';
			return;
		}
		begin = strlen(directory);
		directory[begin++] = '/';
	}
	length = (size_t)(slash - own.dli_fname) + 1;
	if (begin + length >= sizeof(directory))
		begin = length = 0;
	memcpy(directory + begin, own.dli_fname, length);
	directory[begin + length] = '\0';
}

void *fathom_sibling_library_symbol(const char *library, const char *symbol)
{
	size_t length = strlen(directory), more = strlen(library) + 1;
	char path[sizeof(directory)];
	void *handle;

	if (length + more > sizeof(path))
		return NULL;
	memcpy(path, directory, length);
	memcpy(path + length, library, more);
	handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
	return handle ? dlsym(handle, symbol) : NULL;
}
