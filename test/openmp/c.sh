#!/bin/sh
# The constructs in C, by themselves, nested, with tasks; ways out of them that are not their end.
. "${srcdir:?}/test/openmp/lib.sh" || exit 99
need_openmp gcc c
need_opari

for name in constructs nesting tasks; do
	both $name gcc "$here/$name.c" && compare $name && expected pomp2 $name "$here/$name.c"
done
both endings gcc "$here/endings.c" && for run in cancel exit exit-worker _exit abort exit-busy raise timer idle; do
	compare endings $run && expected pomp2 endings "$here/endings.c" $run
done
verdict
