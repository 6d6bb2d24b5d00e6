/* Each call of calls.txt, some with errors; what it prints is the same with and without measurement. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static void say(const char *what, long value)
{
	printf("%s %ld %s\n", what, value, value < 0 ? strerror(errno) : "");
}

__attribute__((noinline, format(printf, 2, 3))) static int print(FILE *file, const char *format, ...)
{
	va_list list;
	int count;

	va_start(list, format);
	count = vfprintf(file, format, list);
	va_end(list);
	return count;
}

__attribute__((noinline)) static void use_posix(void)
{
	char buffer[64];
	struct iovec parts[2] = { { buffer, 10 }, { buffer + 10, 20 } };
	struct stat status;
	int file = open("posix.dat", O_RDWR | O_CREAT | O_TRUNC, 0640);

	fstat(file, &status);
	say("mode", status.st_mode & 0777);
	say("write", write(file, "0123456789", 10));
	say("pwrite", pwrite(file, "abcde", 5, 10));
	memset(buffer, 'x', sizeof(buffer));
	say("writev", writev(file, parts, 2));
	say("pwritev", pwritev(file, parts, 2, 100));
	say("fsync", fsync(file));
	say("fdatasync", fdatasync(file));
	say("lseek", lseek(file, 0, SEEK_SET));
	say("read", read(file, buffer, 10));
	say("pread", pread(file, buffer, 5, 10));
	say("readv", readv(file, parts, 2));
	say("preadv", preadv(file, parts, 2, 0));
	say("close", close(file));
	errno = 0;
	say("close again", close(file));
	say("read closed", read(file, buffer, 10));
	say("open nothing", open("/nonexistent/file", O_RDONLY));
	file = openat(AT_FDCWD, "posix.dat", O_RDONLY);
	say("write read-only", write(file, "x", 1));
	close(file);
	file = creat("created.dat", 0600);
	close(file);
}

__attribute__((noinline)) static void use_stdio(void)
{
	char text[64], *line = NULL;
	size_t room = 0;
	FILE *file = fopen("stdio.dat", "w+");

	say("fwrite", (long)fwrite("0123456789", 2, 5, file));
	say("fputs", fputs("text\n", file) >= 0);
	say("fprintf", fprintf(file, "%d\n", 12345));
	say("vfprintf", print(file, "%s\n", "list"));
	say("fflush", fflush(file));
	say("fseek", fseek(file, 0, SEEK_SET));
	say("fread", (long)fread(text, 2, 5, file));
	say("fgets", fgets(text, sizeof(text), file) != NULL);
	say("getline", getline(&line, &room, file));
	free(line);
	say("fclose", fclose(file));
	say("fopen nothing", fopen("/nonexistent/file", "r") ? 1 : -1);
	errno = EPERM;
	printf("errno is %m\n");
	puts("end");
}

int main(void)
{
	use_posix();
	use_stdio();
	return 0;
}
