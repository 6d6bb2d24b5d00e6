#!/bin/sh
# The unwinder against known chains of calls, at every instruction of parts of a random walk (call_graph.cc) through
# functions of many kinds: compiled by GCC and clang with all levels of optimisation, with and without frame pointers, by
# link-time optimisation, in shared libraries and static programs. SAMPLES=1000000 makes the test longer, SEED another walk.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/sample/lib.sh"
: "${SAMPLES:=20000}" "${SEED:=1}"

here=$srcdir/test/sample
flags="-std=gnu++17 -g -D_GNU_SOURCE -I$srcdir/lib -I$here"
unit=0
objects=
# unit COMPILER FLAG...: compiles the next unit. The functions of units 10 and 11 are in shared libraries.
unit() {
	compiler=$1
	shift
	$compiler $flags -DUNIT=$unit "$@" -fPIC -c "$here/call_graph_unit.cc" -o unit$unit.o || die "$compiler $*"
	[ $unit -ge 10 ] || objects="$objects unit$unit.o"
	unit=$((unit + 1))
}
clang=$CXX
have clang++ && echo 'int main() {}' > main.cc && clang++ -x c++ main.cc -o main 2> /dev/null && clang=clang++
[ "$clang" = clang++ ] || left_out "units that clang compiles"
unit "$CXX" -O0 -DOTHER=10
unit "$CXX" -O2 -fPIE -DOTHER=10
unit "$CXX" -O3 -fPIE -fomit-frame-pointer -DOTHER=11
unit "$CXX" -O2 -fPIE -fno-omit-frame-pointer -DOTHER=11
unit $clang -O2 -fPIE -DOTHER=10
unit $clang -O0 -DOTHER=11
unit $clang -O3 -fPIE -fno-omit-frame-pointer -DOTHER=10
unit "$CXX" -O3 -fPIE -flto -DOTHER=11
unit "$CXX" -Os -fPIE -fstack-protector-all -fstack-clash-protection -fcf-protection -mno-red-zone -DOTHER=10
unit "$CXX" -O2 -fPIE -fno-plt -flto -DOTHER=11
unit "$CXX" -O2 -fcf-protection -DOTHER=11
unit $clang -O2 -DOTHER=10
$CXX -shared unit10.o -o libunit10.so || die "libunit10"
$CXX -shared unit11.o -o libunit11.so || die "libunit11"
$CXX $flags -O1 -fPIE -c "$here/call_graph.cc" || die "call_graph.cc"
unwinder unwinder -O2

# check WHAT COUNT: runs ./walk; no chain may be wrong, and at most one in 1000 partial.
check() {
	timeout -s KILL 600 ./walk "$2" "$SEED" > log 2>&1 || bad "$1: status $?: $(tail -n 30 log)"
	echo "$1: $(tail -n 1 log)"
	grep -q "^samples $2 .* wrong 0 " log || bad "$1: $(tail -n 3 log)"
}

$CXX -flto -O2 -pie call_graph.o $objects -L. -lunit10 -lunit11 -Wl,-rpath,"$work" unwinder.a -lpthread \
	-o walk || die "no program"
check "shared libraries" "$SAMPLES"

# A C library without _dl_find_object.
sed '/HAVE__DL_FIND_OBJECT/d' "$builddir/config.h" > config.h
unwinder listing -O2 -I.
nm listing.a | grep -q _dl_find_object && bad "the list of modules is not tested"
$CXX -flto -O2 -pie call_graph.o $objects -L. -lunit10 -lunit11 -Wl,-rpath,"$work" listing.a -lpthread -o walk || die "no program"
check "list of modules" $((SAMPLES / 10))

for kind in -static -static-pie; do
	if ! $CXX -flto -O2 $kind call_graph.o $objects unit10.o unit11.o unwinder.a -lpthread -o walk 2> err; then
		left_out "$kind: $(tail -n 1 err)"
		continue
	fi
	check "$kind" $((SAMPLES / 4))
done
verdict
