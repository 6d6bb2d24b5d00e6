#!/bin/bash
# daemon(3): the parent returns 0 at once, and the daemon's result has what was measured before and after.
. "${srcdir:?}/test/lib.sh" || exit 99
export FATHOM_SAMPLING=1000	# all of this is the same while samples are taken
. "$srcdir/test/run/trace-lib.sh"
"$CC" -g -O1 -finstrument-functions "$srcdir/test/run/endings/daemon.c" -o prog -pthread -L"$builddir/.libs" -Wl,-rpath,"$builddir/.libs" \
	-Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom-pthread -lfathom -Wl,--pop-state || die "daemon.c cannot be built"
modes=profile
[ -e "$builddir/.libs/libfathom-trace.so" ] && modes="profile trace"

# wait_for PATTERN: of a file, which the daemon makes after its parent has ended.
wait_for() {
	for _ in $(seq 1500); do
		compgen -G "$1" > /dev/null && return
		sleep 0.02
	done
	return 1
}

# daemons: the processes that run prog.
daemons() {
	for pid in $(pgrep -x prog); do
		[ "$(readlink "/proc/$pid/exe")" = "$PWD/prog" ] && echo "$pid"
	done
}

# wait_for_end: of all of them; the result may be written twice, the second time with names.
wait_for_end() {
	for _ in $(seq 1500); do
		[ "$(daemons)" ] || return
		sleep 0.02
	done
	bad "the daemon does not end"
}

for way in return crash _exit; do for mode in $modes; do
	rm -rf fathom-*
	FATHOM_MODE=$mode timeout -s KILL 60 ./prog $way > out 2> err
	same "$way, $mode: exit code of the parent" 0 $?
	wait_for_end
	if [ $mode = profile ]; then
		dir=$(experiment) && [ -s "$dir/profile.cubex" ] || { bad "$way: the daemon left no profile: $(cat err)"; continue; }
		same "$way: visits" "1 100" "$(value visits prog/main/before "$dir/profile.cubex") $(value visits prog/main/served "$dir/profile.cubex")"
		check_profile "$dir/profile.cubex"
	else
		dir=$(experiment) && [ -s "$dir/traces.otf2" ] || { bad "$way: the daemon left no trace: $(cat err)"; continue; }
	 "$FATHOM" check "$dir" > check.out 2>&1 || bad "$way: fathom check: $(cat check.out)"
		# The program, main and before once, served 100 times, work 101 times; begin and end of the program.
		contains "$way: the trace" "$(cat check.out)" "good: 410 events of 1 "
	fi
done; done

# A daemon that is killed leaves a snapshot, where there are any.
rm -rf fathom-*
timeout -s KILL 60 ./prog stay > out 2> err
if wait_for 'fathom-*/profile.snapshot'; then
	sleep 0.3
	kill -KILL $(daemons)
	wait_for_end
	dir=$(experiment) && "$FATHOM" merge "$dir" > out 2>&1 || bad "killed: $(cat out)"
	same "killed: visits" 1 "$(value visits prog/main/before "$dir/profile.cubex")"
else
	left_out "a daemon that is killed: no snapshots here"
fi

# A process with other threads leaves its result before it becomes a daemon, which has one thread and is not measured.
rm -rf fathom-*
timeout -s KILL 60 ./prog return threads > out 2> err
same "threads: exit code" 0 $?
dir=$(experiment) && same "threads: visits" "1 0" \
	"$(value visits prog/main/before "$dir/profile.cubex") $(value visits prog/main/served "$dir/profile.cubex")"
contains "threads: what is said" "$(cat err)" "^fathom: a child continued as a daemon, without its other threads: profile up to there in "
verdict
