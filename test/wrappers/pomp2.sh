#!/bin/sh
# Programs rewritten by OPARI2 and linked with the functions it has them call: the output is that of the plain
# program, events are balanced, and every call path is visited exactly as often as it must be. First with a
# recorder in the core's place, which knows no mercy, then with libfathom itself.
. "${srcdir:?}/test/lib.sh" || exit 99
: "${OPARI2:=opari2}"
command -v "$OPARI2" > /dev/null || skip "no opari2 (Debian: opari2)"
echo 'int main(void) { return 0; }' > empty.c
"$CC" -fopenmp empty.c -o empty 2> /dev/null || skip "$CC does not know -fopenmp"
recorder=$builddir/.libs/libpomp2recorder.a
fathom="-L$builddir/.libs -Wl,-rpath,$builddir/.libs -lfathom-pomp2 -lfathom"

# build NAME SUFFIX REWRITTEN-SUFFIX COMPILER: NAME.plain, NAME.recorder, NAME.fathom
build() {
	name=$1 compiler=$4
	cp "$srcdir/test/wrappers/$1.$2" . || die "no $1.$2"
	"$compiler" -fopenmp "$1.$2" -o "$1.plain" || die "cannot build $1.$2"
	mkdir "$1.d"
	"$OPARI2" --omp-task-untied=keep --omp-tpd --omp-tpd-mangling=gnu "$1.$2" "$1.d/$1.$3" > opari2.out 2>&1 ||
		die "opari2 fails: $(cat opari2.out)"
	# A threadprivate variable that is extern cannot be copied in by templates of g++; one that is __thread can.
	sed -i 's/^extern int64_t/extern __thread int64_t/; /^#pragma omp threadprivate(pomp_tpd_)/d' "$1.d/$1.$2.opari.inc"
	"$compiler" -w -fopenmp -iquote . -c "$1.d/$1.$3" -o "$1.o" || die "cannot compile what opari2 makes of $1.$2"
	"$compiler" -fopenmp "$1.o" "$recorder" -o "$1.recorder" || die "cannot link $1"
	# shellcheck disable=SC2086
	"$compiler" -fopenmp "$1.o" $fathom -o "$1.fathom" || die "cannot link $1"
}

# The expected visits of NAME with so many threads, as the recorder says them. A line is "FORMULA path", with N for
# the threads and @: for the file. Those with a ~ in front are for the recorder alone.
expected() {
	file=$(cd "$srcdir/test/wrappers" && echo "$1".[cf]*)
	sed "/^#/d; s/^~ //; s/@:/@$file:/g" "$srcdir/test/wrappers/$1.expected" | while read -r formula path; do
		visits=$(($(echo "$formula" | sed "s/N/$2/g")))
		[ "$visits" = 0 ] || echo "$visits $path"
	done | sort
	sed -n "s/@:/@$file:/g; s/^~ [^ ]* //p" "$srcdir/test/wrappers/$1.expected" > alone
}

# Without what only the recorder is asked.
asked() { awk 'FILENAME == "alone" { alone[$0] = 1; next } { p = $0; sub(/^[^ ]* /, "", p) } !(p in alone)' alone -; }

# run_recorder NAME THREADS
run_recorder() {
	expected "$1" "$2" > expect
	RECORDER_DUMP=1 OMP_NUM_THREADS=$2 "./$1.recorder" > out 2> dump
	same "$1, recorder, $2 threads: exit code" 0 $?
	same "$1, recorder, $2 threads: output" "$(cat plain.out)" "$(cat out)"
	same "$1, recorder, $2 threads: faults" "faults 0" "$(grep fault dump)"
	grep -v '^fault' dump | sort > got
	diff expect got > differences || bad "$1, recorder, $2 threads: visits differ (< expected): $(cat differences)"
}

# Below the program itself, and without the stubs of tasks, the real paths are the same.
run_fathom() {
	expected "$1" "$2" > all
	asked < all > expect
	FATHOM_NAME=$1-$2 OMP_NUM_THREADS=$2 "./$1.fathom" > out 2> err
	same "$1, libfathom, $2 threads: exit code" 0 $?
	same "$1, libfathom, $2 threads: output" "$(cat plain.out)" "$(cat out)"
	values visits "$1-$2/profile.cubex" | sed -n "s, $1\.fathom/, ,p" |
		grep -Ev '^[0-9]+ !.*/![$]omp (untied )?task @|^[0-9]+ ![$]omp (untied )?task @' | asked | sort > got
	diff expect got > differences || bad "$1, libfathom, $2 threads: visits differ (< expected): $(cat differences)"
	check_profile "$1-$2/profile.cubex"
}

