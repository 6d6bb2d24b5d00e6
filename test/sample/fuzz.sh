#!/bin/sh
# Random registers and stacks for the unwinder, in builds with sanitizers by each compiler: FUZZ_RUNS=1000000 FUZZ_SEED=2
# makes more and other ones.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/sample/lib.sh"
pkg-config cmocka 2> /dev/null || skip "no cmocka (Debian: libcmocka-dev)"
export FUZZ_RUNS="${FUZZ_RUNS:-20000}" ASAN_OPTIONS=detect_leaks=0

tested=
for compiler in gcc clang; do
	have $compiler || continue
	checks="-O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined"
	echo 'int main(void) { return 0; }' > main.c
	$compiler $checks main.c -o main 2> /dev/null && ./main || { left_out "$compiler: it has no sanitizers"; continue; }
	CC=$compiler unwinder unwinder-$compiler $checks
	$compiler -std=gnu11 -g -D_GNU_SOURCE $checks -I"$srcdir/lib" -I"$srcdir/test/unit/support" \
		"$srcdir/test/unit/sample/test_unwind.c" unwinder-$compiler.a $(pkg-config --cflags --libs cmocka) -o test_unwind ||
		die "$compiler: test_unwind.c"
	timeout -s KILL 600 ./test_unwind > log 2>&1 || bad "$compiler: status $?: $(grep -v -e ' OK ' -e ' RUN ' log | tail -n 30)"
	tested=$tested$compiler
done
[ -n "$tested" ] || skip "no compiler with sanitizers"
verdict
