#!/bin/bash
# Counters of threads differ as their work does; all ways to put threads together have the same sums; tasks that are
# suspended; ranks.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/metric/lib.sh"
here=$srcdir/test/metric
"$FATHOM" "$CC" -g -O1 -I"$here" "$here/threads.c" -pthread -o threads.exe || die "cannot build threads.c"
may_count "$faults" threads.exe

measured all "$faults,proc::VmHWM" ./threads.exe
sum=$(own perf::PAGE_FAULTS all/profile.cubex /work)
near "page faults of all threads" 5000 "$sum" 40
same "memory of the process on the threads" 0 "$(own proc::VmHWM all/profile.cubex /work)"
"$builddir/test/run/dump" -l perf::PAGE_FAULTS all/profile.cubex | awk '/work\/touch @/ { print $1 }' | sort -n > columns
same "threads with page faults" 4 "$(wc -l < columns)"
least=0
while read -r got; do
	least=$((least + 500))
	near "page faults of the thread with $least" $least "$got" 10
done < columns

for how in sum set key calltree; do
	export FATHOM_THREADS=$how
	measured $how "$faults" ./threads.exe
	near "page faults with FATHOM_THREADS=$how" 5000 "$(own perf::PAGE_FAULTS $how/profile.cubex /work)" 40
	unset FATHOM_THREADS
done

# Opening the counters of a thread takes calls that a thread may be cancelled in: the program is none the wiser.
"$FATHOM" "$CC" -g -O1 "$here/cancelled.c" -pthread -o cancelled.exe || die "cannot build cancelled.c"
for metrics in "$faults" proc::rchar; do
	measured cancelled "$metrics" ./cancelled.exe
	same "threads that forbid to be cancelled, with $metrics" 100 "$(cat cancelled.out)"
	rm -rf cancelled
done

# Tasks: parents wait for children, which are executed inside.
if have opari2 && "$FATHOM" "$CC" -fopenmp -g -O1 -I"$here" "$here/tasks.c" -o tasks.exe 2> /dev/null; then
	measured tasks "$faults" ./tasks.exe
	p=tasks/profile.cubex
	near "page faults of the children" 1500 "$(own perf::PAGE_FAULTS $p 'TASKS/.*child/touch$')" 20
	near "page faults of the parents alone" $((5 * 37)) "$(own perf::PAGE_FAULTS $p 'TASKS/.*parent/touch$')" 20
	export FATHOM_RECURSION=fold
	measured folded "$faults" ./tasks.exe
	unset FATHOM_RECURSION
	near "page faults of the parents, folded" $((5 * 37)) "$(own perf::PAGE_FAULTS folded/profile.cubex 'TASKS/.*parent/touch$')" 20
fi

# Ranks, of which one counts something else: what is called the same is one metric.
if have_mpi; then
	"$FATHOM" "$MPICC" -g -O1 -I"$here" "$here/ranks.c" -o ranks.exe || die "cannot build ranks.c"
	cat > each << 'S'
case ${PMI_RANK:-${OMPI_COMM_WORLD_RANK:-0}} in 1) FATHOM_METRICS=rusage::nvcsw,perf::PAGE-FAULTS ;; *) FATHOM_METRICS=perf::PAGE-FAULTS ;; esac
export FATHOM_METRICS
exec ./ranks.exe "$@"
S
	FATHOM_NAME=ranks "$MPIRUN" -n 3 sh each 2> ranks.err || bad "ranks: $(cat ranks.err)"
	check_profile ranks/profile.cubex
	near "page faults of three ranks" 600 "$(own perf::PAGE_FAULTS ranks/profile.cubex 'main/touch$')" 10
	# Ranks that end without MPI_Finalize leave a file each: what is put together has what any rank counted.
	FATHOM_NAME=early "$MPIRUN" -n 3 sh each early > /dev/null 2>&1
	"$builddir/fathom-merge" -o early.cubex early > merge.out 2>&1 || bad "merge: $(cat merge.out)"
	contains "the list of counters" "$("$builddir/fathom-report" --json early.cubex)" '"fathom::metrics":"(perf::PAGE-FAULTS,rusage::nvcsw|rusage::nvcsw,perf::PAGE-FAULTS)"'
	contains "the report's table" "$("$builddir/fathom-report" early.cubex)" 'PAGE-FAULTS +nvcsw +region'
	near "page faults of three ranks, merged" 600 "$(own perf::PAGE_FAULTS early.cubex 'main/touch$')" 10
	same "metrics of that name" 1 "$("$builddir/test/run/dump" -s ranks/profile.cubex | grep -c '^metric perf::PAGE_FAULTS$')"
fi
verdict
