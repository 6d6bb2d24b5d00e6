#!/bin/bash
# fathom trace: what is in a trace; copies of all of it, of a window of its time, of some ranks, without some regions.
# Every copy is good in the eyes of fathom check and otf2-print, and those of real traces in the eyes of the oracle, too,
# where it is at hand.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
need_otf2
trace=$builddir/fathom-trace
oracle=${shared:-}/oracle/check_otf2.py otf2_python=
for python in "$PYTHON3" /usr/bin/python3; do
	[ -z "$otf2_python" ] && "$python" -c 'import otf2' 2> python.err && otf2_python=$python
done
real=	# set for real traces

# strict DIR: the trace's own statement that it is incomplete no longer excuses anything: its property gets another name.
strict() { "$PYTHON3" -c '
import sys
path = sys.argv[1] + "/traces.otf2"
text = open(path, "rb").read()
open(path, "wb").write(text.replace(b"OTF2::MPI_", b"OTF2::XPI_").replace(b"OTF2::THREAD_", b"OTF2::XHREAD_"))' "$1"; }

# sound WHAT DIR: all readers take the trace. The oracle expects that each window announces its records of creation; fathom
# check expects these records then, which a cut may not have, so the windows of a cut do not always announce them.
sound() {
	if [ -n "$real" ] && [ -n "$otf2_python" ] && [ -e "$oracle" ]; then
		"$otf2_python" "$oracle" --ignore D23 "$2/traces.otf2" > oracle.out 2>&1 || bad "$1: the oracle: $(tail -3 oracle.out)"
	fi
	strict "$2"
	"$check" "$2" > check.out 2>&1 || bad "$1: fathom check: $(head -3 check.out)"
	if command -v otf2-print > otf2-print.path; then
		otf2-print --silent -Werror "$2/traces.otf2" > print.out 2> print.err || bad "$1: otf2-print fails"
		same "$1: otf2-print says" '' "$(cat print.err)"
		otf2-print "$2/traces.otf2" | grep -m1 INVALID && bad "$1: an event refers to nothing"
	fi
}

# events DIR: the events as text, without what names the file
events() { otf2-print "$1/traces.otf2" | grep -v '^=== '; }

make_trace good good
cp -r good before

# --- what is in it
works "$trace" --info good
contains "events" "$(cat out)" '^events       245, from 0.000005000 to 0.001220000 s$'
contains "ranks" "$(cat out)" '^ranks        2$'
contains "records" "$(cat out)" '^ +6  RmaOpComplete|^ +[0-9]+  MpiSend$'
works "$trace" good/traces.otf2
contains "information is the default" "$(cat out)" '^locations    7$'
works "$trace" --info --json good
"$PYTHON3" -c '
import json, sys
d = json.load(open("out"))
assert d["events"] == 245 == sum(d["events_by_kind"].values()) == sum(l["events"] for l in d["locations"]), d
assert len(d["locations"]) == 7 and d["ranks"] == 2 and d["regions"][0]["events"] >= d["regions"][-1]["events"], d
assert abs(d["seconds"] - 0.03) < 1e-9' || bad "--info --json"

# --- in order?
works "$trace" --sort-check good
contains "in order" "$(cat out)" '^good/traces.otf2: in order: 0 times go back; 0 of 6 messages received before they were sent$'
make_trace message-early early
"$trace" --sort-check early > out
same "exit code of a trace that is not in order" 1 $?
contains "not in order" "$(cat out)" 'not in order: 0 times go back; 1 of [0-9]+ messages received before they were sent, by 5.000 us at most'
"$trace" --sort-check --json early > out
"$PYTHON3" -c 'import json; d = json.load(open("out")); assert not d["in_order"] and d["received_early"] == 1, d' || bad "--sort-check --json"
make_trace time-back back
"$trace" --sort-check back > out
same "exit code of times that go back" 1 $?

# --- all of it: event by event
works "$trace" -o whole good
contains "whole" "$(cat out)" '^whole/traces.otf2: 245 events$'
sound whole whole
if have otf2-print; then
	events good > a
	events whole > b
	cmp a b || bad "a copy of all differs"
	otf2-print -G good/traces.otf2 | grep -v '^===' > a
	otf2-print -G whole/traces.otf2 | grep -v '^===' > b
	cmp a b || bad "the definitions of a copy of all differ"
fi
same "files of each location" 14 "$(ls whole/traces | wc -l)"

# --- windows: each of these ends somewhere inside messages, teams, tasks, locks, files or windows
for cut in :0.0001 0.0001:0.00025 0.0002:0.0004 0.00024:0.00092 0.0003:0.0005 0.00044:0.0005 0.0005:0.0007 0.00062:0.00068 \
	0.00066:0.00066 0.00069:0.0012 0.0007:0.0009 0.00084:0.00106 0.00088:0.0011 0.0009:0.00091 0.001:; do
	rm -rf part
	works "$trace" --cut "$cut" -o part good
	sound "--cut $cut" part
done
works "$trace" --cut 0.0003:0.0005 -o narrow good
if have otf2-print; then
	# Inside the window all events but those of operations that reach beyond it are there, with their times
	events good | awk '$3 >= 1300 && $3 <= 1500' | grep -E '^(ENTER|LEAVE)' > a
	events narrow | awk '$3 > 1300 && $3 < 1500' | grep -E '^(ENTER|LEAVE)' > b
	awk '$3 > 1300 && $3 < 1500' a | cmp - b || bad "regions inside the window differ"
	contains "time of the copy" "$(otf2-print -G narrow/traces.otf2)" 'CLOCK_PROPERTIES .*Global Offset: 1300, Length: 200'
fi
contains "says what it is" "$("$trace" narrow)" 'FATHOM::PART = cut 0.0003:0.0005'
works "$trace" --cut 'MPI_Barrier#1' -o barrier good
sound "one visit" barrier

# --- ranks
for ranks in 0 1 0,1 0-1; do
	rm -rf part
	works "$trace" --ranks $ranks -o part good
	sound "--ranks $ranks" part
done
same "ranks of a part" 2 "$("$trace" part --info --json | "$PYTHON3" -c 'import json, sys; print(json.load(sys.stdin)["ranks"])')"
works "$trace" --ranks 1 --cut 0.0002:0.0006 -o both good
sound "both" both
contains "says what it is" "$("$trace" both)" 'FATHOM::PART = cut 0.0002:0.0006 ranks 1'

# --- filter
echo 'exclude main' > rules.flt
works "$trace" --filter rules.flt -o filtered good
sound "filtered" filtered
"$trace" --json filtered > out
"$PYTHON3" -c '
import json
d = json.load(open("out"))
assert not [r for r in d["regions"] if r["name"] == "main"], d["regions"]
assert [r for r in d["regions"] if r["name"] == "MPI_Barrier"], d["regions"]' || bad "--filter"

# --- nothing is lost or overwritten, one line says what is wrong
diff -r good before > changes || bad "the trace that was read has changed"
refused "an existing directory" 1 '^fathom trace: whole: File exists \(the result is always a new directory\)$' "$trace" -o whole good
mkdir empty
refused "an empty directory" 1 '^fathom trace: empty: File exists' "$trace" -o empty good
refused "no place" 1 '^fathom trace: no/where: No such file or directory$' "$trace" -o no/where good
refused "no output" 2 '^fathom trace: -o NEW-DIRECTORY is missing' "$trace" --cut 0:1 good
refused "a wrong window" 1 '^fathom trace: --cut now: neither FROM:TO in seconds, such as 1.5:2, nor REGION#N, nor iterations:N$' "$trace" --cut now -o new good
refused "beyond the end" 1 '^fathom trace: --cut 5:6: nothing is between these times; the trace has 0.03 s$' "$trace" --cut 5:6 -o new good
refused "no such region" 1 '^fathom trace: --cut nothing#1: the trace has no region of that name' "$trace" --cut 'nothing#1' -o new good
refused "no such visit" 1 "^fathom trace: --cut MPI_Barrier#99: there is no such visit; the region has [0-9]+ visits" "$trace" --cut 'MPI_Barrier#99' -o new good
refused "no such rank" 1 '^fathom trace: --ranks 2: the trace has 2 ranks, from 0 on$' "$trace" --ranks 2 -o new good
refused "no list of ranks" 1 '^fathom trace: --ranks 1-: not a list of ranks such as 0-3,8$' "$trace" --ranks 1- -o new good
refused "no rules" 1 'absent.flt' "$trace" --filter absent.flt -o new good
refused "reports and copies" 2 'writes no trace' "$trace" --info -o new good
refused "json" 2 'json goes with' "$trace" --json -o new good
refused "no trace" 1 'absent' "$trace" --info absent
[ ! -e new ] || bad "a refused command left a directory"
make_trace never-left left
cp left/traces/0.evt damaged.evt
head -c 200 damaged.evt > left/traces/0.evt
"$trace" -o damaged left > out 2> err
same "exit code of a damaged trace" 1 $?
same "lines about a damaged trace" 1 "$(wc -l < err)"
[ ! -e damaged ] || bad "an unfinished copy was left"

# --- traces of real programs, of fathom and of Score-P; cut where shares of their time are
parts() {	# NAME DIR SHARE:SHARE...
	name=$1 dir=$2
	shift 2
	"$trace" --json "$dir" > out || bad "$name: --info"
	for share in "$@"; do
		cut=$("$PYTHON3" -c '
import json, sys
d = json.load(open("out"))
first = min(l["first_seconds"] for l in d["locations"] if l["events"])
last = max(l["last_seconds"] for l in d["locations"] if l["events"])
print(":".join("%.9f" % (first + float(s) * (last - first)) for s in sys.argv[1].split(":")))' "$share")
		rm -rf part
		"$trace" --cut "$cut" -o part "$dir" > out.part 2> err || bad "$name --cut $cut: $(cat err)"
		sound "$name --cut $cut" part
	done
}
real=yes
if [ -n "${MPICC:-}" ] && [ -n "${MPIRUN:-}" ]; then
	libs="-L$builddir/.libs -Wl,-rpath,$builddir/.libs -Wl,--push-state,--no-as-needed -lfathom-mpi -lfathom -Wl,--pop-state"
	"$MPICC" -g -O1 -w "$srcdir/test/run/trace_rma.c" -o rma $libs || die "cannot build"
	FATHOM_MODE=trace "$MPIRUN" -n 3 ./rma > out 2> err || die "it fails: $(cat err)"
	parts one-sided "$(experiment)" 0.3:0.31 0.5:0.9
	works "$trace" --ranks 0,2 -o pair "$(experiment)"
	sound "two ranks of three" pair
else
	left_out "no MPI: windows of a real trace"
fi
if [ -d "${shared:-}/data/tasks-trace" ]; then
	parts tasks "$shared/data/tasks-trace" 0.1:0.3 0.25:0.5 0.5:0.6 0.7:1
fi
real=
if [ -d "${shared:-}/data/mix-trace" ]; then	# whose clocks disagree: the oracle does not like the trace itself
	parts mix "$shared/data/mix-trace" 0.2:0.6 0.5:0.9 0.8:1
fi
verdict
