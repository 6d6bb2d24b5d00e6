#include "comm/comm.h"

int fathom_comm_tree(int rank, int size, int *parent, int children[32])
{
	int count = 0;
	unsigned bit = 1;

	/* The lowest set bit of a rank is the size of its subtree; the rank without this bit is its parent. */
	*parent = rank ? rank & (rank - 1) : -1;
	for (; (rank & (int)bit) == 0 && rank + (int64_t)bit < size; bit <<= 1)
		children[count++] = rank + (int)bit;
	return count;
}
