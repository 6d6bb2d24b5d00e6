#!/bin/sh
# The unwinder in instrumented functions: at every instruction of sleds, hooks and the core, in parts of the random walk
# of call_graph.cc.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/sample/lib.sh"
nm "$builddir/.libs/libcore.a" 2> /dev/null | grep -Eq ' U __(asan|tsan|ubsan)_' &&
	skip "built with a sanitizer, which has handlers of its own"
: "${SAMPLES:=20000}" "${SEED:=1}"

here=$srcdir/test/sample
flags="-std=gnu++17 -g -D_GNU_SOURCE -I$srcdir/lib -I$here"
unwinder unwinder -O2
$CXX $flags -O1 -fPIE -c "$here/call_graph.cc" || die "call_graph.cc"
# unit NUMBER OTHER HOOKS FLAG...
unit() {
	number=$1 other=$2 hooks=$3
	shift 3
	FATHOM_INSTRUMENT_HOOKS=$hooks FATHOM_INSTRUMENT_MIN_INSNS=0 "$FATHOM" "$CXX" $flags -DUNIT="$number" -DOTHER="$other" "$@" \
		-fPIC -c "$here/call_graph_unit.cc" -o "unit$number.o" || die "unit $number"
}
late=$(late_hooks)
unit 0 11 "$late" -O2
unit 1 10 "$late" -O0
unit 10 11 "$late" -O3 -fcf-protection
unit 11 10 early -O2
[ "$late" = early ] || nm unit0.o | grep -q fathom_sled_enter || bad "unit 0 has no sleds"
nm unit11.o | grep -q __cyg_profile_func_enter || bad "unit 11 has no hooks"
for number in 10 11; do
	"$FATHOM" "$CXX" -shared unit$number.o -o libunit$number.so || die "libunit$number"
done
"$FATHOM" "$CXX" -pie call_graph.o unit0.o unit1.o -L. -lunit10 -lunit11 -Wl,-rpath,"$work" unwinder.a -lpthread -o walk ||
	die "no program"

# check WHAT SETTING...
check() {
	what=$1
	shift
	env FATHOM_DIR="$work/experiment-$what" "$@" timeout -s KILL 600 ./walk "$SAMPLES" "$SEED" > log 2>&1 ||
		bad "$what: status $?: $(tail -n 30 log)"
	echo "$what: $(grep '^samples' log)"
	grep -q "^samples $SAMPLES .* wrong 0 " log || bad "$what: $(tail -n 3 log)"
	inside=$(sed -n 's/.* in_libraries \([0-9]*\) .*/\1/p' log)
	[ "${inside:-0}" -gt $((SAMPLES / 50)) ] || bad "$what: only ${inside:-0} samples inside of fathom"
}
check profile FATHOM_MODE=profile
check none FATHOM_MODE=none
verdict
