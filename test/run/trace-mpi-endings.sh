#!/bin/bash
# MPI programs that do not reach MPI_Finalize, traced: each process that can leaves a sound trace of its own, which
# says who is missing; nothing hidden stays behind.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"
need_mpi
command -v otf2-print > /dev/null || skip "no otf2-print (Debian: otf2-tools)"
ulimit -c 0

cat > prog.c <<'C'
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static volatile long sink;
static void work(void) { for (int i = 0; i < 1000; i++) sink++; }
/* Things that records name, with members that are not in the trace of one process. */
static void talk(int rank, int size, int ends_early)
{
	int other = (rank + 1) % size, before = (rank + size - 1) % size, in, out = rank;
	MPI_Comm copy, half;
	MPI_Win win;
	MPI_Request request;
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	MPI_Comm_set_name(copy, "copy");
	MPI_Comm_split(copy, rank % 2, -rank, &half);
	MPI_Sendrecv(&out, 1, MPI_INT, other, 3, &in, 1, MPI_INT, before, 3, copy, MPI_STATUS_IGNORE);
	MPI_Bcast(&in, 1, MPI_INT, 1, MPI_COMM_WORLD);
	MPI_Allreduce(MPI_IN_PLACE, &in, 1, MPI_INT, MPI_SUM, half);
	MPI_Win_create(&in, sizeof(in), 1, MPI_INFO_NULL, copy, &win);
	MPI_Win_set_name(win, "window");
	MPI_Win_fence(0, win);
	MPI_Put(&out, 1, MPI_INT, other, 0, 1, MPI_INT, win);
	MPI_Win_fence(0, win);
	if (ends_early) MPI_Irecv(&in, 1, MPI_INT, before, 99, copy, &request);	/* never arrives */
	MPI_Barrier(copy);
	if (!ends_early) MPI_Win_free(&win);
}
int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	int rank, size;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	work();
	talk(rank, size, *way);
	if (!strcmp(way, "exit")) exit(0);
	if (!strcmp(way, "_exit")) _exit(0);
	if (!strcmp(way, "abort")) { if (rank == 2) abort(); pause(); }
	if (!strcmp(way, "mpi-abort")) { if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 7); pause(); }
	if (!strcmp(way, "term")) { if (rank == 0) raise(SIGTERM); pause(); }
	if (!strcmp(way, "kill")) { if (rank == 1) raise(SIGKILL); pause(); }
	MPI_Finalize();
	return 0;
}
C
mpilibs="-L$builddir/.libs -Wl,-rpath,$builddir/.libs -Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom-mpi -lfathom -Wl,--pop-state"
"$MPICC" -g -O1 -finstrument-functions prog.c -o prog $mpilibs || die "cannot build"
"$MPICC" -g -O1 prog.c -o plain || die "cannot build"

# run WAY: as without fathom
run()
{
	rm -rf fathom-* .fathom-trace-*
	timeout 60 "$MPIRUN" -n 3 ./plain "$1" > plain.out 2> plain.err < /dev/null; plain_code=$?
	timeout 60 "$MPIRUN" -n 3 ./prog "$1" > prog.out 2> prog.err < /dev/null; code=$?
	# Where ranks die of different signals, mpirun puts together those it has seen.
	case $1 in
	# The first one that is gone makes it kill the others, should they not be gone as well.
	*exit) [ $code = $plain_code ] || [ $code = 9 ] || [ $plain_code = 9 ] || bad "$1: exit codes $plain_code and $code" ;;
	abort | term) [ $plain_code -ne 0 ] && [ $code -ne 0 ] || bad "$1: exit codes $plain_code and $code" ;;
	*) same "$1: exit code" $plain_code $code ;;
	esac
	dir=$(experiment) || { bad "$1: $(cat prog.err)"; dir=none; }
}

# properties DIR: a line "name value" for each property of the trace
properties() { otf2-print -I "$1/traces.otf2" | awk '/^Property name/ { n = $3 } /^Property value/ { sub(/^Property value */, ""); print n, $0 }'; }

# left WAY RANK WHY: the trace that one process left
left()
{
	local of="$FATHOM_MODE, $1, rank $2" at="$dir/rank-$2"
	sound "$of" "$at" || return
	otf2-print -G "$at/traces.otf2" > defs
	properties "$at" > properties
	contains "$of: why" "$(grep INCOMPLETE properties)" "^FATHOM::INCOMPLETE .*$3"
	same "$of: how many are missing" "FATHOM::ABSENT_PROCESSES 2" "$(grep ABSENT properties)"
	same "$of: what MPI did is not all there" "OTF2::MPI_COMMUNICATION_COMPLETE false" "$(grep MPI_COMM properties)"
	same "$of: those that are absent" 2 "$(grep -c '^LOCATION_GROUP.*(absent)' defs)"
	contains "$of: itself" "$(grep "^LOCATION_GROUP  *$2 " defs)" "\"MPI Rank $2\""
	contains "$of: the world" "$(grep '^COMM .*"MPI_COMM_WORLD"' defs)" 'Group:'
	contains "$of: a name" "$(grep '^COMM .*"copy"' defs)" 'Parent: "MPI_COMM_WORLD"'
	contains "$of: a window" "$(grep '^RMA_WIN' defs)" '"window".*"copy"'
	contains "$of: a send" "$(grep '^MPI_SEND ' events.txt)" "^MPI_SEND  *$2 .*Receiver: $((($2 + 1) % 3)) .*\"copy\""
	[ "$(enters "$at" | awk '$2 == "work" { print $1 }')" = 1 ] || bad "$of: work is not in the trace"
	[ "$FATHOM_MODE" = trace ] || check_profile "$at.cubex"
}

