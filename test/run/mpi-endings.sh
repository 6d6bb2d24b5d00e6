#!/bin/bash
# MPI programs that do not reach MPI_Finalize, or do so in odd places.
. "${srcdir:?}/test/lib.sh" || exit 99
need_mpi
ulimit -c 0

cat > prog.c <<'C'
#define _GNU_SOURCE
#include <mpi.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static volatile long sink;
static void work(void) { for (int i = 0; i < 1000; i++) sink++; }
static int in_destructor;
__attribute__((destructor)) static void late(void) { if (in_destructor) { work(); MPI_Finalize(); work(); } }
static int is_slow;
/* In place of the library's: it takes its time to end, which is nothing that the program does. */
int PMPI_Finalize(void)
{
	int (*finalize)(void) = (int (*)(void))dlsym(RTLD_NEXT, "PMPI_Finalize");
	if (is_slow) usleep(400000);
	return finalize();
}
int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	work();
	if (!strcmp(argv[1], "destructor")) { in_destructor = 1; return 0; }
	if (!strcmp(argv[1], "exit")) { MPI_Barrier(MPI_COMM_WORLD); exit(0); }
	if (!strcmp(argv[1], "abort")) { MPI_Barrier(MPI_COMM_WORLD); if (rank == 0) MPI_Abort(MPI_COMM_WORLD, 7); MPI_Barrier(MPI_COMM_WORLD); }
	if (!strcmp(argv[1], "segv")) { MPI_Barrier(MPI_COMM_WORLD); if (rank == 1) raise(SIGSEGV); sleep(5); }
	if (!strcmp(argv[1], "term")) { MPI_Barrier(MPI_COMM_WORLD); raise(SIGTERM); }
	is_slow = !strcmp(argv[1], "slow");
	MPI_Finalize();
	if (!strcmp(argv[1], "after")) for (int i = 0; i < 3; i++) work();
	if (!strcmp(argv[1], "long-after")) { if (rank == 1) { usleep(600000); work(); } return 0; }
	return 0;
}
C
mpilibs="-L$builddir/.libs -Wl,-rpath,$builddir/.libs -Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom-mpi -lfathom -Wl,--pop-state"
"$MPICC" -g -O1 -finstrument-functions prog.c -o prog $mpilibs -ldl || die "cannot build"
"$MPICC" -g -O1 prog.c -o plain -ldl || die "cannot build"

run() # WAY
{
	rm -rf fathom-*
	timeout 60 "$MPIRUN" -n 2 ./plain "$1" > plain.out 2> plain.err; plain_code=$?
	timeout 60 "$MPIRUN" -n 2 ./prog "$1" > prog.out 2> prog.err; code=$?
	# Where all ranks die of a signal, mpirun reports one of them, by chance.
	case $1 in
	term) [ $plain_code -ne 0 ] && [ $code -ne 0 ] || bad "$1: exit codes $plain_code and $code" ;;
	*) same "$1: exit code" $plain_code $code ;;
	esac
	dir=$(experiment) || { bad "$1: $(cat prog.err)"; dir=none; }
}

run destructor
check_profile "$dir/profile.cubex"
same "destructor: work below late" 2 "$(value visits prog/late/work "$dir/profile.cubex")"
same "destructor: MPI_Finalize" 2 "$(value visits prog/late/MPI_Finalize "$dir/profile.cubex")"

run exit
for r in 0 1; do
	[ -f "$dir/rank-$r.cubex" ] && continue
	bad "exit: rank $r left nothing: $(ls "$dir")"
done
for file in "$dir"/*; do
	name=$(basename "$file" | sed 's/^rank-[0-9]*/rank-N/')
	[ "$name" = MANIFEST.md ] || grep -q "\`$name\`" "$dir/MANIFEST.md" || bad "exit: $name is not named in MANIFEST.md"
done
[ -f "$dir/first-to-end" ] || bad "exit: no first-to-end: $(ls "$dir")"
check_profile "$dir/rank-0.cubex"
same "exit: lines said" 1 "$(grep -c '^fathom: ' prog.err)"
contains "exit" "$(cat prog.err)" "^fathom: rank [01]: ended without MPI_Finalize; each rank that could saved its own profile: fathom merge $dir$"
"$FATHOM" merge "$dir" > merge.out 2>&1 || bad "merge: $(cat merge.out)"
check_profile "$dir/profile.cubex"
same "exit: work of both ranks" 2 "$(value visits prog/main/work "$dir/profile.cubex")"

run abort
[ -f "$dir/rank-0.cubex" ] || bad "abort: $(ls "$dir")"
contains "abort" "$(cat prog.err)" "^fathom: rank 0: MPI_Abort was called; "
run segv
[ -f "$dir/rank-1.cubex" ] || bad "segv: $(ls "$dir")"
same "segv: work" 1 "$(value visits prog/main/work "$dir/rank-1.cubex")"
run term
[ -f "$dir/rank-0.cubex" ] || [ -f "$dir/rank-1.cubex" ] || bad "term: $(ls "$dir")"
run after
check_profile "$dir/profile.cubex"
# That is short, and so nobody's file.
same "after: files of ranks" "0 0" "$(grep -c 'continued for' prog.err) $(ls "$dir" | grep -c rank)"
run slow
same "slow: files of ranks" "0 0" "$(grep -c 'continued for' prog.err) $(ls "$dir" | grep -c rank)"
run long-after
check_profile "$dir/profile.cubex"
check_profile "$dir/rank-1.cubex"
same "long-after: work before MPI_Finalize" 2 "$(value visits prog/main/work "$dir/profile.cubex")"
same "long-after: work of rank 1" 2 "$(value visits prog/main/work "$dir/rank-1.cubex")"
contains "long-after" "$(cat prog.err)" "^fathom: rank 1 continued for [0-9.]+ s after MPI_Finalize; this time is not in profile.cubex: .*/rank-1.cubex has all of this rank$"
# Processes that never meet in MPI_Init: sessions, and MPI that is not measured. One directory all the same.
cat > session.c <<'C'
#include <mpi.h>
static volatile long sink;
static void work(void) { for (int i = 0; i < 1000; i++) sink++; }
int main(void)
{
	MPI_Session session;
	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
	work();
	MPI_Session_finalize(&session);
	return 0;
}
C
"$MPICC" -g -O1 -finstrument-functions session.c -o session $mpilibs || die "cannot build"
"$MPICC" -g -O1 -finstrument-functions prog.c -o unmeasured $fathom_libs || die "cannot build"
for program in session "unmeasured x"; do
	rm -rf fathom-*
	"$MPIRUN" -n 2 ./$program > prog.out 2> prog.err || bad "$program: exit code"
	dir=$(experiment) || { bad "$program: $(cat prog.err)"; continue; }
	same "$program: lines said" 1 "$(grep -c '^fathom: ' prog.err)"
	contains "$program" "$(cat prog.err)" "^fathom: rank [01]: no MPI_Init was seen; each rank that could saved its own profile: fathom merge $dir$"
	"$FATHOM" merge "$dir" > merge.out 2>&1 || bad "merge: $(cat merge.out)"
	check_profile "$dir/profile.cubex"
	same "$program: work" 2 "$(value visits "${program%% *}/main/work" "$dir/profile.cubex")"
done
same "MPI_Session_init" 0 "$(value visits unmeasured/main/MPI_Init "$dir/profile.cubex")"
verdict
