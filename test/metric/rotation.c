/*
 * rotation BURSTS PAGES: so many bursts, each of which uses so many pages of new memory and ends at a barrier.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

int main(int argc, char **argv)
{
	int bursts = argc > 2 ? atoi(argv[1]) : 1;
	size_t bytes = argc > 2 ? (size_t)atoi(argv[2]) * 4096 : 4096;
	volatile double sum = 0;

	MPI_Init(&argc, &argv);
	for (int i = 0; i < bursts; i++) {
		char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (memory == MAP_FAILED)
			return 1;
		madvise(memory, bytes, MADV_NOHUGEPAGE);
		for (size_t at = 0; at < bytes; at += 4096)
			memory[at] = 1;
		munmap(memory, bytes);
		for (int n = 0; n < 100000; n++)
			sum += n;
		MPI_Barrier(MPI_COMM_WORLD);
	}
	printf("%g\n", sum);
	return MPI_Finalize();
}
