#!/bin/sh
# Zstandard, C, by CMake: functions that must be inlined, assembler, and threads.
. "${srcdir:?}/test/real/lib.sh"
command -v cmake > /dev/null || skip "no cmake"
fetch libzstd plain fathom

# zstd DIRECTORY COMPILER
zstd() {
	build "$1" cmake -S build/cmake -B made -DCMAKE_C_COMPILER="$2" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DZSTD_BUILD_SHARED=OFF \
		-DZSTD_PROGRAMS_LINK_SHARED=OFF
	build "$1" cmake --build made --target zstd -j 2
}
timed "plain: build" zstd plain "$CC"
timed "fathom: build" zstd fathom "$(counting_too gcc)"

cat plain/lib/*/*.[ch] plain/made/programs/zstd > data
for threads in 1 2; do
	for kind in plain fathom; do
		timed "$kind, $threads threads" $kind/made/programs/zstd -q -9 -T$threads -c data > $kind.zst 2> $kind.err || bad "$kind: exit code $?"
		cmp plain.zst $kind.zst || bad "$kind: compresses to something else"
	done
	profile_of .
	if [ $threads -eq 1 ]; then
		calls_counted fathom counts
		visits_equal some "$profile" counts
	else
		[ "$("$builddir/test/run/dump" -s "$profile" | grep -c '^location')" -ge 2 ] || bad "the threads are not in the profile"
	fi
done
fathom/made/programs/zstd -q -dc plain.zst 2> /dev/null | cmp - data || bad "does not come back as it was"
verdict
