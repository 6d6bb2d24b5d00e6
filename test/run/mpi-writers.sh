#!/bin/bash
# The ranks write their columns themselves: whoever writes, the profile is the same; and what is said and left
# where writing fails.
# Runs alone: up to 8 ranks.
. "${srcdir:?}/test/lib.sh" || exit 99
need_mpi
export FATHOM_WAITS=off	# which wait states there are differs from run to run

cat > prog.c <<'C'
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
static volatile long sink;
static void work(int n) { for (int i = 0; i < n; i++) sink++; }
static void deep(int levels) { if (levels) deep(levels - 1); else work(10); }
static void in_thread(void) { work(100); }
static pthread_barrier_t together;	/* all threads of a rank exist at once: the profile says how many did */
static void *thread(void *arg) { in_thread(); pthread_barrier_wait(&together); return arg; }
static void only_on_third(void) { work(1); }
int main(int argc, char **argv)
{
	pthread_t threads[3];
	char data[64] = { 0 };
	int rank, size;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < 3 + rank; i++) work(1000);
	pthread_barrier_init(&together, 0, rank % 4 + 1);
	for (int i = 0; i < rank % 4; i++) pthread_create(&threads[i], 0, thread, 0);
	pthread_barrier_wait(&together);
	for (int i = 0; i < rank % 4; i++) pthread_join(threads[i], 0);
	deep(30 + rank % 2);
	if (rank % 3 == 2) only_on_third();
	if (rank > 0) MPI_Send(data, rank, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
	else for (int i = 1; i < size; i++) MPI_Recv(data, 64, MPI_CHAR, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
	if (getenv("FAULT") && !strcmp(getenv("FAULT"), "limit") && rank == atoi(getenv("FAULT_RANK")))
		setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 1000, 1000 });
	MPI_Finalize();
	return 0;
}
C
mpilibs="-L$builddir/.libs -Wl,-rpath,$builddir/.libs -Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom-mpi -lfathom -Wl,--pop-state"
"$MPICC" -g -O1 -finstrument-functions prog.c -o prog -pthread $mpilibs || die "cannot build"

# What fails, and a mark for each file that is opened by MPI-IO.
cat > faults.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int is(const char *fault)
{
	const char *rank = getenv("PMI_RANK"), *what = getenv("FAULT"), *where = getenv("FAULT_RANK");
	return what && where && rank && !strcmp(what, fault) && !strcmp(rank, where);
}
int PMPI_File_open(MPI_Comm comm, const char *path, int mode, MPI_Info info, MPI_File *file)
{
	int (*real)(MPI_Comm, const char *, int, MPI_Info, MPI_File *) = dlsym(RTLD_NEXT, "PMPI_File_open");
	FILE *marks = fopen("marks", "a");
	if (marks) { fprintf(marks, "open %s\n", getenv("PMI_RANK")); fclose(marks); }
	return is("open") ? MPI_ERR_IO : real(comm, path, mode, info, file);
}
int PMPI_File_write_at(MPI_File file, MPI_Offset at, const void *data, int count, MPI_Datatype type, MPI_Status *status)
{
	int (*real)(MPI_File, MPI_Offset, const void *, int, MPI_Datatype, MPI_Status *) =
		dlsym(RTLD_NEXT, "PMPI_File_write_at");
	return is("write") ? MPI_ERR_IO : is("full") ? MPI_ERR_NO_SPACE : real(file, at, data, count, type, status);
}
C
"$MPICC" -shared -fPIC -O1 faults.c -o libfaults.so -ldl || die "cannot build the faults"

# All that must be the same in every run: structure, and numbers by location.
known() {
	"$builddir/test/run/dump" -s "$1" | grep -Ev '^attribute fathom::(begin|wall_time|processor_time|event_cost|events)'
	for metric in visits num_threads bytes_sent bytes_received messages_sent messages_received; do
		"$builddir/test/run/dump" -l $metric "$1" | sed "s/^/$metric /"
	done
}
# run NAME RANKS RANKS_PER_WRITER: stderr of the run in NAME.err.
run() {
	name=$1 ranks=$2 per_writer=$3
	FATHOM_NAME=$name FATHOM_RANKS_PER_WRITER=$per_writer "$MPIRUN" -n "$ranks" ./prog 2> "$name.err"
	same "$name: exit code" 0 $?
}

