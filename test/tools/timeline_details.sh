#!/bin/bash
# Single messages, collective operations and curves in the time lines of fathom view, timeline and serve: known answers; and the
# size of the server's answers, which does not depend on the length of the trace.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
. "$srcdir/test/tools/browser.sh"
need_otf2
timeline=$builddir/fathom-timeline

# Rank 0 sends three messages with tags 1, 2 and 1; rank 1 receives the second one first, and has posted the third receive (tag
# 1) before the first one is complete. Times are in microseconds.
"$builddir/test/tools/make_mpi_trace" 2 1 few << 'T' || die make_mpi_trace
0 0 enter main
0 0 count 100
0 10 level 5
0 100 send 1 1 10
0 200 send 1 2 20
0 300 send 1 1 30
0 400 count 500
0 500 level 7
0 500 enter MPI_Barrier
0 500 begin
0 700 end 0 -1 0 0
0 700 leave MPI_Barrier
0 800 count 500
0 1000 leave main
1 0 enter main
1 50 post 7
1 60 post 8
1 250 recv 0 2 20
1 350 irecv 0 1 30 8
1 360 irecv 0 1 10 7
1 600 enter MPI_Barrier
1 600 begin
1 700 end 0 -1 0 0
1 700 leave MPI_Barrier
1 1000 leave main
T
works "$analyze" few
works "$builddir/fathom-view" --no-source -o few.html few/analysis.cubex
works "$timeline" --svg few.svg few
works "$timeline" --svg curve.svg --no-messages --curve count few
refused "no such curve" 1 '^fathom timeline: --curve cycles: the threads of the trace have no such counter; they have: count, level$' \
	"$timeline" --svg x.svg --curve cycles few
"$PYTHON3" "$srcdir/test/tools/timeline_details.py" page few.html > said 2>&1 || bad "the page: $(tail -3 said)"
"$PYTHON3" "$srcdir/test/tools/timeline_details.py" picture few.svg curve.svg > said 2>&1 || bad "the picture: $(tail -3 said)"

echo '{"messages": 3, "window": 2}' > expected.json
in_browser "the page" few.html timeline_details.js expected.json

# All samples of a trace are in the curve of samples.
make_trace good good
works "$timeline" --svg samples.svg --curve samples --no-messages good
contains "the title" "$(grep '<text' samples.svg)" 'curve: samples, up to [0-9.e+]+ samples/s'

# served DIR [LAUNCHER...]: begins to serve; sets address and server
served()
{
	rm -f served
	: > served
	served_dir=$1
	shift
	"$@" "$builddir/fathom-serve" "$served_dir" >> served 2> served.err &
	server=$!
	trap 'kill "$server" 2> /dev/null' EXIT
	for _ in $(seq 300); do
		grep -q http served && break
		kill -0 "$server" 2> /dev/null || break
		sleep 0.1
	done
	address=$(sed -n 's|^fathom serve: \(http[^ ]*\) .*|\1|p' served)
}
# several PROCESSES: the same answers as of one process
several()
{
	served few "$MPIRUN" -n "$1"
	"$PYTHON3" "$srcdir/test/tools/timeline_details.py" answers "$address" > "answers$1" 2>&1 || bad "$1 processes: $(tail -1 "answers$1")"
	kill "$server" && wait "$server" 2> /dev/null
}
served few
if [ -n "$address" ]; then
	"$PYTHON3" "$srcdir/test/tools/timeline_details.py" served "$address" > said 2>&1 || bad "the server: $(tail -3 said)"
	"$PYTHON3" "$srcdir/test/tools/timeline_details.py" answers "$address" > answers1 || bad "no answers"
	kill "$server" && wait "$server"
	if have_mpi; then
		several 3
		cmp answers1 answers3 || bad "three processes give other answers"
	fi
	for events in 2500 250000; do
		"$builddir/test/frames/make_long" 4 $events few long$events || die make_long
		served long$events
		"$PYTHON3" "$srcdir/test/tools/timeline_details.py" sizes "$address" > sizes$events || bad "no sizes"
		[ $events = 2500 ] || "$PYTHON3" "$srcdir/test/tools/timeline_details.py" sums "$address" > said 2>&1 ||
			bad "the sums of messages: $(tail -1 said)"
		kill "$server" && wait "$server"
	done
	"$PYTHON3" - << 'P' > said 2>&1 || bad "the sizes of answers: $(tail -1 said)"
short, long = ([int(size) for size in open("sizes%d" % events).read().split()] for events in (2500, 250000))
assert len(short) == len(long) == 4
assert all(b < 1.5 * a + 20000 and b < 200000 for a, b in zip(short, long)), (short, long)
P
else
	left_out "fathom serve: $(head -1 served.err)"
fi
verdict
