#!/bin/bash
# fathom timeline: its pictures show the regions that all events of the trace, as fathom export writes them, have in each cell;
# PNG and SVG have the same colours at the same places; bad options and places are refused.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
need_otf2
timeline=$builddir/fathom-timeline export=$builddir/fathom-export

# drawn TRACE OPTIONS...: the picture of a trace has what the events have
drawn() {
	name=$1
	shift
	works "$timeline" --force --no-messages --svg picture.svg "$@" "$name"
	contains "$name: where" "$(cat out)" '^fathom timeline: the picture is picture.svg$'
	"$export" --force --to chrome -o events.json "$name/traces.otf2" > out 2> err || bad "export of $name: $(cat err)"
	"$PYTHON3" "$srcdir/test/tools/timeline.py" picture.svg events.json "$@" > said 2>&1 || bad "$name $*: $(tail -3 said)"
}

make_trace good good
make_trace pairs 3000 pairs
"$builddir/test/frames/make_long" 4 6000 few few || die make_long
drawn good
drawn good --depth 1
drawn good --depth 2 --from 0.0001 --to 0.001
drawn pairs
drawn few --width 700
drawn few --depth 2 --from 0.0002 --to 0.0004
drawn few --ranks 1,3 --from 0.0002

# --- messages: a line for each, if there are few; else one for each pair of neighbours and 40th of the time
"$builddir/test/frames/make_long" 4 60000 few more || die make_long
works "$timeline" --force --svg picture.svg few
sent=$(sed -n 's/.*; \([0-9]*\) messages sent.*/\1/p' picture.svg)
lines=$(grep -c 'stroke-opacity="0.75"' picture.svg)	# the last messages are not received
[ "$lines" -le "$sent" ] && [ "$lines" -ge $((sent * 9 / 10)) ] || bad "$lines lines of single messages, $sent sent"
works "$timeline" --force --svg picture.svg more
lines=$(grep -c 'stroke-opacity="0.55"' picture.svg)
[ "$lines" -gt 20 ] && [ "$lines" -le 160 ] || bad "$lines lines of messages, not up to 4 x 40"
contains "what is in it" "$(grep '<text' picture.svg)" '240008 events of 4 threads; [0-9]+ messages sent'

# --- PNG
if "$timeline" --force --no-messages --png picture.png --svg picture.svg few > out 2> err; then
	"$PYTHON3" "$srcdir/test/tools/timeline.py" picture.svg picture.png > said 2>&1 || bad "PNG and SVG: $(tail -3 said)"
elif grep -q 'built without cairo' err; then
	left_out "PNG: built without cairo (Debian: libcairo2-dev)"
	[ ! -e picture.png ] || bad "without cairo: a file was left"
else
	bad "--png: $(cat err)"
fi

# --- refused
refused "no place" 2 '^fathom timeline: --png FILE or --svg FILE is missing' "$timeline" few
refused "a file that exists" 1 '^fathom timeline: picture.svg: exists already \(--force replaces it' "$timeline" --svg picture.svg few
refused "an empty window" 1 'nothing is between these times; the trace has' "$timeline" --svg x.svg --from 5 few
refused "a wrong time" 2 '^fathom timeline: --to x: not a number of seconds' "$timeline" --svg x.svg --to x few
refused "a wrong rank" 1 '^fathom timeline: --ranks 9: the trace has 4 ranks' "$timeline" --svg x.svg --ranks 9 few
refused "a wrong depth" 2 '^fathom timeline: --depth 0: ' "$timeline" --svg x.svg --depth 0 few
refused "no trace" 1 '^fathom timeline: ' "$timeline" --svg x.svg nothing
[ ! -e x.svg ] && [ ! -e x.svg.part ] || bad "a picture was left"
verdict
