#!/bin/bash
# Late hooks keep what a program does: results through every register, exit codes, ways that functions are left. And what is
# measured is right: visits, call paths, what is switched off and taken out while threads run it.
. "${srcdir:?}/test/lib.sh" || exit 99
need_part late-hooks
from=$srcdir/test/run/sleds
plugin=$builddir/.libs/fathom_gcc_plugin.so
case $("$CC" --version 2> /dev/null | head -1) in *clang* | "") skip "late hooks need GCC" ;; esac
export FATHOM_INSTRUMENT_HOOKS=late FATHOM_INSTRUMENT_MIN_INSNS=0
echo 'int f(int x) { return x + 1; } int main(void) { return f(-1); }' > probe.c
"$FATHOM" "$CC" -O2 -c probe.c -o probe.o > err 2>&1 || die "cannot build probe: $(cat err)"
nm probe.o | grep -q fathom_sled_enter || skip "no late hooks here (x86-64 with the GCC plugin only): $plugin"

# run PROGRAM SETTING... -- ARGUMENT...: what it says, and its exit code; removes what was measured before.
run() {
	local program=$1 settings=()
	shift
	while [ $# -gt 0 ] && [ "$1" != -- ]; do settings+=("$1"); shift; done
	[ $# = 0 ] || shift
	rm -rf fathom-*
	env "${settings[@]}" "$program" "$@" 2> err
	echo "exit $?"
}

# --- all registers, in every state that hooks are in ---------------------------------------------------
printf 'exclude *\n' > nothing.filter
printf 'exclude general keeps* little*\ninclude *\n' > few.filter
registers() {
	local name=$1 flags=$2 expected few
	# shellcheck disable=SC2086
	"$CC" -O2 $flags "$from/registers.c" -o "plain-registers$name" || die "cannot build registers.c"
	# shellcheck disable=SC2086
	"$FATHOM" "$CC" -O2 $flags "$from/registers.c" -o "late-registers$name" 2> err || die "cannot build registers.c: $(cat err)"
	expected=$(./"plain-registers$name" 3000; echo "exit $?")
	few=$(./"plain-registers$name" 1; echo "exit $?")
	contains "registers$name: nothing lost without hooks" "$expected" 'lost -1$'
	same "registers$name, first calls" "$few" "$(run "./late-registers$name" -- 1)"
	for setting in "${@:3}"; do
		case $setting in *trace*) have_traces || continue ;; esac
		# shellcheck disable=SC2086
		same "registers$name, $setting" "$expected" "$(run "./late-registers$name" $setting -- 3000)"
		grep -Eq 'not known|allowed|unknown' err && bad "registers$name, $setting: $(cat err)"
	done
}
registers "" "" FATHOM_MODE=profile FATHOM_MODE=trace FATHOM_MODE=profile,trace FATHOM_MODE=none FATHOM_METRICS=rusage::minflt \
	FATHOM_BURSTS=on "FATHOM_BURSTS=on FATHOM_METRICS=rusage::minflt FATHOM_MODE=profile,trace" \
	"FATHOM_MODE=trace FATHOM_METRICS=rusage::minflt" "FATHOM_MODE=trace FATHOM_TRACE_MEMORY=1M" FATHOM_RECURSION=fold \
	"FATHOM_MODE=trace FATHOM_TRACE_REPEAT=1" "FATHOM_MODE=trace FATHOM_TRACE_GRANULARITY=1us" "FATHOM_MODE=profile,trace FATHOM_TRACE_GRANULARITY=1s" \
	FATHOM_CLOCK=monotonic "$(budget 1%)" "$(budget 1%) FATHOM_PATCH=off" "$(budget 1%) FATHOM_RECURSION=fold" \
	FATHOM_FILTER=nothing.filter "FATHOM_FILTER=nothing.filter FATHOM_PATCH=off" FATHOM_FILTER=few.filter FATHOM_NODES=10 \
	FATHOM_METRICS=perf::PAGE-FAULTS "FATHOM_METRICS=perf::PAGE-FAULTS,proc::rchar FATHOM_METRICS_MULTIPLEX=on"
wide=(FATHOM_MODE=profile "FATHOM_MODE=trace FATHOM_TRACE_MEMORY=1M" FATHOM_METRICS=rusage::minflt FATHOM_CLOCK=monotonic "$(budget 1%)"
	FATHOM_METRICS=perf::PAGE-FAULTS "FATHOM_METRICS=perf::PAGE-FAULTS,proc::rchar FATHOM_METRICS_MULTIPLEX=on")
if grep -qw avx512f /proc/cpuinfo; then
	registers -widest -mavx512f "${wide[@]}"
elif grep -qw avx /proc/cpuinfo; then
	registers -wide -mavx "${wide[@]}"
fi

# --- ways out of functions --------------------------------------------------------------------------
# measured: the profile of what ran last
measured() { profile=$(experiment)/profile.cubex; check_profile "$profile"; values visits "$profile" > visits; }
balanced() { "$builddir/test/run/dump" -s "$profile" | grep -q unbalanced && bad "$1: unbalanced exits"; }
# visited PATH VISITS
visited() { same "$what: $1" "$2" "$(awk -v p="$program/main$1" '{ v = $1; sub(/^[^ ]+ /, ""); if ($0 == p) s = v } END { print s + 0 }' visits)"; }
# all NAME: the visits of a function, wherever it was called
all() { awk -v n="/$1" '{ v = $1; sub(/^[^ ]+ /, ""); if (substr($0, length($0) - length(n) + 1) == n) s += v } END { print s + 0 }' visits; }
paths() {
	what=$1
	for line in "/catches() 10" "/catches()/passes(int)/throws(int)/throws(int)/throws(int)/throws(int) 10" "/catches()/after() 20" \
		"/catches_again()/again()/passes(int)/throws(int)/throws(int) 10" "/catches_again()/again()/after() 10" \
		"/catches_again()/after() 10" "/loops() 10" "/loops()/leaves(int)/leaves(int)/leaves(int) 50" "/loops()/after() 10" \
		"/jumper() 10" "/jumper()/jumped_to()/last() 10" "/last() 1" "/interrupted()/on_signal(int)/handled() 10" "/interrupted()/after() 10" \
		"/deep(long) 10" "/mostly(int) 10" "/mostly(int)/last() 1" "/int space::twice<int>(int) 10"; do
		visited "${line% *}" "${line##* }"
	done
	same "$what: deepest" 410 "$(all "deep(long)")"
}
"$CXX" -O2 -g "$from/paths.cc" -o plain 2> err || die "cannot build paths.cc: $(cat err)"
expected=$(./plain; echo "exit $?")
# Where static programs can be linked, or what unwinds: there the linker leads jumps and exceptions to us.
static=()
"$FATHOM" "$CXX" -O2 -static "$from/paths.cc" -o late 2> /dev/null && static=(-static -static-pie "-static-libgcc -static-libstdc++")
for flags in "${static[@]}" "" "-fcf-protection=full -fno-plt" "-mfunction-return=thunk -fno-pie -no-pie"; do
	program=late
	# shellcheck disable=SC2086
	"$FATHOM" "$CXX" -O2 -g $flags "$from/paths.cc" -o late 2> err || die "cannot build paths.cc $flags: $(cat err)"
	same "paths $flags" "$expected" "$(run ./late)"
	measured
	paths "paths $flags"
	# A destructor that an exception calls is called by the frame that is left.
	for left in /catches /catches\(\)/passes\(int\)/throws /catches\(\)/passes\(int\)/throws\(int\)/throws; do
		visited "$left"'()/cleaning(int)' "$([ $left = /catches ] && echo 10 || echo 0)"
		[ $left = /catches ] || visited "$left(int)/cleaning(int)" 10
	done
	balanced "paths $flags"
done
if have_traces; then
	same "paths, traced" "$expected" "$(run ./late FATHOM_MODE=trace)"
	"$builddir/fathom-check" "$(experiment)" > out 2>&1 || bad "paths: the trace is not sound: $(head -5 out)"
	same "paths, traced with pending enters" "$expected" "$(run ./late FATHOM_MODE=trace FATHOM_TRACE_GRANULARITY=1s)"
	"$builddir/fathom-check" "$(experiment)" > out 2>&1 || bad "paths: the trace with pending enters is not sound: $(head -5 out)"
	same "paths, a trace that is limited" "$expected" "$(run ./late FATHOM_MODE=profile,trace FATHOM_TRACE_LIMIT=2000)"
	measured
	balanced "paths, a trace that is limited"
	what="a trace that is limited" visited "/catches()/after()" 20
fi
same "paths, by the system's clock" "$expected" "$(run ./late FATHOM_CLOCK=monotonic)"
measured
paths "by the system's clock"
balanced "by the system's clock"

# --- threads, while functions are switched off ------------------------------------------------------------
"$CXX" -O2 -pthread "$from/threads.cc" -o plain || die "cannot build threads.cc"
expected=$(./plain 100; echo "exit $?")
for flags in "-O2" "-O2 -mfunction-return=thunk-inline -fcf-protection=none" "-O0"; do
	has_part FATHOM_OVERHEAD || break
	# shellcheck disable=SC2086
	"$FATHOM" "$CXX" $flags -pthread "$from/threads.cc" -o late 2> err || die "cannot build threads.cc: $(cat err)"
	for setting in FATHOM_OVERHEAD=1% "FATHOM_OVERHEAD=1% FATHOM_PATCH=off" "FATHOM_OVERHEAD=5% FATHOM_MODE=trace"; do
		[ "$flags" = -O2 ] || [ "$setting" = FATHOM_OVERHEAD=1% ] || continue
		case $setting in *trace*) have_traces || continue ;; esac
		# shellcheck disable=SC2086
		same "threads $flags $setting" "$expected" "$(run ./late FATHOM_VERBOSE=1 $setting -- 100)"
		grep -q 'functions disabled' err || bad "threads $flags $setting: nothing was switched off"
		grep -q 'came without an enter' err && bad "threads $flags $setting: $(cat err)"
		[ -e "$(experiment)/profile.cubex" ] || continue
		measured
		same "threads $flags $setting: work" 20 "$(all "work()")"
		same "threads $flags $setting: run" 4 "$(all "run(job*)")"
	done
