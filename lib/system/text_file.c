#include "system/text_file.h"

#include <fcntl.h>
#include <unistd.h>

bool fathom_text_file_read(const char *path, char *text, size_t bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, text, bytes - 1);
	close(fd);
	text[got > 0 ? got : 0] = '\0';
	return got > 0;
}
