#!/bin/sh
# FATHOM_OVERHEAD: what is called most and does least is switched off while the program runs, and said; what leads to
# something that stays does not, nor do callers' times change. Alone, with threads, with recursion, as a trace.
. "${srcdir:?}/test/lib.sh" || exit 99
need_part FATHOM_OVERHEAD

cat > noisy.c <<'C'
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local volatile long sink;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void leaf(void) { sink++; }
static long deep(long n) { return n > 0 ? 1 + deep(n - 1) : 0; }
static void inner(void) { leaf(); leaf(); sink += deep(3); }
static void leads_to_lock(void) { pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); }
static void leads_to_work(long i);
static void work(void) { for (int i = 0; i < 100000; i++) sink += i; }
static void leads_to_work(long i) { if (i % 20000 == 0) work(); }
static jmp_buf back;
static void jumps(void) { longjmp(back, 1); }

static void *run(void *data)
{
	long n = *(long *)data;

	for (long i = 0; i < n; i++) {
		inner();
		if (i % 64 == 0)
			leads_to_lock();
		leads_to_work(i);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	long n = 400000;
	pthread_t threads[3];
	int count = argc > 1 ? atoi(argv[1]) : 0;
	volatile int jumped = 0;

	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, run, &n);
	run(&n);
	if (setjmp(back) == 0)
		jumps();
	else
		jumped = 1;
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	printf("%d\n", jumped);
	return 0;
}
C
cat > check.py <<'PY'
import json, sys
threads = int(sys.argv[1])
run = json.load(sys.stdin)
sums = {}
for node in run["call_tree"]:
    of = sums.setdefault(node["name"], {})
    for key, value in node["exclusive"].items():
        of[key] = of.get(key, 0) + value
visits = lambda name: sums[name].get("visits", 0)
N = 400000 * threads
off = {name for name, of in sums.items() if of.get("visits_missing", 0) > 0}
described = {r["name"] for r in run["regions"] if r.get("description", "").startswith("disabled after ")}
# Which of these are disabled, and when, depends on how fast the machine is. What is called is disabled with its caller, or
# before. But if another program had the processor for long during a visit of a called function, this function seems to be too
# large to be disabled, while its caller is disabled: then the run is repeated (exit code 3).
assert off and off <= {"leaf", "deep", "inner", "leads_to_work"} and off == described, (off, described)
if "inner" in off and not {"leaf", "deep"} <= off:
    print("disabled only:", *off)
    sys.exit(3)
