#!/bin/bash
# fathom list: the experiments in a directory, of every state, with what is known of them.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
list=$builddir/fathom-list make_table=$builddir/test/tools/make_table

# holds WHAT FILE EXPRESSION: whether the expression of Python holds; by is the list by directory
holds() {
	"$PYTHON3" - "$2" "$3" << 'PY' || bad "$1: $3 in $(cat "$2")"
import json, sys
d = json.load(open(sys.argv[1]))
entries = d["experiments"]
by = {e["directory"].split("/")[-1]: e for e in entries}
sys.exit(0 if eval(sys.argv[2]) else 1)
PY
}
# experiment DIRECTORY DATE RANKS: an experiment with a profile of so many ranks that began then
experiment() {
	mkdir -p "$1"
	printf 'attribute Creator fathom 0\nattribute fathom::program /home/user/heat\nattribute fathom::begin %s\n%s\n%s\n%s\n' "$2" \
		"attribute fathom::wall_time 12.5" "attribute fathom::complete ${4:-yes}" 'main compiler function time=1 visits=1' |
		"$make_table" "$3" "$1/profile.cubex" || die make_table
}

mkdir runs
experiment runs/middle '2026-11-20 14:32:01 +01:00' 4
experiment runs/newest '2026-11-21 00:00:00 +00:00' 2x2
experiment runs/oldest '2026-11-20 13:32:00 +00:00' 1
experiment runs/crashed '2026-11-19 13:32:00 +00:00' 1 'no: ended by signal 11 (Segmentation fault)'
experiment runs/restored '2026-11-18 13:32:00 +00:00' 1 'no: the program was killed; its last snapshot is of 2026-11-18 13:33:00'
mkdir runs/fathom-my-prog-20261117-1201-7f3a runs/stopped runs/other
printf 'attribute Creator fathom 0\nattribute fathom::size 8\nmain compiler function time=1\n' |
	"$make_table" 1 runs/fathom-my-prog-20261117-1201-7f3a/rank-3.cubex || die make_table
: > runs/stopped/profile.cubex.part
: > runs/other/notes.txt
touch -d '2026-11-01 12:00' runs/stopped	# the date of what has no other
works "$list" --json runs
cp out list.json
for is in '[e["directory"] for e in entries if "2026-11-20" <= e["begin"] < "2026-11-22"] == ["runs/newest", "runs/middle", "runs/oldest"]' \
	'set(by) == {"newest", "middle", "oldest", "crashed", "restored", "stopped", "fathom-my-prog-20261117-1201-7f3a"}' \
	'by["middle"]["begin"] == "2026-11-20T13:32:01Z" and by["middle"]["program"] == "/home/user/heat"' \
	'(by["middle"]["ranks"], by["middle"]["threads"], by["newest"]["ranks"], by["newest"]["threads"]) == (4, 4, 2, 4)' \
	'by["middle"]["wall_time"] == 12.5 and by["middle"]["state"] == "complete" and by["middle"]["reason"] is None' \
	'by["middle"]["profile"] and not by["middle"]["trace"]' \
	'by["crashed"]["state"] == "ended early" and by["crashed"]["reason"].startswith("ended by signal 11")' \
	'by["restored"]["state"] == "killed" and by["stopped"]["state"] == "unfinished"' \
	'by["fathom-my-prog-20261117-1201-7f3a"]["state"] == "in parts" and by["fathom-my-prog-20261117-1201-7f3a"]["ranks"] == 8' \
	'by["fathom-my-prog-20261117-1201-7f3a"]["program"] == "my-prog"' \
	'by["fathom-my-prog-20261117-1201-7f3a"]["begin"] == "2026-11-17T12:01:00Z"'
do holds "the list" list.json "$is"; done
works "$list" --width 80 runs/
fits "text" 80 out
same "the newest first" runs/newest "$(head -1 out)"
contains "a complete one" "$(cat out)" '^  heat, 4 ranks, 12\.50 s, 2026-11-20 13:32: complete, profile$'
contains "a crash" "$(cat out)" '^    ended by signal 11'
contains "parts" "$(cat out)" 'fathom merge puts the files of the ranks together'
works "$list" runs/middle
same "an experiment itself" 2 "$(lines_said out)"
FATHOM_DIR=runs works "$list"
same "FATHOM_DIR" runs/newest "$(head -1 out)"
(cd runs && works "$list" && same "here" newest "$(head -1 out)")

# Damage is said in one line, and the others are listed.
mkdir bad
experiment bad/good '2026-11-20 14:32:01 +00:00' 1
mkdir bad/worse
echo 'no profile' > bad/worse/profile.cubex
"$list" --json bad > bad.json 2> err
same "a damaged profile: exit code" 1 $?
same "a damaged profile: lines of complaint" 1 "$(lines_said err)"
contains "a damaged profile" "$(cat err)" '^fathom list: bad/worse/profile.cubex: '
holds "a damaged profile" bad.json 'by["worse"]["state"] == "damaged" and by["worse"]["reason"] and by["good"]["state"] == "complete"'

# A program: its profile and trace, and while it runs, and killed.
cat > app.c << 'C'
#include <unistd.h>
__attribute__((noinline)) void step(void) { usleep(1000); }
int main(int argc, char **argv)
{
	(void)argv;
	do
		step();
	while (argc > 1);
	return 0;
}
C
FATHOM_INSTRUMENT_MIN_INSNS=0 "$FATHOM" "$CC" -g app.c -o app > err 2>&1 || die "app: $(cat err)"
mkdir real
FATHOM_NAME=profile FATHOM_DIR=real ./app 2> err || die "app: $(cat err)"
works "$list" --json real
cp out real.json
holds "a real run" real.json '(by["profile"]["state"] == "complete" and by["profile"]["ranks"] == 1 and by["profile"]["wall_time"] > 0
	and by["profile"]["program"].endswith("app"))'
if [ -x "$builddir/test/tools/make_trace" ]; then
	FATHOM_MODE=trace FATHOM_NAME=trace FATHOM_DIR=real ./app 2> err || die "trace: $(cat err)"
	FATHOM_MODE=profile,trace FATHOM_NAME=both FATHOM_DIR=real ./app 2> err || die "both: $(cat err)"
	works "$list" --json real
	cp out real.json
	holds "a trace" real.json '(by["trace"]["trace"] and not by["trace"]["profile"] and by["trace"]["ranks"] == 1
		and by["trace"]["program"].endswith("app") and by["trace"]["state"] == "complete")'
	holds "both" real.json 'by["both"]["trace"] and by["both"]["profile"]'
fi
mkdir live
FATHOM_NAME=run FATHOM_DIR=live timeout -s KILL 120 ./app forever 2> err &
starter=$!
# The snapshot appears a moment before its lock, which shows that the program runs.
for _ in $(seq 400); do
	"$list" live 2> /dev/null | grep -q running && break
	sleep 0.05
done
if [ -e live/run/profile.snapshot ]; then
	works "$list" --json live
	cp out live.json
	holds "running" live.json 'by["run"]["state"] == "running"'
	pkill -KILL -P $starter
	wait $starter 2> /dev/null
	works "$list" live
	contains "killed" "$(cat out)" 'killed$'
	contains "killed, what next" "$(cat out)" 'fathom merge makes a profile'
else
	left_out "programs that run or were killed: no run snapshots here"
	pkill -KILL -P $starter
fi

mkdir none
refused "no experiment" 1 'none: no experiment in it' "$list" none
refused "no directory" 1 'nowhere: No such file' "$list" nowhere
refused "a file" 1 'app: is no directory' "$list" app
refused "two directories" 2 'bad' "$list" runs bad
verdict
