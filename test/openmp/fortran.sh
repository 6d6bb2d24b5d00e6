#!/bin/sh
# The constructs in Fortran, free and fixed form.
. "${srcdir:?}/test/openmp/lib.sh" || exit 99
need_openmp gfortran f90
need_opari

for file in constructs.f90 fixed.f; do
	name=${file%.*}
	both $name gfortran "$here/$file" && compare $name && expected pomp2 $name "$here/$file"
done
verdict
