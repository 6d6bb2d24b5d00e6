/*
 * A file is written in very many small pieces, with calls of POSIX.
 * run: --io, profile
 * first: kind=file access, place=write
 */
#include <fcntl.h>
#include <unistd.h>

static void write_values(int file)
{
	double value = 1;

	for (int i = 0; i < 500000; i++)
		if (write(file, &value, sizeof(value)) != sizeof(value))
			break;
}

int main(void)
{
	int file = open("small_posix_writes.data", O_CREAT | O_WRONLY | O_TRUNC, 0600);

	if (file < 0)
		return 1;
	write_values(file);
	close(file);
	return unlink("small_posix_writes.data") != 0;
}
