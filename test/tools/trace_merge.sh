#!/bin/bash
# fathom trace --merge: one trace of the traces of single ranks. A trace that is split by the files of its locations is
# afterwards equal to the whole: event by event, and in its definitions.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
need_otf2
trace=$builddir/fathom-trace
oracle=${shared:-}/oracle/check_otf2.py otf2_python=
for python in "$PYTHON3" /usr/bin/python3; do
	[ -z "$otf2_python" ] && "$python" -c 'import otf2' 2> python.err && otf2_python=$python
done

# split TRACE DIR SIZE: rank-N in DIR has all definitions, and the files of the locations of rank N, as early ends leave them
split() {
	for rank in $(seq 0 $(($3 - 1))); do
		mkdir -p "$2/rank-$rank/traces"
		cp "$1/traces.otf2" "$1/traces.def" "$2/rank-$rank"
		for file in "$1"/traces/*; do
			id=${file##*/} id=${id%.*}
			[ $(((id & 0xffffffff) % $3)) != "$rank" ] || cp "$file" "$2/rank-$rank/traces"
		done
	done
	chmod -R u+w "$2"
}

# printed DIR: events and definitions as text. Ids of groups stay if the first trace has all of them.
printed() { otf2-print "$1/traces.otf2" | grep -v '^===' > "$2.events" && otf2-print -G "$1/traces.otf2" | grep -v '^===' | sort > "$2.definitions"; }

# equal WHAT A B: two traces
equal() {
	have otf2-print || return 0
	printed "$2" a
	printed "$3" b
	cmp a.events b.events || bad "$1: other events"
	cmp a.definitions b.definitions || bad "$1: other definitions"
}

make_trace good good
split good cut 2
works "$trace" --merge -o merged cut
contains "merged" "$(cat out)" '^merged/traces.otf2: 245 events of 2 traces$'
equal "ranks" good merged
works "$check" merged
works "$trace" --merge -o named cut/rank-1 cut/rank-0/traces.otf2
contains "named" "$(cat out)" '^named/traces.otf2: 245 events of 2 traces$'
works "$check" named
contains "number of traces" "$("$trace" named)" 'FATHOM::MERGED_TRACES = 2'
works "$trace" --merge -o one cut/rank-1
contains "one rank alone" "$(cat out)" '^one/traces.otf2: 120 events of 1 trace; 1 process is in none of them$'

# --- parts: what is inside a part stays; messages between them are in none. The order of the parts does not matter.
for rank in 0 1; do
	works "$trace" --ranks $rank -o part$rank good
done
works "$trace" --merge -o parts part0 part1
works "$trace" --merge -o strap part1 part0
for dir in parts strap; do
	works "$check" $dir
	if have otf2-print; then
		otf2-print $dir/traces.otf2 | grep -E '^(ENTER|LEAVE|THREAD|PARAMETER|METRIC) ' > b
		otf2-print good/traces.otf2 | grep -E '^(ENTER|LEAVE|THREAD|PARAMETER|METRIC) ' > a
		cut -c-60 a > a.short; cut -c-60 b > b.short
		cmp a.short b.short || bad "$dir: other regions"
		same "$dir: members of the world" 2 "$(otf2-print -G $dir/traces.otf2 | grep -c '^LOCATION_GROUP ')"
		contains "$dir: the world" "$(otf2-print -G $dir/traces.otf2)" 'Type: COMM_LOCATIONS, Paradigm: "MPI" <4>, Flags: NONE, 2 Members: "Master thread" <0>, "Master thread" <1>'
		same "$dir: one world" 1 "$(otf2-print -G $dir/traces.otf2 | grep -cE '^COMM +[0-9]+ +Name: "MPI_COMM_WORLD"')"
	fi
done

