#!/bin/sh
# Hooks are taken out of running code and put back, however the compiler calls them: alone, with exceptions and longjmp passing, in
# libraries that come and go, in forked children, while threads run the functions, and where a sanitizer watches.
. "${srcdir:?}/test/lib.sh" || exit 99
library=$builddir/.libs/libfathom-patch.so
[ -e "$library" ] || skip "no live patching (Debian: libzydis-dev; x86-64 only)"
from=$srcdir/test/wrappers
"$CC" -O1 -fPIC -shared -I"$from" "$from/patch_hooks.c" -o libhooks.so || die "cannot build the hooks"

# try NAME MILLISECONDS FLAGS...
try() {
	name=$1 milliseconds=$2
	shift 2
	"$CXX" "$@" -finstrument-functions -I"$from" -c "$from/patch_subject.cc" -o subject.o || die "$name: cannot compile"
	"$CXX" "$@" -I"$from" -I"$srcdir/lib" -I"$builddir" -c "$from/patch_stress.cc" -o stress.o || die "$name: cannot compile"
	"$CXX" "$@" stress.o subject.o -o stress -L. -lhooks -Wl,-rpath,"$PWD" -ldl -lpthread || die "$name: cannot link"
	set -- "$@" -fPIC
	"$CXX" "$@" -no-pie -finstrument-functions -I"$from" -shared "$from/patch_subject.cc" -o libsubject.so -L. -lhooks ||
		die "$name: cannot build the library"
	./stress "$library" "$milliseconds" ./libsubject.so > out 2>&1
	code=$?
	[ $code != 77 ] || skip "code cannot be changed here"
	[ $code = 0 ] || { bad "$name: exit code $code"; head -20 out; }
}

try "as compilers do" 700 -O2
try "not optimized" 0 -O0
try "without a linkage table" 300 -O2 -fno-plt
try "bound at the start, with landing marks" 0 -O2 -fcf-protection=full -Wl,-z,now
try "bound late" 0 -O2 -Wl,-z,lazy
try "not position-independent" 300 -O2 -no-pie -fno-pie
try "for size" 0 -Os

# Where code cannot be written through the file of memory, pages are made writable; where they cannot, nothing is patched.
"$CC" -O1 -fPIC -shared "$from/patch_refuse.c" -o librefuse.so || die "cannot build librefuse"
try "before pages" 0 -O2
LD_PRELOAD=$PWD/librefuse.so ./stress "$library" 200 ./libsubject.so > out 2>&1
code=$?
[ $code = 0 ] || { bad "by pages: exit code $code"; head -20 out; }
REFUSE=all LD_PRELOAD=$PWD/librefuse.so ./stress "$library" 0 > out 2>&1
same "refused" "77 code cannot be changed here" "$? $(cat out)"
for sanitizer in address,undefined thread; do
	echo 'int main(void) { return 0; }' > empty.cc
	"$CXX" -fsanitize=$sanitizer empty.cc -o empty 2> /dev/null && ./empty || continue
	try "sanitizer $sanitizer" 700 -O1 -g -fsanitize=$sanitizer
done
verdict
