#!/bin/bash
# Counters in traces: a record before every enter and leave, at the same time; what they stood at is what the profile of
# the same run has. All readers take it.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/metric/lib.sh"
. "$srcdir/test/run/trace-lib.sh"
here=$srcdir/test/metric
export FATHOM_MODE=trace,profile
"$FATHOM" "$CC" -g -O1 -I"$here" "$here/threads.c" -pthread -o threads.exe || die "cannot build threads.c"
may_count "$faults" threads.exe

measured plain "$faults,rusage::nvcsw,proc::VmHWM" ./threads.exe
sound plain plain
otf2-print -G plain/traces.otf2 > definitions
same "classes" 2 "$(grep -c '^METRIC_CLASS' definitions)"
same "members" 3 "$(grep -c '^METRIC_MEMBER' definitions)"
contains "what the process's is about" "$(grep '^METRIC_INSTANCE' definitions)" 'Scope: LOCATION_GROUP'
contains "strict" "$(grep '^METRIC_CLASS' definitions)" 'SYNCHRONOUS_STRICT.*2 Members'

# Differences from enter to leave, summed over visits of touch on all threads, and what the profile says.
otf2-print plain/traces.otf2 | awk '
	$1 == "METRIC" && /PAGE-FAULTS/ { v = $0; sub(/.*PAGE-FAULTS" <[0-9]+>; UINT64; /, "", v); sub(/\).*/, "", v); last[$2] = v; at[$2] = $3 }
	$1 == "ENTER" || $1 == "LEAVE" { if (at[$2] != $3) { print "no reading at the time of", $0; exit } }
	$1 == "ENTER" && /"touch"/ { begin[$2] = last[$2] }
	$1 == "LEAVE" && /"touch"/ { sum += last[$2] - begin[$2] }
	END { print sum }' > traced
same "page faults of touch in trace and profile" "$(own perf::PAGE_FAULTS plain/profile.cubex '/touch$')" "$(tail -1 traced)"

# Tasks and teams have regions that the trace tells in its own way.
if "$FATHOM" "$CC" -fopenmp -g -O1 -I"$here" "$here/tasks.c" -o tasks.exe 2> /dev/null; then
	measured tasks "$faults" ./tasks.exe
	sound tasks tasks
	otf2-print tasks/traces.otf2 | awk '$1 == "METRIC" { at[$2] = $3 }
		($1 == "ENTER" || $1 == "LEAVE") && at[$2] != $3' > without
	[ ! -s without ] || bad "tasks: no reading at the time of $(head -1 without)"
fi
export FATHOM_MODE=trace
measured alone "$faults" ./threads.exe
sound alone alone
if have_mpi; then
	"$FATHOM" "$MPICC" -g -O1 -I"$here" "$here/ranks.c" -o ranks.exe || die "cannot build ranks.c"
	measured ranks "$faults,proc::VmHWM" "$MPIRUN" -n 3 ./ranks.exe
	sound ranks ranks
	same "instances, one for each process" 3 "$(otf2-print -G ranks/traces.otf2 | grep -c '^METRIC_INSTANCE')"
fi
verdict