# What stays is exact: the functions that lead to something, and all that they lead to.
for name, expected in ("run", threads), ("main", 1), ("work", N // 20000), ("leads_to_lock", 400000 // 64 * threads), \
        ("jumps", 1), ("pthread_mutex_lock", 400000 // 64 * threads):
    assert visits(name) == expected and name not in off, (name, visits(name), expected)
for name, each in ("leaf", 2), ("deep", 4), ("inner", 1), ("leads_to_work", 1):
    assert (visits(name) < each * N) == (name in off), sums
    assert each * visits("inner") + each * threads >= visits(name) or name == "leads_to_work", sums
for node in run["call_tree"]:
    parent = run["call_tree"][node["parent"]]["name"] if node["parent"] is not None else None
    if node["name"] == "leaf": assert parent == "inner", parent
    # What is called by a function that is off is below its caller since then.
    if node["name"] == "work": assert parent == "leads_to_work" or parent == "run" and "leads_to_work" in off, parent
    if node["name"] == "pthread_mutex_lock": assert parent == "leads_to_lock", parent
assert abs(float(run["attributes"]["fathom::overhead_budget"]) - 0.05) < 1e-9
# The list of regions has what is estimated: what is off more than was measured, its callers less, all the same in sum.
estimated = {region["name"]: region["time_estimated"] for region in run["regions"]}
for name, seconds in estimated.items():
    own = sums.get(name, {}).get("time", 0)
    assert seconds >= -1e-9 and (name not in off or seconds >= own - 1e-9), (name, seconds, own)
# A function that took no longer than measuring it did, which is so on a fast machine, has nothing that could be estimated.
worked = any(node["exclusive"].get("time", 0) > node["exclusive"].get("measurement_overhead", 0) and
	     node["exclusive"].get("visits_missing", 0) > 0 for node in run["call_tree"])
assert not worked or any(estimated[name] > sums[name].get("time", 0) for name in off), (estimated, sums)
total = sum(node["exclusive"].get("time", 0) for node in run["call_tree"])
assert abs(total - run["call_tree"][0]["inclusive"]["time"]) <= 1e-6 * total
assert abs(total - sum(estimated.values())) <= 1e-6 * total, (total, estimated)
PY
"$CC" -g -O1 -fno-inline -fno-optimize-sibling-calls -finstrument-functions noisy.c -o noisy -L"$builddir/.libs" \
	-Wl,-rpath,"$builddir/.libs" -Wl,--no-as-needed -lfathom-compiler -lfathom-pthread -lfathom -lpthread ||
	die "cannot build noisy"
# try THREADS SETTING...
try() {
	threads=$1
	shift
	for attempt in 1 2 3 4 5; do
		rm -rf fathom-*
		try_once "$@"
		[ $checked = 3 ] || break
	done
	[ $checked = 0 ] || bad "$*, $threads threads: wrong profile, attempt $attempt"
}
try_once() {
	checked=0
	same "$*: output" 1 "$(env FATHOM_OVERHEAD=5% FATHOM_VERBOSE=1 "$@" ./noisy $((threads - 1)) 2> err)"
	grep -q 'functions disabled' err || bad "$*: nothing is said: $(cat err)"
	grep -q 'came without an enter' err && bad "$*: $(cat err)"
	dir=$(experiment) || exit 1
	if [ -e "$dir/profile.cubex" ]; then
		check_profile "$dir/profile.cubex"
		"$builddir/fathom-report" --json "$dir/profile.cubex" > report.json || bad "no JSON"
		"$PYTHON3" check.py "$threads" < report.json
		checked=$?
		contains "$*: report" "$("$builddir/fathom-report" "$dir/profile.cubex")" \
			'Disabled, so that measuring takes at most 5.0%'
	fi
}
try 1 FATHOM_PATCH=on
rm -rf fathom-*
try 1 FATHOM_PATCH=off
rm -rf fathom-*
if [ -e "$builddir/.libs/libfathom-patch.so" ]; then
	# Nobody may change code: that is said, once, and hooks stay.
	"$CC" -O1 -fPIC -shared "$srcdir/test/wrappers/patch_refuse.c" -o librefuse.so || die "cannot build librefuse"
	try 1 REFUSE=all LD_PRELOAD="$PWD/librefuse.so"
	same "said once" 1 "$(grep -c 'does not allow a program.s code to be changed' err)"
	rm -rf fathom-*
fi
try 4 FATHOM_PATCH=on
rm -rf fathom-*
try 2 FATHOM_THREADS=set
rm -rf fathom-*

# Traces: alone, and with a profile.
if [ -e "$builddir/.libs/libfathom-trace.so" ]; then
	for mode in trace profile,trace; do
		try 2 FATHOM_MODE=$mode
		"$builddir/fathom-check" "$dir" > out 2>&1 || bad "$mode: the trace is not sound: $(head -5 out)"
		"$builddir/fathom-report" --trace --json "$dir" > report.json || bad "$mode: no report of the trace"
		"$PYTHON3" - <<'PY' || bad "$mode: too many events"
import json
events = json.load(open("report.json"))["events"]
assert 10000 < events["Enter"] < 5000000 and events["Enter"] == events["Leave"], events
PY
		rm -rf fathom-*
	done
fi
# A call that is active all the time, while the same function is called often: with late hooks its exits are not waited
# for; what its caller calls next is below the caller all the same.
if has_part late-hooks; then
cat > bottom.c <<'C'
#include <stdio.h>

static volatile long sum;
__attribute__((noinline)) void heavy(void) { for (int i = 0; i < 1000000; i++) sum += i; }
__attribute__((noinline)) void again(int depth)
{
	if (!depth)
		for (int i = 1; i < 100000000; i++)
			again(i);
	sum += depth;
}

/* Whether the call before the return is there: "call", "gone", or "?" where no such thing is found. */
static const char *last_sled(const unsigned char *code)
{
	for (int i = 5; i < 300; i++)
		if (code[i] == 0xc3 && code[i + 1] == 0x0f && code[i + 2] == 0x1f && code[i + 3] == 0x80)
			return code[i - 5] == 0xe8 ? "call" : code[i - 5] == 0xc3 ? "gone" : "?";
	return "?";
}
int main(void)
{
	again(0);
	for (int i = 0; i < 5; i++)
		heavy();
	puts(last_sled((const unsigned char *)again));
}
C
FATHOM_INSTRUMENT_MIN_INSNS=0 FATHOM_INSTRUMENT_HOOKS=late "$FATHOM" "$CC" -O1 -g bottom.c -o bottom || bad "cannot build bottom.c"
out=$(FATHOM_OVERHEAD=5% ./bottom 2> err)
case $out in
gone | '?') ;;
call) [ ! -e "$builddir/.libs/libfathom-patch.so" ] || bad "hooks of what is active all the time stay" ;;
*) bad "output of bottom: $out" ;;
esac
dir=$(experiment) || exit 1
same "visits below main" "1 5" "$(values visits "$dir/profile.cubex" |
	awk '/\/main\/again$/ { again = $1 } /\/main\/heavy$/ { heavy = $1 } END { print again, heavy }')"
rm -rf fathom-*
fi

# Hooks that stay in the code, and what they cost, are said. So is that there is a budget by default.
for setting in FATHOM_PATCH=off FATHOM_PATCH=on; do
	rm -rf fathom-*
	env -u FATHOM_OVERHEAD $setting ./noisy > out 2> err
	"$FATHOM" report "$(experiment)" > report 2>&1 || bad "report: $(cat report)"
	contains "the default" "$(cat report)" '^Disabled, so that measuring takes at most 5.0%'
	contains "the default" "$(tr '\n' ' ' < report)" 'FATHOM_OVERHEAD=off measures every visit'
	grep -q 'The hooks of these functions stayed in the code' report; stayed=$?
	[ $setting = FATHOM_PATCH=off ] || [ -e "$builddir/.libs/libfathom-patch.so" ] || continue
	same "$setting: hooks stay" "$([ $setting = FATHOM_PATCH=off ] && echo 0 || echo 1)" $stayed
done
rm -rf fathom-*

same "output without a budget" 1 "$(./noisy 2> err)"
dir=$(experiment) || exit 1
same "visits without a budget" 800000 "$(values visits "$dir/profile.cubex" | awk '/\/leaf$/ { s += $1 } END { print s }')"
verdict