done

# --- libraries, OpenMP, Fortran; and bad ends ------------------------------------------------------------
"$FATHOM" "$CXX" -O2 -fPIC -shared "$from/library.cc" -o libshared.so 2> err || die "cannot build library.cc: $(cat err)"
for flags in "" "-fopenmp"; do
	what="ends $flags" program=late
	# shellcheck disable=SC2086
	"$FATHOM" "$CC" -O2 -g $flags "$from/ends.c" -o late 2> err || die "cannot build ends.c: $(cat err)"
	same "$what" "315 1499500
exit 5" "$(run ./late)"
	measured
	visited /call_library 9
	visited '/call_library/throws(int)/guard::~guard()' 9
	[ -z "$flags" ] || ! have opari2 || same "$what: share" 1000 "$(all share)"
	balanced "$what"
done
same "ends by a signal" "315 1499500
exit 139" "$(run ./late -- now)"
measured
visited /outer/inner 1
if have valgrind; then
	same "under valgrind" "$(./plain-registers 2; echo "exit $?")" "$(run valgrind -- -q --error-exitcode=99 ./late-registers 2)"
fi
if have "$FC"; then
	"$FC" -O2 -fno-inline "$from/calls.f90" -o plain && "$FATHOM" "$FC" -O2 -fno-inline "$from/calls.f90" -o late 2> err || die "cannot build calls.f90: $(cat err)"
	same "Fortran" "$(./plain; echo "exit $?")" "$(run ./late)"
	measured
	same "Fortran: visits" "10 10" "$(all steps::down) $(all steps::scaled)"
