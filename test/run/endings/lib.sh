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

# The programs that end in one way only, where there is a compiler for them.
build_others() {
	local libs="-L$builddir/.libs -Wl,-rpath,$builddir/.libs -Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom-pthread -lfathom -Wl,--pop-state"
	"$CXX" -g -O1 -finstrument-functions "$endings/exceptions.cc" -o exceptions -pthread $libs 2> others.err ||
		echo "skipped: exceptions: $CXX cannot build it"
	"$CC" -g -O1 -fopenmp -finstrument-functions "$endings/omp.c" -o omp -pthread $libs 2>> others.err ||
		echo "skipped: omp: $CC -fopenmp cannot build it"
	command -v clang > /dev/null &&
		clang -g -O1 -fopenmp -finstrument-functions "$endings/omp.c" -o omp-clang -pthread $libs 2>> others.err ||
		echo "skipped: omp-clang: no clang with OpenMP (Debian: clang libomp-dev)"
}

# ended WAY PROGRAM [ARGUMENT...]: runs it; what it prints and its status go to out, what it says to err.
ended() {
	(
		case $1 in memory-*) ulimit -v 400000 ;; esac
		shift
		timeout -s KILL 120 $as_ever ./"$@" > out 2> err
		echo "status $?" >> out
	) 2> /dev/null
}

# has_result WHAT MODE STATUS [EXPERIMENT]: the profile, or the trace, with the function that every way calls.
has_result() {
	dir=${4:-}
	[ "$dir" ] || dir=$(experiment 2> /dev/null) || { bad "$1: no result (status $3); said: $(tail -3 err)"; return; }
	case $2 in
	profile)
		values visits "$dir/profile.cubex" 2> /dev/null | grep -q 'work\(()\)\?$' ||
			bad "$1: no work in the profile (status $3): $(ls "$dir" 2>&1 | tr '\n' ' '); said: $(tail -3 err)"
		;;
	*)
		[ -f "$dir/traces.otf2" ] || { bad "$1: no trace (status $3); said: $(tail -3 err)"; return; }
		[ ! -x "$FATHOM-check" ] || "$FATHOM" check "$dir" > check.out 2>&1 || bad "$1: fathom check: $(head -3 check.out)"
		;;
	esac
}

# says_nothing_else WHAT: nothing but the program's words and fathom's line.
says_nothing_else() {
	grep -v '^fathom:' err > others
	[ ! -s others ] || bad "$1: says: $(head -3 others)"
}

status_is() # WHAT STATUS
{
	grep -qxE "status ($2)" out || bad "$1: not status $2, but $(tail -1 out); said: $(tail -3 err)"
}

# try_program PROGRAM STATUS COUNT: half of the runs in each mode.
try_program() {
	local mode i
	[ -x "$1" ] || return
	for mode in profile trace; do for ((i = 0; i < $3; i += 2)); do
		rm -rf fathom-* .fathom-*
		FATHOM_DIR=$PWD FATHOM_MODE=$mode ended "$1" "$1"
		status_is "$1, $mode" "$2"
		has_result "$1, $mode" $mode "$(sed -n 's/^status //p' out)"
		runs=$((runs + 1))
	done; done
}

# try_way WAY STATUS COUNT: COUNT runs, spread over modes, threads and handlers; at least one of each.
try_way() {
	local each=$((($3 + 7) / 8)) mode threads handlers i status
	case $1 in
	exceptions | omp | omp-clang) try_program "$@"; return ;;
	small-*) [ "$has_small_stacks" ] || { echo "skipped: $1: no stacks of 16 KiB here"; return; } ;;
	memory-*) [ "$has_limits" ] || { echo "skipped: $1: the program does not start under ulimit -v"; return; } ;;
	esac
	for threads in 1 4; do for handlers in 0 1; do
		status=$2
		if [ "$status" = plain ]; then
			ended "$1" plain "$1" $threads $handlers
			status=$(sed -n 's/^status //p' out)
			cp out plain.out
		fi
		for mode in profile trace; do for ((i = 0; i < each; i++)); do
			what="$1, $mode, $threads threads, $([ $handlers = 0 ] && echo no handlers || echo own handlers)"
			rm -rf fathom-* .fathom-*
			FATHOM_DIR=$PWD FATHOM_MODE=$mode ended "$1" prog "$1" $threads $handlers
			status_is "$what" "$status"
			[ "$2" != plain ] || cmp -s out plain.out || bad "$what: prints something else: $(tr '\n' ' ' < out)"
			has_result "$what" $mode "$(sed -n 's/^status //p' out)"
			says_nothing_else "$what"
			runs=$((runs + 1))
		done; done
	done; done
}