# --- nothing is lost or overwritten
refused "twice" 1 '^fathom trace: cut/rank-0/traces.otf2 and cut/rank-0/traces.otf2 both have events of location 0: ' "$trace" --merge -o new cut/rank-0 cut/rank-0
refused "nothing" 1 'nothing' "$trace" --merge -o new nothing
refused "no name" 2 '^fathom trace: --merge needs the names of the traces' "$trace" --merge -o new
refused "no output" 2 '^fathom trace: -o NEW-DIRECTORY is missing' "$trace" --merge cut
refused "an existing directory" 1 '^fathom trace: merged: File exists' "$trace" --merge -o merged cut
refused "selections" 2 '^fathom trace: --merge does not go with --cut' "$trace" --merge --ranks 0 -o new cut
refused "reports" 2 'writes no trace' "$trace" --merge --info -o new cut
head -c 150 cut/rank-1/traces/1.evt > short.evt
cp -r cut damaged
cp short.evt damaged/rank-1/traces/1.evt
"$trace" --merge -o new damaged > out 2> err
same "exit code of a damaged trace" 1 $?
same "lines about a damaged trace" 1 "$(wc -l < err)"
[ ! -e new ] || bad "a refused command left a directory"

# --- real traces
for name in mix:4 lulesh:8; do
	size=${name#*:} name=${name%:*}
	[ -d "${shared:-}/data/$name-trace" ] || continue
	split "$shared/data/$name-trace" "$name" "$size"
	works "$trace" --merge -o "$name-merged" "$name"
	works "$trace" -o "$name-whole" "$shared/data/$name-trace"	# with corrected times, as in a merged trace
	equal "$name" "$name-whole" "$name-merged"
	if [ -n "$otf2_python" ] && [ -e "$oracle" ]; then
		"$otf2_python" "$oracle" --foreign "$name-merged" > oracle.out 2>&1 || bad "$name: the oracle: $(tail -3 oracle.out)"
	fi
done

# --- fathom merge of a directory with traces of ranks makes the same trace there
cp -r cut left
works "$merge" left
same "fathom merge" "left/traces.otf2: the traces of 2 ranks put together" "$(cat out)"
equal "fathom merge" good left
[ ! -e left/traces.part ] || bad "fathom merge leaves traces.part"
refused "fathom merge, a second time" 1 'no rank-0.cubex, rank-1.cubex, ... in it$' "$merge" left
cp -r cut unfinished
mkdir unfinished/traces.part
refused "fathom merge, an unfinished one" 1 'unfinished/traces.part: left by a program that did not finish' "$merge" unfinished
"$merge" damaged > out 2> err && bad "fathom merge of a damaged trace: exit 0"
[ -s err ] && [ ! -e damaged/traces.otf2 ] && [ ! -e damaged/traces.part ] || bad "fathom merge of a damaged trace: $(ls damaged) $(cat err)"

# --- ranks that end early
if have_mpi; then
	cat > early.c <<'C'
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int rank, in, out = 1;
	MPI_Comm copy, pair;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	MPI_Comm_split(copy, rank < 2, -rank, &pair);
	if (rank == 1)
		MPI_Comm_set_name(copy, "copy");
	MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % 3, 5, &in, 1, MPI_INT, (rank + 2) % 3, 5, copy, MPI_STATUS_IGNORE);
	MPI_Allreduce(MPI_IN_PLACE, &in, 1, MPI_INT, MPI_SUM, pair);
	MPI_Barrier(copy);
	_exit(0);
}
C
	libs="-L$builddir/.libs -Wl,-rpath,$builddir/.libs -Wl,--push-state,--no-as-needed -lfathom-mpi -lfathom -Wl,--pop-state"
	"$MPICC" -g -O1 -w early.c -o early $libs || die "cannot build"
	FATHOM_MODE=trace timeout 60 "$MPIRUN" -n 3 ./early > out 2> err
	dir=$(experiment)
	if [ "$(ls -d "$dir"/rank-*/traces.otf2 2> ls.err | wc -l)" = 3 ]; then
		works "$trace" --merge -o together "$dir"
		contains "early ends" "$(cat out)" '^together/traces.otf2: [0-9]+ events of 3 traces$'
		works "$check" together
		contains "messages are whole" "$(cat out)" ', 3 messages, '
		if [ -n "$otf2_python" ] && [ -e "$oracle" ]; then
			"$otf2_python" "$oracle" together > oracle.out 2>&1 || bad "the oracle: $(tail -3 oracle.out)"
		fi
		works "$merge" "$dir"
		contains "fathom merge" "$(cat out)" '/traces.otf2: the traces of 3 ranks put together$'
		works "$check" "$dir"
	else
		left_out "the process manager ended a rank before it wrote its trace"
	fi
fi
verdict
