# Runs the table of endings: each way, in each mode, with 1 and 4 threads, without and with handlers of the program. Sourced
# after test/lib.sh and test/run/trace-lib.sh.
endings=$srcdir/test/run/endings
ulimit -c 0
# A shell gives what it starts in the background an ignored SIGINT: the program shall have it as it is by default.
as_ever="env --default-signal=INT"; $as_ever true 2> /dev/null || as_ever=

build_ways() {
	"$CC" -g -O1 "$endings/ways.c" -o plain -pthread || die "ways.c cannot be built"
	"$CC" -g -O1 -finstrument-functions "$endings/ways.c" -o prog -pthread -L"$builddir/.libs" -Wl,-rpath,"$builddir/.libs" \
		-Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom-pthread -lfathom -Wl,--pop-state ||
		die "ways.c cannot be built with fathom"
	printf '#include <limits.h>\n#if PTHREAD_STACK_MIN > 16384\n#error\n#endif\n#include <pthread.h>\n' > small.c
	has_small_stacks=yes
	"$CC" -D_DEFAULT_SOURCE -E small.c > /dev/null 2>&1 || has_small_stacks=
	# Sanitizers reserve more address space than any limit of it.
	has_limits=yes
	(ulimit -v 400000 && FATHOM_MODE=none ./prog return) > /dev/null 2>&1
	[ $? -eq 4 ] || has_limits=
}

# ended WAY PROGRAM THREADS HANDLERS: runs it; what it prints and its status go to out, what it says to err.
ended() {
	(
		case $1 in memory-*) ulimit -v 400000 ;; esac
		timeout -s KILL 120 $as_ever ./"$2" "$1" "$3" "$4" > out 2> err
		echo "status $?" >> out
	) 2> /dev/null
}

# has_result WHAT MODE STATUS: the profile, or the trace, with the function that every way calls.
has_result() {
	dir=$(experiment 2> /dev/null) || { bad "$1: no result (status $3); said: $(tail -3 err)"; return; }
	case $2 in
	profile)
		values visits "$dir/profile.cubex" 2> /dev/null | grep -q '/work$' ||
			bad "$1: no work in the profile (status $3): $(ls "$dir" 2>&1 | tr '\n' ' '); said: $(tail -3 err)"
		;;
	*)
		[ -f "$dir/traces.otf2" ] || { bad "$1: no trace (status $3); said: $(tail -3 err)"; return; }
		[ ! -x "$FATHOM-check" ] || "$FATHOM" check "$dir" > check.out 2>&1 || bad "$1: fathom check: $(head -3 check.out)"
		;;
	esac
	grep -v '^fathom:' err > others
	[ ! -s others ] || bad "$1: says: $(head -3 others)"
}

# try_way WAY STATUS COUNT: COUNT runs, spread over modes, threads and handlers; at least one of each.
try_way() {
	local each=$((($3 + 7) / 8)) mode threads handlers i status
	case $1 in
	small-*) [ "$has_small_stacks" ] || { echo "skipped: $1: no stacks of 16 KiB here"; return; } ;;
	memory-*) [ "$has_limits" ] || { echo "skipped: $1: the program does not start under ulimit -v"; return; } ;;
	esac
	for threads in 1 4; do for handlers in 0 1; do
		status=$2
		if [ "$status" = plain ]; then
			ended "$1" plain $threads $handlers
			status=$(sed -n 's/^status //p' out)
			cp out plain.out
		fi
		for mode in profile trace; do for ((i = 0; i < each; i++)); do
			what="$1, $mode, $threads threads, $([ $handlers = 0 ] && echo no handlers || echo own handlers)"
			rm -rf fathom-* .fathom-*
			FATHOM_DIR=$PWD FATHOM_MODE=$mode ended "$1" prog $threads $handlers
			grep -qxE "status ($status)" out || bad "$what: not status $status, but $(tail -1 out); said: $(tail -3 err)"
			[ "$2" != plain ] || cmp -s out plain.out || bad "$what: prints something else: $(tr '\n' ' ' < out)"
			has_result "$what" $mode "$(sed -n 's/^status //p' out)"
			runs=$((runs + 1))
		done; done
	done; done
}

# try_table FACTOR [PATTERN]: the whole table, or the ways that match; FACTOR times as often as there.
runs=0
try_table() {
	while read -r way status count; do
		case $way in ''|'#'*) continue ;; esac
		[ -z "${2:-}" ] || printf '%s\n' "$way" | grep -Eq -- "$2" || continue
		try_way "$way" "$status" $((count * $1))
	done < "$endings/table"
	echo "$runs runs"
}
