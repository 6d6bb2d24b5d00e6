#!/bin/bash
# The kinds of bursts in time lines: those in the list of bursts, with their shares of the time.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
. "$srcdir/test/tools/browser.sh"
need_otf2
timeline=$builddir/fathom-timeline

"$builddir/test/tools/make_bursts" plain 8 30 all:2e6:0.02:1.5:0.02 some:6e5:0.02:0.6:0.02:even others:1e6:0.02:2.5:0.02:odd \
	later:4e5:0.02:1.1:0.02:late junk:5e5:0.1:1:0.1:noise || die make_bursts
"$builddir/fathom-clusters" plain --trace marked --csv kinds.csv > out 2> err || bad "fathom clusters: exit $?: $(cat err)"

works "$timeline" --svg whole.svg --colour kind marked
works "$timeline" --svg part.svg --colour kind --from 0.01 --to 0.0125 --ranks 2-5 --width 800 marked
"$PYTHON3" "$srcdir/test/tools/kind_timeline.py" picture kinds.csv whole.svg 1200 0:8 > said 2>&1 || bad "the picture: $(tail -3 said)"
"$PYTHON3" "$srcdir/test/tools/kind_timeline.py" picture kinds.csv part.svg 800 2:6 0.01 0.0125 > said 2>&1 ||
	bad "the picture of a window: $(tail -3 said)"
works "$timeline" --svg regions.svg --colour region marked
works "$timeline" --svg default.svg marked
cmp regions.svg default.svg || bad "colours are not those of regions by default"
refused "a trace without kinds" 1 '^fathom timeline: --colour kind: the trace has no kinds of bursts; fathom clusters --trace ' \
	"$timeline" --svg x.svg --colour kind plain
refused "no such colours" 2 '^fathom timeline: --colour kinds: not one of region, kind' "$timeline" --svg x.svg --colour kinds marked
[ ! -e x.svg ] || bad "a refused picture was written"

# The pages of fathom view and fathom serve: each cell has the kind with the most time in it.
for trace in plain marked; do
	works "$analyze" $trace
	works "$view" --no-source -o $trace.html $trace/analysis.cubex
done
"$PYTHON3" "$srcdir/test/tools/kind_timeline.py" page kinds.csv marked.html > said 2>&1 || bad "the page: $(tail -3 said)"
"$PYTHON3" "$srcdir/test/tools/kind_timeline.py" without plain.html > said 2>&1 || bad "the page without kinds: $(tail -3 said)"
[ ! -e expected.json ] || in_browser "the page" marked.html kind_timeline.js expected.json
"$builddir/fathom-serve" marked > served 2> served.err &
server=$!
trap 'kill "$server" 2> /dev/null' EXIT
for _ in $(seq 300); do
	! grep -q http served && kill -0 "$server" 2> /dev/null || break
	sleep 0.1
done
address=$(sed -n 's|^fathom serve: \(http[^ ]*\) .*|\1|p' served)
if [ -n "$address" ]; then
	"$PYTHON3" "$srcdir/test/tools/kind_timeline.py" served kinds.csv "$address" > said 2>&1 || bad "the server: $(tail -3 said)"
	kill "$server" && wait "$server"
else
	left_out "fathom serve: $(head -1 served.err)"
fi
verdict
