#!/bin/bash
# fathom diff: finds the region that was made slower, and nothing else; matches what moved; refuses what cannot be compared.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
diff=$builddir/fathom-diff make_runs=$builddir/test/tools/make_runs

# changes ARGUMENT...: the names of regions that diff calls changed, and the sign
changes() { "$diff" --json "$@" | "$PYTHON3" -c '
import json, sys
d = json.load(sys.stdin)
print(" ".join(sorted(("+" if r["after"] > r["before"] else "-") + r["name"] for r in d["regions"] if r["change"])))'; }
run() { rm -f "${@: -1}"; "$make_runs" 60 4 "$@" || die "make_runs $*"; }	# run SEED NOISE REGION PERCENT FILE

# A program with 40 functions, whose runs differ by 1 per cent. f2 and f13 have 5 and 11 per cent of the time;
# they get 10 per cent more.
found=0 wrong=0
for try in $(seq 20); do
	for i in 1 2 3; do
		run $((10 * try + i)) 1 none 0 "a$i.cubex"
		run $((10 * try + i + 5)) 1 none 0 "b$i.cubex"
		run $((10 * try + i + 5)) 1 f2 10 "c$i.cubex"
		run $((10 * try + i + 5)) 1 f13 10 "d$i.cubex"
	done
	[ "$(changes a1.cubex a2.cubex a3.cubex -- c1.cubex c2.cubex c3.cubex)" = +f2 ] && found=$((found + 1))
	[ -z "$(changes a1.cubex a2.cubex a3.cubex -- b1.cubex b2.cubex b3.cubex)" ] || wrong=$((wrong + 1))
	[ "$(changes a1.cubex d1.cubex)" = +f13 ] || bad "one run of each side, try $try: $(changes a1.cubex d1.cubex)"
	[ -z "$(changes a1.cubex b1.cubex)" ] || bad "one run of each side without a change, try $try"
done
same "the slower function and nothing else is named, of 20 tries" 20 "$found"
same "changes named where there are none, of 20 tries" 0 "$wrong"
same "the other way round" -f2 "$(changes c1.cubex c2.cubex c3.cubex -- a1.cubex a2.cubex a3.cubex)"
same "a profile and itself" "" "$(changes a1.cubex a1.cubex)"
"$diff" --json a1.cubex a1.cubex | "$PYTHON3" -c '
import json, sys
d = json.load(sys.stdin)
assert all(x["before"] == x["after"] for key in ("regions", "call_paths", "inclusive") for x in d[key]) and d["call_paths"]' ||
	bad "a profile and itself differ"

# Text: lines fit, and the slower function is first.
works "$diff" --width 80 a1.cubex a2.cubex a3.cubex -- c1.cubex c2.cubex c3.cubex
fits "text" 80 out
contains "the change in text" "$(cat out)" '\+[0-9.]+% .* f2 .*app.c:21'
works "$diff" --all a1.cubex b1.cubex
contains "--all" "$(cat out)" ' f3 '

# fathom report with several runs is fathom diff.
"$diff" --width 90 a1.cubex a2.cubex -- c1.cubex c2.cubex > wanted
works "$report" a1.cubex --width 90 a2.cubex -- c1.cubex c2.cubex
cmp -s wanted out || bad "fathom report of two sides: $(head -5 out)"
"$diff" --json a1.cubex c1.cubex > wanted
works "$report" a1.cubex c1.cubex --json
cmp -s wanted out || bad "fathom report of two runs: $(head -5 out)"
refused "an option that diff lacks" 2 '^fathom diff: --flat: no such option' "$report" --flat a1.cubex c1.cubex

# The exit code for continuous integration.
"$diff" --fail-above 0.1% a1.cubex d1.cubex > out 2>&1
same "slower than allowed" 3 $?
"$diff" --fail-above 50 a1.cubex d1.cubex > out 2>&1
same "not slower than allowed" 0 $?
"$diff" --fail-above 0% d1.cubex a1.cubex > out 2>&1
same "faster" 0 $?

# Programs that were changed: lines move, a function is new, one is gone, one got a suffix.
mkdir one two
cat > one/app.c << 'C'
static volatile double sink;
__attribute__((noinline)) static void work(int n) { for (int i = 0; i < n; i++) sink = sink * 0.5 + i; }
__attribute__((noinline)) void same(void) { work(3000000); }
__attribute__((noinline)) void gone(void) { work(3000000); }
int main(void)
{
#pragma omp parallel num_threads(2)
	work(1000000);
#pragma omp parallel num_threads(2)
	work(1000000);
	same();
	gone();
	return 0;
}
C
sed 's/gone/fresh/; s/^int main/\n\n\nint main/' one/app.c > two/app.c
for name in one two; do
	"$FATHOM" "$CC" -fopenmp -g -O1 $name/app.c -o $name/app > err 2>&1 || die "$name: $(cat err)"
	FATHOM_NAME=$name.exp $name/app > out 2> err || die "$name: exit $?: $(cat err)"
done
"$diff" --json one.exp two.exp > moved.json || bad "two programs: exit $?"
"$PYTHON3" - moved.json "$(have opari2 && echo 2 || echo 0)" << 'PY' || bad "two programs do not match as they should"
import json, sys
d = json.load(open(sys.argv[1]))
regions = {r["name"]: r for r in d["regions"]}
assert regions["gone"]["gone"] and not regions["gone"]["new"]
assert any(r["new"] for r in d["regions"] if r["name"] == "fresh")
assert not regions["same"]["new"] and not regions["same"]["gone"]
parallel = [p for p in d["call_paths"] if p["name"].startswith("!$omp parallel")]
assert len(parallel) == int(sys.argv[2]) and not any(p["new"] or p["gone"] for p in parallel), parallel
roots = [p for p in d["call_paths"] if ">" not in p["path"]]
assert len(roots) == 1, roots
PY
works "$diff" --metric visits one.exp two.exp
contains "visits" "$(cat out)" 'Visits'

# The benchmark of real runs, tiny: it works; its figures depend on what else the machine does, so they are not looked at.
"$PYTHON3" "$srcdir/test/bench/slower.py" "$FATHOM" "$srcdir/test/bench/slower.c" --tries 1 --runs 2 --repetitions 2 --compiler "$CC" > out 2> err ||
	bad "test/bench/slower.py: $(tail -3 err)"
contains "test/bench/slower.py" "$(cat out)" 'named alone: [01] of 1 tries'

# Profiles of another system.
for file in "$shared"/data/mix-profile/profile.cubex; do
	[ ! -f "$file" ] || works "$diff" "$file" "$shared"/data/mix-rusage/profile.cubex
done

refused "one run" 2 'two are compared' "$diff" a1.cubex
refused "no run" 2 'no run is named' "$diff"
refused "a side without runs" 2 'no run behind' "$diff" a1.cubex --
refused "a metric that is not there" 1 'a1.cubex: has no metric cycles' "$diff" --metric cycles a1.cubex b1.cubex
refused "a percentage" 2 '--fail-above five' "$diff" --fail-above five a1.cubex b1.cubex
refused "no profile" 1 'none.cubex' "$diff" a1.cubex none.cubex
verdict
