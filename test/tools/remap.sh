#!/bin/bash
# fathom remap: the metrics of activity classes that it adds are those that fathom itself writes, and those of the report;
# everything else in the file stays.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
remap=$builddir/fathom-remap make_table=$builddir/test/tools/make_table

table() { "$make_table" "$@" || die "make_table $*"; }		# table RANKS FILE < TABLE
# classes FILE: "class seconds" of each metric of the tree below time, as the file has them; sums over all threads
classes() { "$report" --json "$1" | "$PYTHON3" -c '
import json, sys
for a in json.load(sys.stdin)["activities"]:
    print(a["name"], "%.9f" % a["seconds"])'; }

# A profile as others write it: no class is given with a region.
table 2 foreign.cubex << 'T'
attribute Creator Other 1.0
main compiler function time=1,2 visits=1
main>MPI_Init mpi function time=0.5 visits=1
main>MPI_Send mpi point2point time=0.25 visits=3 bytes_sent=24
main>MPI_Wait mpi function time=0.125 visits=3
main>MPI_Barrier mpi barrier time=0,4 visits=1
main>MPI_Allreduce mpi all2all time=2 visits=1
main>fread	io	file io	time=0.0625	visits=1
main>pthread_mutex_lock pthread function time=8 visits=1
T
works "$remap" foreign.cubex -o foreign-classes.cubex
same "one line" 1 "$(lines_said out)"
contains "what was added" "$(cat out)" '^foreign-classes.cubex: 17 metrics .*Computation 10.8%; MPI 33.8%; Threads 55.4%'
# readable FILE: whether other programs can read the file, and no time is below zero (S04 to S06 are about
# minima and maxima, which are those of the original).
readable() {
	"$PYTHON3" "$srcdir/test/cube/foreign.py" --not remap --not sanity "$1" > foreign.out 2>&1 || bad "$(cat foreign.out)"
	[ -x "$shared/oracle/check_cubex.py" ] || return 0
	"$PYTHON3" "$shared/oracle/check_cubex.py" --ignore S04,S05,S06 "$1" > check.out 2>&1 || bad "$1: $(cat check.out)"
}
readable foreign-classes.cubex
cat > wanted << 'W'
time 28.875
execution 28.875
comp 3.125
io_time 0.125
io_reading_time 0.125
mpi 9.75
mpi_management 1
mpi_init_exit 1
mpi_synchronization 4
mpi_sync_collective 4
mpi_communication 4.5
mpi_point2point 0.5
mpi_collective 4
mpi_request_handling 0.25
mpi_request_completion 0.25
pthread_time 16
pthread_synchronization 16
pthread_lock_api 16
W
while read -r metric seconds; do
	same "$metric" "$seconds" "$(values "$metric" foreign-classes.cubex | awk '{ sum += $1 } END { print sum + 0 }')"
done < wanted
for metric in visits bytes_sent time; do
	same "$metric stays" "$(values $metric foreign.cubex)" "$(values $metric foreign-classes.cubex)"
done
same "the report is the same" "$(classes foreign.cubex)" "$(classes foreign-classes.cubex)"

# The classes are those that fathom writes: what a measured program did is written without its classes, and remapped.
if have_mpi; then
	cat > work.c << 'C'
#include <mpi.h>
#include <stdio.h>
static double sum;
static void work(int n) { for (int i = 0; i < n; i++) sum += i * 0.5; }
int main(int argc, char **argv)
{
	MPI_Request request;
	MPI_Comm copy;
	int rank, size, sent = 1, got, all;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
#pragma omp parallel num_threads(2)
	{
#pragma omp for
		for (int i = 0; i < 4; i++)
			sent += 0 * i;
#pragma omp critical
		work(10000);
#pragma omp barrier
#pragma omp single
		work(1000);
	}
	MPI_Irecv(&got, 1, MPI_INT, rank ^ 1, 0, copy, &request);
	MPI_Send(&sent, 1, MPI_INT, rank ^ 1, 0, copy);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Allreduce(&sent, &all, 1, MPI_INT, MPI_SUM, copy);
	MPI_Barrier(copy);
	MPI_Wtime();
	MPI_Comm_free(&copy);
	MPI_Finalize();
	return sum < 0;
}
C
	"$FATHOM" "$MPICC" -fopenmp -g -O1 work.c -o work > err 2>&1 || die "work: $(cat err)"
	FATHOM_NAME=work.exp $MPIRUN -n 2 ./work > out 2> err || die "work: exit $?: $(cat err)"
	"$report" --json work.exp > work.json || bad "the report: exit $?"
	"$PYTHON3" - work.json > work.txt << 'PY' || die "no table of the measured program"
import json, sys
d = json.load(open(sys.argv[1]))
paths = []
for c in d["call_tree"]:
    region = d["regions"][c["region"]]
    name = region["name"].replace(">", ")")
    paths.append((paths[c["parent"]] + ">" if c["parent"] is not None else "") + name)
    print("\t".join([paths[-1], region["paradigm"], region["role"] or "unknown", "time=%.17g" % c["exclusive"].get("time", 0)]))
PY
	table 1 work.cubex < work.txt
	works "$remap" -o work-classes.cubex work.cubex
	for metric in execution comp mpi mpi_management mpi_init_exit mpi_mgmt_comm mpi_synchronization mpi_sync_collective \
		mpi_communication mpi_point2point mpi_collective mpi_request_handling mpi_request_completion omp_time \
		omp_management omp_synchronization omp_barrier omp_ebarrier omp_ibarrier omp_critical
	do
		same "$metric as measured" "$(values $metric work.exp/profile.cubex | awk '{ s += $1 } END { printf "%.6f", s }')" \
			"$(values $metric work-classes.cubex | awk '{ s += $1 } END { printf "%.6f", s }')"
	done
	refused "a profile of fathom" 1 'work.exp/profile.cubex: has metrics of activity classes already' "$remap" -o x.cubex work.exp
fi

# Profiles of Score-P, with inclusive times, tasks and aggregated threads. The report of the original uses the rules of
# Score-P, which know no management of OpenMP.
if [ -d "$shared/data" ]; then
	for name in mix-profile mix-rusage lulesh-profile tasks-profile tasks-thread_sum tasks-key_threads tasks-cluster_threads; do
		works "$remap" -o $name.cubex "$shared/data/$name"
		readable $name.cubex
		classes "$shared/data/$name" > before
		classes $name.cubex > after
		"$PYTHON3" - before after << 'PY' || bad "$name: other times than in the report of the original"
import sys
before, after = [dict((w, float(s)) for w, s in (l.split() for l in open(f))) for f in sys.argv[1:]]
management = after.get("omp_management", 0)
after["comp"] += management
after["omp_time"] = after.get("omp_time", 0) - management
wrong = [(n, s, after.get(n, 0)) for n, s in before.items() if abs(after.get(n, 0) - s) > 1e-6 * max(1, s)]
assert before and not wrong, wrong
PY
		works "$report" $name.cubex
	done
	refused "statistics over threads" 1 'statistics over threads' "$remap" -o x.cubex "$shared/data/tasks-thread_tuple"
else
	left_out "profiles of another system: no $shared/data"
fi

refused "an output that exists" 1 'foreign.cubex: exists already' "$remap" -o foreign.cubex foreign.cubex
refused "remapped twice" 1 'has metrics of activity classes already, such as execution' "$remap" foreign-classes.cubex
refused "a name" 2 '-o x: the name must end in .cubex' "$remap" -o x foreign.cubex
refused "no profile" 1 'none.cubex' "$remap" none.cubex
printf 'main compiler function visits=1\n' | table 1 untimed.cubex
refused "no time" 1 'has no metric time' "$remap" untimed.cubex
refused "a directory that is not there" 1 'none/x.cubex: cannot be made' "$remap" -o none/x.cubex foreign.cubex
verdict
