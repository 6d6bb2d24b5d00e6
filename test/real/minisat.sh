#!/bin/sh
# MiniSat, C++ templates: linked with -static, so that the measurement must be linked in as well, and
# ended by exit inside main; then as a dynamic program with a library of its own.
. "${srcdir:?}/test/real/lib.sh"
command -v "$CXX" > /dev/null || skip "no C++ compiler"
printf '#include <zlib.h>\n' | "$CXX" -E -x c++ - > /dev/null 2>&1 || skip "no zlib.h (Debian: zlib1g-dev)"
fetch minisat2 plain default all gcov

# The names of the format macros stick to the strings, which C++11 took for something else; the cast is
# a friend declared with a default argument. Both as Debian does it.
for copy in plain default all gcov; do
	sed -i 's/-D __STDC_FORMAT_MACROS/& -std=gnu++98/' $copy/Makefile
done
build plain make r
build default make r CXX="$(with_fathom g++)"
all_functions build all make r CXX="$(with_fathom g++)"
build gcov make r CXX="$(counting g++)"
