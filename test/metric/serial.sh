#!/bin/bash
# Counters of one thread against what is known: page faults of so many pages, switches of so many naps; recursion, exact
# and folded; what is refused, and what is wrong.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/metric/lib.sh"
here=$srcdir/test/metric
instrument -I"$here" "$here/serial.c" -o serial.exe
may_count "$faults" serial.exe

measured known "$faults,perf::CONTEXT-SWITCHES,rusage::nvcsw,rusage::minflt,proc::wchar" ./serial.exe
p=known/profile.cubex
near "page faults of touch" 3000 "$(own perf::PAGE_FAULTS $p '/main/touch$')" 3
near "page faults of the recursion" 50 "$(own perf::PAGE_FAULTS $p '/inner/touch$')" 3
near "page faults of outer's touch" 200 "$(own perf::PAGE_FAULTS $p '/outer/touch$')" 3
near "minor faults by getrusage" 3000 "$(own rusage::minflt $p '/main/touch$')" 3
near "switches by getrusage" 20 "$(own rusage::nvcsw $p '/nap$')" 2
grep -q 'CONTEXT-SWITCHES.*not counted' known.err || near "switches" 20 "$(own perf::CONTEXT_SWITCHES $p '/nap$')" 60
same "bytes written by a program that writes none" 0 "$(own proc::wchar $p '/main')"

# Every part counted once: the sums are the same however recursion is kept.
export FATHOM_RECURSION=fold
measured folded "$faults" ./serial.exe
unset FATHOM_RECURSION
near "page faults of the folded recursion" 50 "$(own perf::PAGE_FAULTS folded/profile.cubex '/inner/touch$')" 3
same "call paths of the folded recursion" 1 "$(values visits folded/profile.cubex | grep -c '/inner$')"
for name in known folded; do
	near "page faults of all but the start, $name" 3250 "$(own perf::PAGE_FAULTS $name/profile.cubex /main)" 60
done

# More than fit: as many as a run may have, or as files may be open. One line says which fit; these are counted.
measured most "$(printf 'rusage::%s,' utime stime minflt majflt inblock oublock nvcsw nivcsw)$(printf 'rusage-process::%s,' utime \
	stime minflt majflt inblock oublock nvcsw nivcsw)$(printf 'proc::%s,' VmHWM VmPeak VmRSS VmData VmSwap rchar wchar syscr)$faults,proc::syscw" ./serial.exe
contains "more than 24" "$(cat most.err)" \
	'^fathom: FATHOM_METRICS: perf::PAGE-FAULTS, proc::syscw are not counted: too many at once; the 24 before it fit .*; the run continues without them$'
same "lines about more than 24" 1 "$(grep -c FATHOM_METRICS most.err)"
near "minor faults beside them" 3000 "$(own rusage::minflt most/profile.cubex '/main/touch$')" 3
many=$faults,$(printf 'perf::%s,' MINOR-FAULTS MAJOR-FAULTS CPU-CLOCK TASK-CLOCK ALIGNMENT-FAULTS)perf::EMULATION-FAULTS
(ulimit -n 12; measured files "$many" ./serial.exe)
contains "more than files" "$(cat files.err)" '(is|are) not counted: each needs an open file, and the limit is reached \(ulimit -n\); perf::PAGE-FAULTS,.* fit; the run continues without (it|them)$'
same "lines about more than files" 1 "$(grep -c FATHOM_METRICS files.err)"
near "page faults beside them" 3000 "$(own perf::PAGE_FAULTS files/profile.cubex '/main/touch$')" 3

# Taking turns: those that are counted all the time are exact.
export FATHOM_METRICS_MULTIPLEX=on
measured turns "$many" ./serial.exe
unset FATHOM_METRICS_MULTIPLEX
near "page faults with turns" 3000 "$(own perf::PAGE_FAULTS turns/profile.cubex '/main/touch$')" 3
near "minor faults with turns" 3000 "$(own perf::MINOR_FAULTS turns/profile.cubex '/main/touch$')" 3

