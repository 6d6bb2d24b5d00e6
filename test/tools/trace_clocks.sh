#!/bin/bash
# fathom trace --correct-clocks: no message is received before it was sent any more, the order of each location and what the
# events are stay the same. Known answers of the algorithm are in test/unit/tools/test_logical_clock.c.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
need_otf2
trace=$builddir/fathom-trace

# timeless: events without their times
timeless() { sed -E 's/^([A-Z0-9_]+ +[0-9]+) +[0-9]+ /\1 /; s/Stop Time: [0-9]+/Stop Time/'; }

make_trace good good

# One message is received 5 us before it was sent.
make_trace message-early early
"$check" --clock 0 early > out && bad "the trace has no violation"
works "$trace" --correct-clocks -o corrected early
contains "a violation" "$(cat out)" '^corrected/traces.otf2: [0-9]+ events; [1-9][0-9]* violations of the order of time, 0 are left; events moved by [0-9.]+ us at most'
works "$check" --clock 0 corrected
works "$trace" --sort-check corrected
works "$trace" --correct-clocks -o again corrected
contains "a corrected trace" "$(cat out)" ' events; 0 violations of the order of time, 0 are left'
contains "says what it is" "$("$trace" corrected)" 'FATHOM::CORRECTED_VIOLATIONS = [1-9]'
if have otf2-print; then
	# All events are there in the order of their location; only times differ.
	for location in 0 1; do
		otf2-print -L $location early/traces.otf2 | grep -v '^===' | timeless > a
		otf2-print -L $location corrected/traces.otf2 | grep -v '^===' | timeless > b
		[ "$(wc -l < a)" -gt 50 ] || bad "location $location has no events"
		cmp a b || bad "the events of location $location differ"
	done
	otf2-print --silent -Werror corrected/traces.otf2 > print.out 2> print.err || bad "otf2-print fails"
	same "otf2-print says" '' "$(cat print.err)"
fi

# Real violations of Score-P's clocks on a machine with too many ranks
for name in mix lulesh; do
	[ -d "${shared:-}/data/$name-trace" ] || continue
	rm -rf real
	works "$trace" --correct-clocks -o real "$shared/data/$name-trace"
	contains "$name" "$(cat out)" ' [1-9][0-9]* violations of the order of time, 0 are left'
	works "$check" --clock 0 real
done

# The processes of one host have one clock: nothing in a real trace of fathom moves, whatever operations it has.
if [ -n "${MPICC:-}" ] && [ -n "${MPIRUN:-}" ]; then
	libs="-L$builddir/.libs -Wl,-rpath,$builddir/.libs -Wl,--push-state,--no-as-needed -lfathom-mpi -lfathom -Wl,--pop-state"
	"$MPICC" -g -O1 -w "$srcdir/test/run/trace_p2p.c" -o p2p $libs || die "cannot build"
	FATHOM_MODE=trace "$MPIRUN" -n 3 ./p2p > out 2> err || die "it fails: $(cat err)"
	works "$trace" --correct-clocks --latency 0:0 -o unmoved "$(experiment)"
	contains "clocks of one host" "$(cat out)" ' events; 0 violations of the order of time, 0 are left;'
else
	left_out "no MPI: the clocks of one host"
fi

refused "with a cut" 2 'does not go with --cut' "$trace" --correct-clocks --cut 0:1 -o new good
refused "no place" 2 'NEW-DIRECTORY is missing' "$trace" --correct-clocks good
refused "no latency" 2 '^fathom trace: --latency fast: not one or two numbers of nanoseconds from 0 to 1e9, such as 1000:10' \
	"$trace" --correct-clocks --latency fast -o new good
refused "an existing directory" 1 'File exists' "$trace" --correct-clocks -o corrected good
make_trace time-back back
refused "times that go back" 1 'has times that go back: fathom check tells more$' "$trace" --correct-clocks -o new back
[ ! -e new ] || bad "a refused command left a directory"
verdict