# both NAME THREADS...
both() {
	name=$1
	shift
	for threads in "$@"; do
		OMP_NUM_THREADS=$threads "./$name.plain" > plain.out || die "$name fails as it is"
		run_recorder "$name" "$threads"
		run_fathom "$name" "$threads"
	done
	OMP_NUM_THREADS=2 "./$name.plain" > plain.out
	RECORDER_OFF=1 RECORDER_DUMP=1 OMP_NUM_THREADS=2 "./$name.recorder" > out 2> dump
	same "$name, nothing measured: output" "$(cat plain.out)" "$(cat out)"
	same "$name, nothing measured" "faults 0" "$(cat dump)"
	FATHOM_MODE=none OMP_NUM_THREADS=2 "./$name.fathom" > out 2> dump
	same "$name, FATHOM_MODE=none: output" "$(cat plain.out)" "$(cat out)"
	same "$name, FATHOM_MODE=none: messages" "" "$(cat dump)"
}

build pomp2_constructs c c "$CC"
both pomp2_constructs 1 2 3 4
build pomp2_objects cc cc "$CXX"
both pomp2_objects 1 3
if "$FC" --version > /dev/null 2>&1; then
	build pomp2_fortran f90 F90 "$FC"
	both pomp2_fortran 1 2 4
fi

# Threads and tasks that are cancelled do not say their end; without cancellation they do.
build pomp2_cancel c c "$CC"
both pomp2_cancel 1 4
for threads in 1 2 4; do
	RECORDER_CANCEL=1 RECORDER_DUMP=1 OMP_CANCELLATION=true OMP_NUM_THREADS=$threads ./pomp2_cancel.recorder > out 2> dump
	same "cancel, recorder, $threads threads: output" 1 "$(cat out)"
	same "cancel, recorder, $threads threads: faults" "faults 0" "$(grep fault dump)"
	FATHOM_NAME=cancel-$threads OMP_CANCELLATION=true OMP_NUM_THREADS=$threads ./pomp2_cancel.fathom > out 2> err
	same "cancel, libfathom, $threads threads: exit code" 0 $?
	same "cancel, libfathom, $threads threads: output" 1 "$(cat out)"
	same "cancel, $threads threads: visits" "$((5 * threads))" \
		"$(value visits 'pomp2_cancel.fathom/!$omp parallel @pomp2_cancel.c:27' "cancel-$threads/profile.cubex")"
done

# In a static program nothing can be looked for: the runtime's functions must have been linked.
if [ -e "$builddir/.libs/libfathom-pomp2.a" ] && "$CC" -static -fopenmp empty.c -lz -o empty 2> /dev/null; then
	"$CC" -static -fopenmp pomp2_constructs.o "$builddir/.libs/libfathom-pomp2.a" "$builddir/.libs/libfathom.a" -lz \
		-Wl,--eh-frame-hdr -o static 2> static.err || bad "cannot link statically: $(cat static.err)"
	OMP_NUM_THREADS=3 ./pomp2_constructs.plain > plain.out
	FATHOM_NAME=static-profile OMP_NUM_THREADS=3 ./static > out 2> err
	same "static: output" "$(cat plain.out)" "$(cat out)"
	same "static: locks" 3 "$(value visits 'static/!$omp parallel @pomp2_constructs.c:155/omp_set_nest_lock' static-profile/profile.cubex)"
fi

# Locks without a runtime on the command line: the linker leaves it out, and the real functions are found still.
cat > locks.c <<'T'
#include <omp.h>
#include <stdio.h>
int main(void)
{
	omp_nest_lock_t lock;

	omp_init_nest_lock(&lock);
	omp_set_nest_lock(&lock);
	printf("%d\n", omp_test_nest_lock(&lock));
	return 0;
}
T
"$OPARI2" locks.c locks.opari.c > opari2.out 2>&1 || die "opari2 fails: $(cat opari2.out)"
"$CC" -w -fopenmp -c locks.opari.c -o locks.o || die "cannot compile locks"
# shellcheck disable=SC2086
"$CC" -fopenmp locks.o -Wl,--as-needed $fathom -o locks || die "cannot link locks"
same "locks without a runtime" 2 "$(FATHOM_MODE=none ./locks)"

# A program without OpenMP that has the library: it starts, also when all names are looked for at once.
# shellcheck disable=SC2086
"$CC" empty.c -Wl,--no-as-needed $fathom -o without || die "cannot link without OpenMP"
FATHOM_MODE=none LD_BIND_NOW=1 ./without > out 2>&1
same "a program without OpenMP" "0 " "$? $(cat out)"
verdict