for FATHOM_MODE in trace profile,trace; do
	export FATHOM_MODE
	for way in exit _exit; do
		[ $FATHOM_MODE = trace ] || [ $way = _exit ] || continue
		run $way
		for r in 0 1 2; do left $way $r "ended"; done
		nothing_hidden "$FATHOM_MODE, $way"
	done
	# The process manager kills those that wait, without a word.
	for ending in abort=2=SIGABRT mpi-abort=1=MPI_Abort term=0=SIGTERM; do
		[ $FATHOM_MODE = trace ] || [ ${ending%%=*} = mpi-abort ] || continue
		way=${ending%%=*} why=${ending##*=} rank=${ending#*=} rank=${rank%%=*}
		run $way
		left $way $rank $why
	done
done

# Killed without warning there is no trace, nor anything that looks like one; what is hidden says what it is, and the
# next trace that is made there takes it away, but not what belongs to others.
export FATHOM_MODE=trace
run kill
[ -z "$(find . -name traces.otf2)" ] || bad "after SIGKILL there is a trace"
set -- .fathom-trace-*
[ -d "$1" ] || bad "after SIGKILL nothing hidden is there: the rest of this test is in vain"
if [ -x "$FATHOM-check" ]; then
	contains "what is hidden" "$("$FATHOM" check "$1" 2>&1)" "^fathom check: $1: events of a process that is still running or was killed; "
	contains "beside it" "$("$FATHOM" check 2>&1)" "; \.fathom-trace-[^ ]* is of a process that is still running or was killed$"
fi
other=$(echo "$1" | sed 's/trace-\(.*\)-[0-9]*-\([0-9a-f]*\)$/trace-\1-1-\2/')	# process 1 lives
[ "$other" != "$1" ] && mkdir "$other" .fathom-trace-elsewhere-1234-99999999-0 || bad "names are not as they were: $1"
: > "$1/keep"
rm -rf fathom-*
"$MPIRUN" -n 3 ./prog > prog.out 2> prog.err || bad "the next run fails: $(cat prog.err)"
same "hidden after the next run" "$(printf '%s\n' .fathom-trace-elsewhere-1234-99999999-0 "$1" "$other" | sort)" "$(ls -d .fathom-trace-* | sort)"
same "what nobody knows stays" keep "$(ls "$1")"
dir=$(experiment) && sound "the next run" "$dir"
run exit
[ ! -x "$FATHOM-check" ] || contains "traces of single ranks" "$("$FATHOM" check "$dir" 2>&1)" "^fathom check: $dir: holds the traces that 3 ranks left alone, each a trace for itself, such as $dir/rank-0$"

# Processes that only have sessions know their ranks all the same.
cat > session.c <<'C'
#include <mpi.h>
int main(void)
{
	MPI_Session session;
	MPI_Group all;
	MPI_Comm comm, copy;
	int rank, size, in, out = 1;
	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
	MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
	MPI_Comm_create_from_group(all, "tag", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, 1, &in, 1, MPI_INT, (rank + size - 1) % size, 1, comm, MPI_STATUS_IGNORE);
	MPI_Comm_dup(comm, &copy);
	MPI_Barrier(copy);
	MPI_Comm_free(&copy);
	MPI_Comm_free(&comm);
	MPI_Group_free(&all);
	MPI_Session_finalize(&session);
	return 0;
}
C
if "$MPICC" -g -O1 -finstrument-functions session.c -o session $mpilibs 2> /dev/null; then
	rm -rf fathom-* .fathom-trace-*
	"$MPIRUN" -n 3 ./session > prog.out 2> prog.err || bad "session: exit code"
	dir=$(experiment) || exit 1
	for r in 0 1 2; do
		sound "session, rank $r" "$dir/rank-$r"
		contains "session, rank $r: send" "$(grep '^MPI_SEND ' events.txt)" "^MPI_SEND  *$r .*Receiver: $(((r + 1) % 3)) "
	done
	nothing_hidden session
	same "session: no world" 0 "$(otf2-print -G "$dir/rank-0/traces.otf2" | grep -c MPI_COMM_WORLD)"
fi
verdict
