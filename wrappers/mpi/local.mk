# wrappers/mpi