# One line for what this machine does not have; the run goes on.
measured without "energy::99999-package,$faults" ./serial.exe
contains "a counter that no machine has" "$(cat without.err)" '^fathom: FATHOM_METRICS: energy::99999-package is not counted: .+; the run continues without it$'
same "lines about it" 1 "$(grep -c 'not counted' without.err)"
near "page faults beside it" 3000 "$(own perf::PAGE_FAULTS without/profile.cubex '/main/touch$')" 3
measured group "@memory" ./serial.exe
near "page faults in a group" 3000 "$(own perf::PAGE_FAULTS group/profile.cubex '/main/touch$')" 3
[ "$(grep -c 'not counted' group.err)" -le 3 ] || bad "a group: $(cat group.err)"

# A name that may be one on another machine (its processor, a component of its PAPI): refused, and no more.
if [ -e "$builddir/.libs/libfathom-papi.so" ]; then
	for there in foo::bar nowhere:::bar; do
		measured other "$there,$faults" ./serial.exe
		contains "$there" "$(cat other.err)" "^fathom: FATHOM_METRICS: $there is not counted: .+; the run continues without it$"
		same "lines about $there" 1 "$(grep -c FATHOM_METRICS other.err)"
		near "page faults beside $there" 3000 "$(own perf::PAGE_FAULTS other/profile.cubex '/main/touch$')" 3
		"$builddir/fathom-metrics" "$there" > said 2>&1
		same "exit code of fathom metrics $there" 1 $?
		contains "fathom metrics $there" "$(cat said)" "^  $there +not here: ."
		rm -rf other
	done
fi

# A name that exists nowhere ends the program before main.
for wrong in nonsense PAPI_NONSENSE perf::NONSENSE rusage::nonsense proc::nonsense energy::nonsense @nonsense "$faults," ",$faults" ""; do
	case $wrong in
	# Without PAPI nobody knows these names: the run goes on without them and says so.
	nonsense | PAPI_NONSENSE | perf::NONSENSE) [ -e "$builddir/.libs/libfathom-papi.so" ] || continue ;;
	esac
	FATHOM_NAME=wrong FATHOM_METRICS=$wrong ./serial.exe > wrong.out 2> wrong.err
	same "exit code of FATHOM_METRICS=$wrong" 2 $?
	same "lines about FATHOM_METRICS=$wrong" 1 "$(wc -l < wrong.err)"
	contains "the line about FATHOM_METRICS=$wrong" "$(cat wrong.err)" '^fathom: FATHOM_METRICS'
	[ ! -e wrong ] || bad "FATHOM_METRICS=$wrong leaves an experiment"
	case $wrong in *,*|"") continue ;; esac
	"$builddir/fathom-metrics" "$wrong" > said 2>&1
	same "exit code of fathom metrics $wrong" 2 $?
	same "lines of fathom metrics $wrong" 1 "$(wc -l < said)"
	contains "fathom metrics $wrong" "$(cat said)" "^fathom metrics: $wrong: "
done

# The program's own descriptors are numbered as without counters, and its exit code is its own.
cat > fds.c << 'C'
#include <fcntl.h>
int main(void) { return open("/dev/null", O_RDONLY); }
C
instrument fds.c -o fds
FATHOM_MODE=none ./fds
plain=$?
FATHOM_NAME=fds FATHOM_METRICS=$faults,proc::VmHWM ./fds 2> /dev/null
same "the first descriptor" $plain $?

# No counter, no call: nothing of perf, and no PAPI in the process.
if have strace; then
	strace -f -e trace=perf_event_open,openat -o calls ./serial.exe 2> /dev/null
	! grep -q 'perf_event_open\|libpapi\|libfathom-papi' calls || bad "without FATHOM_METRICS: $(grep -m1 'perf_event\|papi' calls)"
fi
verdict
