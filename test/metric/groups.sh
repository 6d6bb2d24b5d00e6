#!/bin/bash
# FATHOM_METRICS with several lists: each rank counts those of its list, and a trace has them by their names.
. "${srcdir:?}/test/lib.sh" || exit 99
need_mpi
[ -e "$builddir/.libs/libfathom-trace.so" ] || skip "built without OTF2 (Debian: libopen-trace-format2-dev)"
cat > app.c <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	for (int i = 0; i < 20; i++)
		MPI_Barrier(MPI_COMM_WORLD);
	return MPI_Finalize();
}
C
"$FATHOM" "$MPICC" -O1 app.c -o app > build.out 2>&1 || die "cannot build app.c: $(cat build.out)"
export FATHOM_METRICS='rusage::utime,rusage::stime|rusage::utime,rusage::nvcsw'
FATHOM_MODE=profile,trace FATHOM_NAME=run "$MPIRUN" -n 3 ./app > out 2> err || die "run: $(cat err)"
"$builddir/fathom-check" run > check.out || bad "the trace: $(head -3 check.out)"
if command -v otf2-print > otf2-print.path; then
	# counters RANK: the names of the counters in the records of a rank.
	counters() { otf2-print --location "$1" run/traces.otf2 | grep '^METRIC ' | grep -o 'rusage::[a-z]*' | sort -u | tr '\n' ' '; }
	same "rank 0" "rusage::stime rusage::utime " "$(counters 0)"
	same "rank 1" "rusage::nvcsw rusage::utime " "$(counters 1)"
	same "rank 2" "rusage::stime rusage::utime " "$(counters 2)"
fi
"$builddir/fathom-export" --to csv --table values run/profile.cubex > values.csv || bad "the profile"
same "processor time of" "0 1 2 " "$(grep '^[0-9]*,.*rusage::utime,' values.csv | cut -d, -f4 | sort -u | tr '\n' ' ')"
same "voluntary waits of" "1 " "$(grep '^[0-9]*,.*rusage::nvcsw,' values.csv | cut -d, -f4 | sort -u | tr '\n' ' ')"
# A process that was started alone has the first list.
FATHOM_MODE=trace FATHOM_NAME=alone ./app > out 2> err || bad "alone: $(cat err)"
command -v otf2-print > otf2-print.path &&
	same "alone" 0 "$(otf2-print alone/traces.otf2 | grep '^METRIC ' | grep -c nvcsw)"
for wrong in 'rusage::utime|' '|rusage::utime' 'rusage::utime||rusage::stime'; do
	FATHOM_METRICS=$wrong FATHOM_NAME=wrong ./app > out 2> err && bad "$wrong is accepted"
	contains "$wrong" "$(cat err)" 'FATHOM_METRICS=.*: a group is empty'
done
verdict
