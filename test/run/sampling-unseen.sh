#!/bin/sh
# A program cannot tell whether samples are taken of it: its system calls, signals, timers, stacks, processes and threads are as
# without them, with each source of samples (sampling/unseen.c). UNSEEN_CALLS=100000: the long form.
. "${srcdir:?}/test/lib.sh" || exit 99

parts="calls timers handlers masks stacks processes threads sleep"
calls=${UNSEEN_CALLS:-2000}

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
	grep -Eq '[1-9][0-9]* samples \((perf|timers)' err || bad "$what: no samples: $(tail -3 err)"
	[ $source = perf ] || ! grep -q 'samples (perf' err || bad "$what: samples of perf: $(tail -3 err)"
	rm -rf result*
}

for part in $parts; do
	./unseen $part "$calls" > plain.out 2> plain.err
	echo $? > plain.code
	for source in $sources; do
		unseen $part $source "$FATHOM" run ./unseen $part "$calls"
	done
done

# A static program, which has hooks, and a program that has them and is not static.
for linking in "" -static; do
	if ! "$FATHOM" "$CC" -O1 -g -pthread $linking -o hooked "$srcdir/test/run/sampling/unseen.c" 2> err; then
		left_out "a program linked with '$linking': $(tail -1 err)"
		continue
	fi
	for part in timers handlers masks stacks threads; do
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
		./sanitized $part 500 > plain.out 2> plain.err
		echo $? > plain.code
		unseen "$part, -fsanitize=$sanitizer" perf "$FATHOM" run ./sanitized $part 500
	done
done

verdict
