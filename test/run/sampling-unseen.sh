#!/bin/sh
# A program cannot tell whether samples are taken of it: its system calls, signals, timers, stacks, processes and threads are as
# without them, with each source of samples (sampling/unseen.c). UNSEEN_CALLS=100000: the long form.
. "${srcdir:?}/test/lib.sh" || exit 99

parts="calls timers handlers masks stacks processes threads sleep"
calls=${UNSEEN_CALLS:-500}

"$CC" -O1 -g -pthread -o unseen "$srcdir/test/run/sampling/unseen.c" || die "unseen.c cannot be compiled"
"$CC" -O1 -o no_perf "$srcdir/test/run/sampling/no_perf.c" || die "no_perf.c cannot be compiled"
sources=perf
./no_perf true
if [ $? = 0 ]; then sources="perf timer"; else left_out "samples by timers: this kernel has no seccomp filters"; fi

# Runs a command so that its samples have the given source.
with() {
	with_source=$1
	shift
	if [ "$with_source" = timer ]; then ./no_perf "$@"; else "$@"; fi
}

# unseen WHAT SOURCE COMMAND...: the command, whose output without samples is in plain.out, has the same output with them.
unseen() {
	what="$1, $2"
	source=$2
	shift 2
	FATHOM_SAMPLING=1000 FATHOM_VERBOSE=1 FATHOM_NAME=result with "$source" "$@" > out 2> err
	code=$?
	same "exit code of $what" "$(cat plain.code)" $code
	cmp -s plain.out out || bad "$what: $(diff plain.out out | head -5)"
	samples=$(sed -n 's/.*fathom: \([0-9]*\) samples (.*/\1/p' err | sort -n | tail -1)
	[ "${samples:-0}" -ge $least ] || bad "$what: ${samples:-no} samples: $(tail -3 err)"
	[ $source = perf ] || ! grep -q 'samples (perf' err || bad "$what: samples of perf: $(tail -3 err)"
	rm -rf result*
}

least=1
for part in $parts; do
	./unseen $part "$calls" > plain.out 2> plain.err
	echo $? > plain.code
	for source in $sources; do
		unseen $part $source "$FATHOM" run ./unseen $part "$calls"
	done
done

# Pending signals: a perf event may need many, so with few there are timers, which need one each; with none there are no samples,
# which is reported.
if have prlimit; then
	./unseen timers "$calls" > plain.out 2> plain.err
	echo $? > plain.code
	export FATHOM_SAMPLING=1000
	FATHOM_VERBOSE=1 FATHOM_NAME=result prlimit --sigpending=200 "$FATHOM" run ./unseen timers "$calls" > out 2> err
	same "exit code, 200 pending signals" "$(cat plain.code)" $?
	cmp -s plain.out out || bad "200 pending signals: $(diff plain.out out | head -5)"
	contains "200 pending signals" "$(cat err)" '^fathom: [1-9][0-9]* samples \(timers of processor time\)'
	rm -rf result*
	FATHOM_NAME=result prlimit --sigpending=0 "$FATHOM" run ./unseen calls 10 > out 2> err
	contains "no pending signals" "$(cat err)" \
		'^fathom: no samples of [0-9]+ threads: .* \(ulimit -i allows too few pending signals\)$'
	rm -rf result*
fi

# A static program, which has hooks, and a program that has them and is not static.
for linking in "" -static; do
	if ! "$FATHOM" "$CC" -O1 -g -pthread $linking -o hooked "$srcdir/test/run/sampling/unseen.c" 2> err; then
		left_out "a program linked with '$linking': $(tail -1 err)"
		continue
	fi
	for part in masks stacks threads; do
		./unseen $part > plain.out 2> plain.err
		echo $? > plain.code
		unseen "$part, hooks $linking" perf ./hooked $part
	done
done

# Programs with sanitizers.
for sanitizer in address thread; do
	"$CC" -O1 -g -pthread -fsanitize=$sanitizer -o sanitized "$srcdir/test/run/sampling/unseen.c" 2> err && ./sanitized threads > out 2>&1 ||
		{ left_out "-fsanitize=$sanitizer: programs with it do not run here"; continue; }
	for part in calls timers threads; do
		./sanitized $part 100 > plain.out 2> plain.err
		echo $? > plain.code
		unseen "$part, -fsanitize=$sanitizer" perf "$FATHOM" run ./sanitized $part 100
	done
done

# MPI libraries have threads and signal handlers of their own. Open MPI's mpirun refuses root and few processors by default.
least=20
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
# ranks MPICC MPIRUN
ranks() {
	"$1" -O1 -g -Wno-stringop-overflow -o ranks "$srcdir/test/run/sampling/ranks.c" || { bad "$1 cannot compile ranks.c"; return; }
	"$2" -n 2 ./ranks > plain.out 2> plain.err
	echo $? > plain.code
	for source in $sources; do
		unseen "$1" $source "$2" -n 2 "$FATHOM" run ./ranks
	done
}
if have_mpi; then ranks "$MPICC" "$MPIRUN"; fi
if have_openmpi; then ranks "$OPENMPI_CC" "$OPENMPI_RUN"; fi

verdict
