#!/bin/bash
# The OpenMP catalogue (test/openmp), profiled and traced at once: same output, sound traces, and regions are
# entered as often as the profile of the same run says that they were visited.
. "${srcdir:?}/test/openmp/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"
export FATHOM_MODE=profile,trace
# Definitions that say the same twice disturb nobody: clang's implicit barriers of one line, teams of one thread.
oracle_options="--ignore D16,D21"
oracle_python=$otf2_python

# forked PROFILE: how many forks the profile knows. Each has a visit before, and, unless the program ends in it,
# one after.
forked() {
	values visits "$1" | awk '/!\$omp fork and join( @[^\/]*)?$/ { n += int(($1 + 1) / 2) } END { print n + 0 }'
}

# traced NAME [WORD...]: as compare of the profiles' tests
traced() {
	name=$1; shift
	for threads in $THREADS; do
		export OMP_NUM_THREADS=$threads
		at=$name${1:+-$1}-$threads
		run_in "$at.plain" "$name.plain" "$@"
		FATHOM_DIR=. FATHOM_NAME=experiment run_in "$at.measured" "$name.measured" "$@"
		same "$at: output" "$(cat "$at.plain/out")" "$(cat "$at.measured/out")"
		same "$at: stderr" "$(cat "$at.plain/err")" "$(grep -Ev '^fathom: (profile and trace|ended by)' "$at.measured/err")"
		directory=$at.measured/experiment
		otf2_python=$oracle_python
		[ "$threads" = "${THREADS##* }" ] || otf2_python=	# it takes its time: once for each program
		sound "$at" "$directory" || continue
		# Threads that go on while the program ends are stopped for the trace and the profile at different times.
		visited "$directory/profile.cubex" | grep -v '@endings.c:.*busy' > visits
		enters "$directory" | grep -v " [^ ]*\.measured$" > entered
		[ -s entered ] || bad "$at: no enters"
		cmp -s visits entered || bad "$at: visits and enters differ: $(diff visits entered)"
		# Teams of several sizes and levels are communicators of their own, so that OTF2's rules for them hold;
		# but threads of LLVM's runtime may change their numbers from team to team.
		case $name in
		*-clang) ;;
		constructs-*|nesting-*|fixed-*)
			strings=$(strings -n 4 "$directory/traces.otf2")
			grep -A 1 THREAD_FORK_JOIN_EVENT_COMPLETE <<< "$strings" | grep -q true || bad "$at: teams are not complete" ;;
		esac
		same "$at: forks" "$(forked "$directory/profile.cubex")" "$(grep -c '^THREAD_FORK ' events.txt)"
	done
}

ran=
if command -v gcc opari2 > /dev/null && (need_openmp gcc c; need_opari) > /dev/null; then
	ran=yes
	for file in constructs.c nesting.c tasks.c objects.cc traps.cc constructs.f90 fixed.f; do
		case $file in
		*.c) compiler=gcc ;;
		*.cc) compiler=g++ ;;
		*) compiler=gfortran ;;
		esac
		have $compiler || continue
		both "${file/./-}" $compiler "$here/$file" && traced "${file/./-}"
	done
	both endings gcc "$here/endings.c" && for run in cancel exit exit-worker _exit abort exit-busy raise timer idle; do
		traced endings $run
	done
fi
if (need_openmp clang c) > /dev/null; then
	ran=yes
	for file in constructs nesting tasks; do
		both "$file-clang" clang "$here/$file.c" -fopenmp-version=51 && traced "$file-clang"
	done
	both endings-clang clang "$here/endings.c" && for run in cancel exit exit-worker _exit abort exit-busy raise timer idle; do
		traced endings-clang $run
	done
fi
[ -n "$ran" ] || skip "neither opari2 with gcc, nor clang -fopenmp (Debian: opari2, clang libomp-dev)"
verdict
