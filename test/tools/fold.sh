#!/bin/bash
# fathom fold: planted rates and lines within the instances of a region are found again; modes and outliers are told apart.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
need_otf2
fold=$builddir/fathom-fold
# holds WHAT FILE EXPRESSION: whether the expression of Python holds for the JSON document d; f: its folds; rates(fold, counter):
# the rate in each hundredth of the time.
holds() {
	"$PYTHON3" - "$2" "$3" << 'PY' || bad "$1: $3"
import json, sys
d = json.load(open(sys.argv[1]))
f = d["folds"]
def rates(fold, counter):
    s = [c for c in fold["counters"] if c["name"] == counter][0]["segments"]
    return [[x["rate"] for x in s if x["from"] <= (i + .5) / 100 <= x["to"]][0] for i in range(100)]
def planted(i): return (.5 if i < 20 else 2 if i < 50 else .1 if i < 70 else .9333)
def difference(fold, per_second):
    return sum(abs(r / per_second - planted(i)) for i, r in enumerate(rates(fold, "PAPI_TOT_INS"))) / 100
def lines(fold, line):
    return [sum(p["samples"][i] for p in fold["code"] if p["line"] == line) for i in range(40)]
sys.exit(0 if eval(sys.argv[2]) else 1)
PY
}

# Bursts of two kinds with 5 samples in each instance: the mean difference from the planted rates is below 5 %.
"$builddir/test/tools/make_folds" folds 4 50 5 || die "make_folds"
works "$check" folds
"$fold" --json --csv rates.csv --page rates.html folds > kinds.json 2> err || bad "kinds: exit $?: $(cat err)"
for is in 'len(f) == 2 and f[0]["instances"] == 156 and f[1]["instances"] == 40 and f[0]["left_out"] == 4' \
	'abs(f[0]["duration"] / 1e-3 - 1) < .01 and abs(f[1]["duration"] / 2e-3 - 1) < .01 and f[0]["threads"] == 4' \
	'difference(f[0], 1e9) < .05 and difference(f[1], 1.5e9) < .05' \
	'all(abs(r / 2e9 - 1) < .02 for r in rates(f[0], "PAPI_TOT_CYC"))' \
	'f[0]["counters"][0]["mean"] == 1e6 and f[1]["counters"][0]["mean"] == 3e6 and f[0]["samples"] == 780' \
	'not any(lines(f[0], 11)[16:]) and not any(lines(f[0], 22)[:16]) and all(lines(f[0], 11)[:16]) and all(lines(f[0], 22)[16:])' \
	'[(p["region"], p["file"]) for p in f[0]["code"]] == [("flux", "dir/app.c"), ("solve", "dir/app.c")]'
do holds "kinds" kinds.json "$is"; done
same "lines of the table" 401 "$(wc -l < rates.csv)"
contains "the table" "$(cat rates.csv)" '^"kind 1: main > solve",1,"PAPI_TOT_INS",0.355,(2\.0|1\.9)[0-9]*e\+09$'
"$PYTHON3" -c '
import sys, xml.dom.minidom
text = open(sys.argv[1]).read()
xml.dom.minidom.parseString(text[text.index("<body>"):text.index("</body>")] + "</body>")' rates.html || bad "the page is not well-formed"
same "curves and code in the page" 6 "$(grep -c '<svg' rates.html)"
works "$fold" folds --width 80
fits "text" 80 out
contains "rates" "$(cat out)" '20.0 to  50.0 %  +2.0[0-9]*G/s'
contains "instructions per cycle" "$(cat out)" '50.0 to  70.0 % +0.05$'
contains "code" "$(cat out)" '41.3% +################ +solve  app.c:11$'
works "$fold" folds --kind 2
contains "one kind" "$(cat out)" '^40 instances on 4 threads, 2.0[0-9]* ms each$'

# A region: its modes are folded apart, and the call in it takes time without instructions.
"$fold" --json --region solve folds > region.json || bad "region: exit $?"
for is in 'len(f) == 2 and [x["mode"] for x in f] == [1, 2] and all(x["modes"] == 2 and x["name"] == "solve" for x in f)' \
	'f[0]["instances"] == 156 and f[1]["instances"] == 40 and f[0]["left_out"] == 4' 'rates(f[0], "PAPI_TOT_INS")[30] > 1.8e9'
do holds "region" region.json "$is"; done

# Without samples and readings within; too few instances; wrong options.
"$builddir/test/tools/make_folds" empty 2 20 0 || die "make_folds"
works "$fold" empty
contains "nothing within" "$(tr '\n' ' ' < out)" 'without samples and counter readings within: measure with FATHOM_SAMPLING'
refused "few instances" 1 'folds.*: 4 instances of main: too few' "$fold" folds --region main
refused "an unknown region" 1 'region nothing: the trace has no region' "$fold" folds --region nothing
refused "an unknown kind" 1 'kind 9: the bursts of the trace are of 2 kinds' "$fold" folds --kind 9
refused "a kind and a region" 2 'choose one of' "$fold" folds --kind 1 --region solve
refused "kinds of a region" 2 'not with options about kinds' "$fold" folds --region solve --eps 0.1
refused "a file that exists" 1 'rates.csv: exists already' "$fold" folds --csv rates.csv
refused "no trace" 1 'none' "$fold" none
for trace in "$shared"/data/*-trace/traces.otf2; do
	[ ! -f "$trace" ] || "$fold" "$trace" > out 2> err || contains "a real trace" "$(cat err)" 'too few of equal duration'
done

# A program with samples in its trace: its loop is most of a kind, and each sample has a line of it.
cat > app.c <<'C'
#include <stdlib.h>
double sum;
__attribute__((noinline)) void step(void)
{
	for (int i = 0; i < 2000000; i++)
		sum += i * 0.5;
}
int main(void)
{
	for (int i = 0; i < 60; i++)
		step();
	return sum < 0;
}
C
if "$builddir/fathom" gcc -O1 -g app.c -o app > build.out 2>&1 &&
	FATHOM_MODE=trace FATHOM_NAME=run FATHOM_SAMPLING=2000 FATHOM_TRACE_SAMPLES=2000 ./app > run.out 2>&1 &&
	otf2-print run/traces.otf2 2> print.err | grep -q CALLING_CONTEXT_SAMPLE; then
	# Under load, durations spread: what is checked holds for any group of at least 8 instances.
	"$fold" --json --region step run > run.json 2> err || contains "a program" "$(cat err)" 'too few of equal duration'
	[ ! -s run.json ] || holds "a program" run.json \
		'all(x["instances"] >= 8 and all(3 <= p["line"] <= 7 for p in x["code"] if p["region"] == "step") for x in f)'
else
	left_out "a program with samples: no sample of it was taken"
fi
verdict
