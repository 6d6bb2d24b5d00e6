#!/bin/sh
# C++: copied objects, exceptions, templates, lambdas; combined directives, macros and headers with directives.
. "${srcdir:?}/test/openmp/lib.sh" || exit 99
need_openmp g++ cc
need_opari

for name in objects traps; do
	both $name g++ "$here/$name.cc" && compare $name && expected pomp2 $name "$here/$name.cc"
done
verdict