# try_table [PATTERN]: the whole table, or the ways that match. With each_way set, each way is tried so often in each
# setting, and not as often as the table says, and it is said how it went.
runs=0 each_way=
try_table() {
	while read -r way status count; do
		case $way in ''|'#'*) continue ;; esac
		[ -z "${1:-}" ] || printf '%s\n' "$way" | grep -Eq -- "$1" || continue
		before="$(wc -l < "$failures") $runs"
		try_way "$way" "$status" $((${each_way:-0} ? each_way * 8 : count))
		[ ! "$each_way" ] ||
			echo "$way: $(($(wc -l < "$failures") - ${before% *})) failures in $((runs - ${before#* })) runs"
	done < "$endings/table"
}

# --- where things are missing ------------------------------------------------------------------------

# apart COMMAND: a shell command that may mount what it likes.
apart() { unshare -m bash -c "$1"; }

# try_surroundings: the disk full or read-only, and no /proc.
try_surroundings() {
	local way mode what at
	mkdir -p place
	if [ "$(id -u)" != 0 ] || ! apart "mount -t tmpfs -o size=64k tmpfs '$PWD/place'" 2> /dev/null; then
		echo "skipped: full and read-only disks, no /proc: nothing can be mounted here"
		return
	fi
	for way in exit:5 crash:139 _exit:7; do for mode in profile trace; do
		what="${way%:*}, $mode"
		# Nothing of a result, but its line, and the program's status.
		apart "mount -t tmpfs -o size=64k tmpfs '$PWD/place' && { cat /dev/zero > '$PWD/place/all'
			mkdir '$PWD/place/tmp'; FATHOM_DIR='$PWD/place' TMPDIR='$PWD/place' FATHOM_MODE=$mode ./prog ${way%:*} > out 2> err
			echo status \$? >> out; find '$PWD/place' -name 'traces.otf2' -o -name '*.cubex' -size +0 > left; }" 2> /dev/null
		status_is "$what, disk full" "${way#*:}"
		contains "$what, disk full: what is said" "$(cat err)" "^fathom: .*(No space left on device)"
		same "$what, disk full: what is left" "" "$(cat left)"
		# Somewhere else.
		rm -rf elsewhere && mkdir elsewhere
		apart "mount -t tmpfs -o ro tmpfs '$PWD/place' && { FATHOM_DIR='$PWD/place' TMPDIR='$PWD/elsewhere' FATHOM_MODE=$mode \
			./prog ${way%:*} > out 2> err; echo status \$? >> out; }" 2> /dev/null
		status_is "$what, read-only disk" "${way#*:}"
		at=$(echo elsewhere/fathom-*)
		has_result "$what, read-only disk" $mode "${way#*:}" "$at"
		rm -rf fathom-*
		apart "mount -t tmpfs tmpfs /proc && { FATHOM_DIR='$PWD' FATHOM_MODE=$mode ./prog ${way%:*} > out 2> err
			echo status \$? >> out; }" 2> /dev/null
		status_is "$what, no /proc" "${way#*:}"
		at=$(experiment) && [ -s "$at/profile.cubex" ] || [ -s "$at/traces.otf2" ] || bad "$what, no /proc: no result: $(cat err)"
		runs=$((runs + 3))
	done; done
}
