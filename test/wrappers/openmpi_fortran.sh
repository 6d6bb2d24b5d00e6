#!/bin/sh
# What fortran.sh is for MPICH, with Open MPI: all bindings come to the wrappers by one library.
exec sh "${srcdir:-.}/test/wrappers/fortran.sh" openmpi
