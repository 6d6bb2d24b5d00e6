#!/bin/sh
# How many instructions an enter and its exit take, counted by callgrind, against the figures in doc/internals/performance.md: more than 5 per
# cent above them fails. (Instructions do not depend on what else the machine does.) Less is to be noted there.
. "${srcdir:?}/test/lib.sh" || exit 99
command -v valgrind > /dev/null || skip "no valgrind (Debian: valgrind)"
case $("$CC" -dumpmachine) in x86_64-*) ;; *) skip "the figures are those of x86-64" ;; esac
libs=$builddir/.libs
[ -e "$libs/libfathom.so" ] && [ -e "$libs/libfathom-compiler.so" ] || skip "no shared libraries"
nm -D "$libs/libfathom.so" | grep -Eq ' __(asan|tsan|ubsan|msan)_' && skip "built with a sanitizer"
cflags=$(sed -n 's/^CFLAGS = //p' "$builddir/Makefile")
case " $cflags " in *--coverage* | *-fprofile-arcs*) skip "built for coverage" ;; *" -O2 "*) ;;
*) skip "the figures are those of -O2: CFLAGS = $cflags" ;; esac
"$CC" --version | grep -q 'Free Software Foundation' && [ "$("$CC" -dumpversion)" = 12 ] ||
	skip "the figures are those of gcc 12"

from=$srcdir/test/bench
"$CC" -O2 "$from/region_calls.c" -o plain || die "cannot build region_calls"
"$CC" -O2 -finstrument-functions "$from/region_calls.c" -o measured -L"$libs" -Wl,-rpath,"$libs" -Wl,--no-as-needed \
	-lfathom-compiler -lfathom || die "cannot build region_calls"
"$CC" -O2 "$from/children.c" -o plain_children &&
	"$CC" -O2 -finstrument-functions "$from/children.c" -o children -L"$libs" -Wl,-rpath,"$libs" -Wl,--no-as-needed \
		-lfathom-compiler -lfathom || die "cannot build children"

# With hooks that the plugin puts in late, where there is a plugin.
FATHOM_INSTRUMENT_HOOKS=late FATHOM_INSTRUMENT_MIN_INSNS=0 "$FATHOM" gcc -O2 "$from/region_calls.c" -o late 2> late.err &&
	objdump -d late | grep -q '<__fathom_sled_enter>$' || rm -f late

# Valgrind counts the instructions of all threads: those of the thread that takes snapshots depend on when it runs.
FATHOM_SNAPSHOT=off
export FATHOM_SNAPSHOT

# count COMMAND CALLS: instructions of the whole run.
count() {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null ./$1 "$2" > out 2>&1 || { cat out >&2; return 1; }
	sed -n 's/.*Collected : \([0-9]*\).*/\1/p' out
}

# each COMMAND: hundredths of an instruction for each call. What comes before and after is in both runs.
calls=20000
each() {
	few=$(count "$1" $calls) && many=$(count "$1" $((calls * 6))) || return 1
	echo $(((many - few) * 100 / (calls * 5)))
}

base=$(each plain) || skip "valgrind cannot run here: $(tail -1 out)"
# check WHAT COMMAND SETTINGS...: against the line of that name; base is what the command takes without measurement, and
# another, if it is set, a second command of which the same is counted: the smaller count is compared.
another=
check() {
	what=$1 program=$2
	shift 2
	allowed=$(sed -n "s/^| $what | \([0-9.]*\) |.*/\1/p" "$srcdir/doc/internals/performance.md")
	[ -n "$allowed" ] || { bad "doc/internals/performance.md has no line '$what'"; return; }
	got=$(export "$@"; each "$program") || { bad "$what: valgrind failed"; return; }
	if [ -n "$another" ]; then
		other=$(export "$@"; each "$another") || { bad "$what: valgrind failed"; return; }
		[ "$other" -ge "$got" ] || got=$other
	fi
	echo "$what: $allowed noted, $(((got - base) / 100)).$(((got - base) % 100)) counted"
	awk -v allowed="$allowed" -v got="$((got - base))" 'BEGIN { exit !(got / 100 <= allowed * 1.05) }' ||
		bad "$what: $(((got - base) / 100)) instructions for an enter and its exit, $allowed are noted"
}
FATHOM_CLOCK=tsc ./measured 10 2> err
grep -q 'does not trust' err && skip "the processor's counter cannot be used as a clock here"
rm -rf fathom-*
check "profile" measured FATHOM_MODE=profile
# Counters that are refused leave nothing behind.
check "profile" measured FATHOM_MODE=profile FATHOM_METRICS=energy::99999-package
! has_part FATHOM_OVERHEAD || check "profile, with a budget" measured FATHOM_MODE=profile FATHOM_OVERHEAD=100%
check "nothing recorded" measured FATHOM_MODE=none
printf 'SCOREP_REGION_NAMES_BEGIN\nEXCLUDE *\nSCOREP_REGION_NAMES_END\n' > all.filter
check "left out, hooks stay" measured FATHOM_MODE=profile FATHOM_FILTER=all.filter FATHOM_PATCH=off
[ ! -e late ] || check "profile, late hooks" late FATHOM_MODE=profile
[ ! -e late ] || check "nothing recorded, late hooks" late FATHOM_MODE=none
if [ -e "$libs/libfathom-trace.so" ]; then
	check "trace, early hooks" measured FATHOM_MODE=trace
	[ ! -e late ] || check "trace, late hooks" late FATHOM_MODE=trace
	check "trace, granularity" measured FATHOM_MODE=trace FATHOM_TRACE_GRANULARITY=1s
	check "trace, outside of a window" measured FATHOM_MODE=trace FATHOM_TRACE_WINDOW=1000:
	calls=100000	# several chunks leave the ring in both runs
	check "trace, ring" measured FATHOM_MODE=trace FATHOM_TRACE_RING=1M
	calls=20000
	rm -rf fathom-*
fi
# The hooks' table (wrappers/compiler/hooks.c) is indexed by the lower bits of a function's address. If main, or the
# stand-in by which fathom measures its own cost, has the place of one of the 16 functions, that function's hooks take 150
# instructions more, which are 9 a call. Where the linker puts these decides, so 16 other functions are counted, too.
another="children 100+16 random"
base=$(each "plain_children 16 random") && check "profile, 16 children" "children 16 random" FATHOM_MODE=profile
another=

# MPI: what its own calls take is taken off. Without mpirun, which is a process by itself.
if [ -n "${MPICC:-}" ] && [ -e "$libs/libfathom-mpi.so" ]; then
	calls=2000
	"$MPICC" -O2 "$from/selfmsg.c" -o plain_selfmsg &&
		"$MPICC" -O2 "$from/selfmsg.c" -o selfmsg -L"$libs" -Wl,-rpath,"$libs" -Wl,--no-as-needed -lfathom-mpi -lfathom ||
		die "cannot build selfmsg"
	base=$(each plain_selfmsg) && check "profile, Irecv, Isend and Waitall to self" selfmsg FATHOM_MODE=profile
fi
verdict
