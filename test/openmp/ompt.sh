#!/bin/sh
# The same programs with clang, on LLVM's runtime system, which tells fathom what happens (OMPT).
. "${srcdir:?}/test/openmp/lib.sh" || exit 99
need_openmp clang c

for name in constructs nesting tasks; do
	both $name clang "$here/$name.c" -fopenmp-version=51 && compare $name && expected ompt $name "$here/$name.c"
done
both endings clang "$here/endings.c" && for run in cancel exit exit-worker _exit abort exit-busy raise timer idle; do
	compare endings $run && expected ompt endings "$here/endings.c" $run
done
if have clang++; then
	both objects clang++ "$here/objects.cc" && compare objects && expected ompt objects "$here/objects.cc"
fi
verdict