export LD_PRELOAD=
for threads in all sum set key calltree; do
	export FATHOM_THREADS=$threads
	case $threads in all) counts="1 2 3 5 8" writers="64 1 2" ;; *) counts=5 writers="64 2" ;; esac
	for n in $counts; do
		for per_writer in $writers; do
			rm -f marks
			LD_PRELOAD=$work/libfaults.so run $threads-$n-$per_writer $n $per_writer
			f=$threads-$n-$per_writer/profile.cubex
			check_profile $f
			known $f > $threads-$n-$per_writer.known
			same "$f: lines said" 1 "$(lines_said $threads-$n-$per_writer.err)"
			same "$f: files opened by MPI-IO" $(((n - 1) / per_writer)) "$(cat marks 2> /dev/null | wc -l)"
			cmp $threads-$n-64.known $threads-$n-$per_writer.known >&2 || bad "$f is not what rank 0 alone writes"
		done
	done
done
[ -s all-8-1.known ] && grep -q 'visits 1 .*only_on_third' all-8-1.known || bad "what is compared is empty"
tar tf all-8-1/profile.cubex > /dev/null || bad "tar cannot read it"
unset FATHOM_THREADS

# Where hosts are dealt to ranks in turn, columns are in another order than ranks: the same values in other columns.
export FATHOM_SYSTEM_TREE='machine/node=n%{r%3}'
for per_writer in 64 2; do
	run spread-$per_writer 8 $per_writer
	check_profile spread-$per_writer/profile.cubex
	known spread-$per_writer/profile.cubex > spread-$per_writer.known
done
unset FATHOM_SYSTEM_TREE
cmp spread-64.known spread-2.known >&2 || bad "other columns: it matters who writes"
ranks=$(sed -n 's/^location MPI Rank \([0-9]*\)|.*/\1/p' spread-2.known | uniq | tr '\n' ' ')
same "each rank stands once, by its host" "0 1 2 3 4 5 6 7" "$(printf '%s\n' $ranks | sort -n | tr '\n' ' ' | sed 's/ $//')"
[ "$ranks" != "0 1 2 3 4 5 6 7 " ] || bad "columns are in the order of ranks: $ranks"
sums() { sed 's/ @.*//' "$1" | grep '^[a-z_]* [0-9]' | awk '{ k = $1; v = $2; $1 = $2 = ""; s[k $0] += v } END { for (i in s) print i, s[i] }' | sort; }
sums spread-2.known > spread.sums
sums all-8-64.known | cmp - spread.sums >&2 || bad "other columns: other sums"

# A rank that cannot write by MPI-IO: rank 0 does for all, and says so. The limit for files is a real one.
for fault in open write limit; do
	for per_writer in 1 2; do
		name=$fault-$per_writer
		FAULT=$fault FAULT_RANK=4 LD_PRELOAD=$work/libfaults.so FATHOM_NAME=$name \
			FATHOM_RANKS_PER_WRITER=$per_writer "$MPIRUN" -n 5 ./prog 2> $name.err
		same "$name: exit code" 0 $?
		contains "$name" "$(cat $name.err)" 'rank 4 cannot write to .*/profile.cubex by MPI-IO \(.*\): rank 0 writes for all'
		same "$name: lines said" 2 "$(lines_said $name.err)"
		check_profile $name/profile.cubex
		known $name/profile.cubex | cmp - all-5-64.known >&2 || bad "$name: another profile"
	done
done

# No room at one rank: no profile under its name, nor any other, and one line that says why.
FAULT=full FAULT_RANK=3 LD_PRELOAD=$work/libfaults.so run full 5 1
contains full "$(cat full.err)" 'full/profile.cubex cannot be written \(rank 3: No space left on device\): the profile is lost'
same "full: lines said" 1 "$(lines_said full.err)"
# (A rank that waited for a processor after MPI_Finalize has left a file of its own, and says so.)
same "full: files" "" "$(ls full | grep cubex | grep -v '^rank-[0-9]*\.cubex$')"
same "full: files of ranks" "$(grep -c 'continued for' full.err)" "$(ls full | grep -c '^rank-[0-9]*\.cubex$')"

# A wrong number.
out=$(FATHOM_RANKS_PER_WRITER=0 ./prog 2>&1)
same "a wrong number: exit code" 2 $?
contains "a wrong number" "$out" 'FATHOM_RANKS_PER_WRITER=0 cannot be used: allowed is a number from 1 to 4096'
verdict