fi
if "$FATHOM" "$CC" -O2 -static "$from/registers.c" -o static 2> err; then
	same "static" "$(./plain-registers 50; echo "exit $?")" "$(run ./static -- 50)"
	program=static what=static
	measured
	visited /lost/nothing 50
	visited /once/keeps/little 50
	visited /once/jumps_directly/jumps/keeps/little 50
fi
if "$CXX" -fsanitize=address,undefined probe.c -o probe 2> /dev/null && ./probe; then
	for source in registers.c paths.cc; do
		compiler=$CC
		[ $source = registers.c ] || compiler=$CXX
		"$compiler" -O1 -g -fsanitize=address,undefined "$from/$source" -o plain 2> err &&
			"$FATHOM" "$compiler" -O1 -g -fsanitize=address,undefined "$from/$source" -o late 2> err || die "cannot build $source: $(cat err)"
		same "$source, sanitized" "$(./plain 100; echo "exit $?")" "$(run ./late -- 100)"
		grep -q 'runtime error\|AddressSanitizer' err && bad "$source, sanitized: $(cat err)"
	done
fi
# TSan in the program has nothing to say of what our libraries do, and says what it would of the program's own race.
cat > race.cc <<'EOC'
#include <thread>
static int sum;
template <int N> __attribute__((noinline)) void work(volatile int *p) { for (int i = 0; i < 9; i++) *p += N; }
template <int N> void all(volatile int *p) { work<N + 1>(p); work<N + 2>(p); work<N + 3>(p); work<N + 4>(p); }
int main(int argc, char **) { int own = 0, other = 0; std::thread t([&] { all<0>(argc > 1 ? &sum : &other); }); all<4>(argc > 1 ? &sum : &own); t.join(); return own < other; }
EOC
if "$CXX" -O1 -g -pthread -fsanitize=thread race.cc -o plain 2> /dev/null && ./plain; then
	"$FATHOM" "$CXX" -O1 -g -pthread -fsanitize=thread race.cc -o late || die "cannot build race.cc"
	for i in 1 2 3 4; do same "TSan" "exit 0" "$(run ./late)"; grep 'ThreadSanitizer' err && bad "TSan: $(grep SUMMARY err)"; done
	same "TSan, with a race" "exit 66" "$(run ./late -- 1)"
fi
verdict
