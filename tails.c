int MPI_Barrier(int), other(int), (*any)(int);
int waits(int x) { other(1); return MPI_Barrier(x); }
int shares(int x) { return MPI_Barrier(x) + 1; }
int goes_on(int x) { other(1); return other(x); }
int somewhere(int x) { other(1); return any(x); }
int steps(int x, int y) { other(y); return x ? steps(x - 1, y + x) : y; }
int main(void) { other(shares(2)); return other(3); }
