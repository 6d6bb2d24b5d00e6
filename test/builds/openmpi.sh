#!/bin/sh
# What instrument/mpi.sh is for MPICH, with Open MPI: the driver takes its wrappers, however a program comes to its MPI.
exec sh "${srcdir:-.}/test/instrument/mpi.sh" openmpi
