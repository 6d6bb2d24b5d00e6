# What the test of cases shares; sourced after test/lib.sh.
cases=$srcdir/test/run/cases
unset OMP_NUM_THREADS OMP_SCHEDULE OMP_DYNAMIC OMP_NESTED OMP_PROC_BIND OMP_PLACES OMP_THREAD_LIMIT FATHOM_THREADS
# Threads that wait do not spin: tests run side by side.
export OMP_WAIT_POLICY=passive
# The functions of the cases, however small.
export FATHOM_INSTRUMENT_MIN_INSNS=0

need_openmp() {
	command -v opari2 > /dev/null || skip "no opari2 (Debian: opari2)"
	[ -f "$builddir/instrument/gcc-plugin/.libs/fathom_gcc_plugin.so" ] || skip "no GCC plugin in this build"
	echo 'int main(void) { return 0; }' > try.c
	"$CC" -fopenmp try.c -o try 2> /dev/null && ./try || skip "$CC -fopenmp does not work here"
}

# build CASE: plain and measured
build() {
	"$CC" -O2 -g -fopenmp "$cases/$1.c" -o "$1.plain" || { bad "$1: cannot be built"; return 1; }
	"$FATHOM" "$CC" -O2 -g -fopenmp "$cases/$1.c" -o "$1" > said 2>&1 ||
		{ cat said >&2; bad "$1: cannot be built with fathom"; return 1; }
	same "$1: what fathom says" '' "$(cat said)"
	./"$1.plain" > "$1.expected"
}

# measure CASE STRATEGY: CASE-STRATEGY.cubex; the program does what it always does
measure() {
	rm -rf result && mkdir result
	FATHOM_THREADS=$2 FATHOM_DIR=$work/result ./"$1" > output 2> said || bad "$1, $2: exit code $?"
	cmp -s "$1.expected" output || bad "$1, $2: another output"
	set -- "$1" "$2" result/*/profile.cubex
	[ -f "$3" ] || { cat said >&2; bad "$1, $2: no profile"; return 1; }
	check_profile "$3"
	cp "$3" "$1-$2.cubex"
}
