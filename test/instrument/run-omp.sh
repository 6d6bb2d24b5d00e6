#!/bin/sh
# fathom run and OpenMP: programs on LLVM's runtime as they are, GCC's on request, and what is refused.
. "$srcdir/test/lib.sh"
. "$srcdir/test/instrument/lib.sh"
[ -f "$libraries/libfathom-ompt.so" ] || skip "libraries not built"
unset FATHOM_MODE
export OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0 FATHOM_DIR=. FATHOM_NAME=experiment
llvm=$(ldconfig -p 2> /dev/null | sed -n 's/.*libomp\.so\.5 .*=> //p' | head -1)

# regions PROGRAM WORD...: the regions of OpenMP of a run, in the words of the run
regions() {
	rm -rf experiment
	"$FATHOM" run "$@" > out 2> err || bad "$*: exit code $?: $(cat err)"
	[ -f experiment/profile.cubex ] || return	# nothing was recorded
	"$builddir/test/run/dump" -s experiment/profile.cubex | sed -n 's/^region \(!$omp [^|]*\)|.*/\1/p' | sort -u
}

# refused PATTERN WORDS...
refused() {
	pattern=$1; shift
	"$FATHOM" run "$@" > out 2> err; same "$*: exit code" "${code:-1}" $?
	same "$*: stdout" "" "$(cat out)"
	same "$*: lines" 1 "$(wc -l < err)"
	contains "$*" "$(cat err)" "$pattern"
}

cat > prog.c <<'C'
#include <omp.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	int sum = 0;
#pragma omp parallel num_threads(2) reduction(+:sum)
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 10; i++)
			sum += i;
#pragma omp critical
		sum += argc - argc;
#pragma omp barrier
#pragma omp single
		{
#pragma omp task
			sum += argv == NULL;
#pragma omp taskwait
		}
	}
	printf("%d\n", sum);
	return sum == 45 ? 3 - 3 : 1;
}
C

# --- a program of clang's, as it is ---------------------------------------------------------------
if have clang && clang -g -fopenmp prog.c -o clanged 2> /dev/null && ./clanged > /dev/null; then
	all=$(regions ./clanged)
	same "clang: output" 45 "$(cat out)"
	same "clang: nothing is said of the runtime" "" "$(grep -v '^fathom: profile in' err)"
	for name in 'parallel @prog.c:6' 'for @prog.c:8' 'implicit barrier @prog.c:8' 'critical @prog.c:11' 'barrier @prog.c:13' \
		'single @prog.c:14' 'create task @prog.c:16' 'task @prog.c:16' 'taskwait @prog.c:18' 'fork and join @prog.c:6'; do
		printf '%s\n' "$all" | grep -Fqx "!\$omp $name" || bad "clang: no $name in $all"
	done
	clang -fopenmp prog.c -o bare && strip bare
	contains "clang, stripped" "$(regions ./bare)" '^!\$omp for @bare\+0x[0-9a-f]+$'
	same "clang: the same runtime is asked for" "$(regions ./clanged)" "$(regions --omp-runtime=llvm ./clanged)"
	same "clang: not measured" "45" "$(FATHOM_MODE=none "$FATHOM" run ./clanged)"
fi

# --- words --------------------------------------------------------------------------------------
code=2
refused '^fathom: run: --omp-runtime=gnu: only --omp-runtime=llvm is possible$' --omp-runtime=gnu ./prog
refused '^fathom: run: --omp-runtime: only --omp-runtime=llvm is possible$' --omp-runtime ./prog
refused '^fathom: run: --omp-runtimes: only --verbose, --io, --mpi=... and --omp-runtime=llvm are allowed' --omp-runtimes ./prog
code=1

# --- a program of GCC's -----------------------------------------------------------------------------
gcc -g -fopenmp prog.c -o prog 2> /dev/null && ./prog > /dev/null || skip "gcc -fopenmp does not work here"
same "gcc: GCC's runtime tells nothing" "" "$(regions ./prog)"
same "gcc: output" 45 "$(cat out)"
echo 'int main(void) { return 0; }' > none.c; gcc none.c -o none
refused '^fathom: --omp-runtime=llvm: \./none: uses no OpenMP runtime that could be exchanged$' --omp-runtime=llvm ./none
printf '#!/bin/sh\n./prog\n' > script; chmod +x script
refused '^fathom: --omp-runtime=llvm: \./script: is no program but a script; ' --omp-runtime=llvm ./script
if gcc -c -fopenmp prog.c -o prog.o && gcc prog.o -o static_runtime -l:libgomp.a -ldl -pthread 2> /dev/null; then
	for stripped in no yes; do
		[ $stripped = no ] || strip static_runtime
		refused '^fathom: --omp-runtime=llvm: \./static_runtime: contains GCC.s OpenMP runtime' --omp-runtime=llvm ./static_runtime
	done
fi
"$FATHOM" --no-compiler gcc prog.c -o built 2> /dev/null &&
	refused 'built: was built with fathom, ' --omp-runtime=llvm ./built
if [ -z "$llvm" ]; then
	refused 'there is no libomp\.so\.5 here' --omp-runtime=llvm ./prog
	verdict
fi

# GCC makes one call of the region and its first loop.
all=$(regions --omp-runtime=llvm ./prog)
same "exchanged: output" 45 "$(cat out)"
same "exchanged: what is said" "fathom: ./prog: runs on LLVM's OpenMP runtime ($llvm) in place of GCC's" "$(grep -v '^fathom: profile in' err)"
for name in 'parallel @prog.c:6' 'for @prog.c:6' 'critical @prog.c:11' 'create task @prog.c:16' 'task @prog.c:16' 'taskwait @prog.c:18'; do
	printf '%s\n' "$all" | grep -Fqx "!\$omp $name" || bad "exchanged: no $name in $all"
done
same "exchanged: the executing thread's single is closed" 1 "$("$builddir/test/run/dump" visits experiment/profile.cubex | grep -c 'omp single sblock @[^/]*$')"
check_profile experiment/profile.cubex
"$FATHOM" run --verbose --omp-runtime=llvm ./prog > out 2> err
contains "behind ours" "$(cat err)" "LD_PRELOAD=[^ ]*/libfathom\.so:$llvm "
same "of many ranks one says it" "" "$(PMI_RANK=1 FATHOM_MODE=none "$FATHOM" run --omp-runtime=llvm ./prog 2>&1 > /dev/null)"

# What LLVM's runtime does not have, in the program and in a library of it; what ends the program there.
cat > scan.c <<'C'
int a[100], r;
int main(void)
{
#pragma omp parallel for reduction(inscan, +:r)
	for (int i = 0; i < 100; i++) {
		r += a[i];
#pragma omp scan inclusive(r)
		a[i] = r;
	}
	return 0;
}
C
gcc -fopenmp scan.c -o scan 2> /dev/null && refused '^fathom: --omp-runtime=llvm: \./scan: calls GOMP_loop_start ' --omp-runtime=llvm ./scan
echo 'int device(void); int device(void) {
#pragma omp target
	;
	return 0; }' > device.c
echo 'int device(void); int main(void) { return device(); }' > uses.c
if gcc -fopenmp -fPIC -shared device.c -o libdevice.so 2> /dev/null && gcc -fopenmp uses.c -o uses -L. -Wl,-rpath,"$work" -ldevice; then
	refused "^fathom: --omp-runtime=llvm: $work/libdevice.so: calls GOMP_target_ext@GOMP_4.5, which LLVM.s OpenMP runtime does not have$" \
		--omp-runtime=llvm ./uses
fi

if have gfortran; then
	cat > loop.f90 <<'F'
program loop
  integer :: i, s
  s = 0
  !$omp parallel num_threads(2)
  !$omp do schedule(dynamic) reduction(+:s)
  do i = 1, 10
     s = s + i
  end do
  !$omp end parallel
  print *, s
end program
F
	gfortran -g -fopenmp loop.f90 -o loop && all=$(regions --omp-runtime=llvm ./loop)
	contains "fortran" "$all" '^!\$omp do @loop\.f90:[45]$'
	contains "fortran" "$all" '^!\$omp parallel @loop\.f90:4$'
fi

# Cut or damaged anywhere, a program is refused or runs as it does alone: what is read of it is not believed.
export FATHOM_MODE=none
size=$(wc -c < prog); at=5
while [ $at -lt "$size" ]; do
	head -c $at prog > cut; chmod +x cut
	"$FATHOM" run --omp-runtime=llvm ./cut > /dev/null 2> err
	case $? in 1|126) ;; *) bad "cut at $at: exit code $?: $(cat err)" ;; esac
	at=$((at * 2 + 7))
done
"$PYTHON3" - prog <<'P'
import random, sys
data = open(sys.argv[1], "rb").read()
random.seed(7)
for n in range(24):
    spoilt = bytearray(data)
    # The section headers, at the end, say where symbols and versions are.
    for _ in range(6):
        spoilt[len(data) - 1 - random.randrange(2300)] = random.choice((0, 255, random.randrange(256)))
    open(f"spoilt{n}", "wb").write(spoilt)
P
for spoilt in spoilt*; do
	chmod +x "$spoilt"
	"$FATHOM" run --omp-runtime=llvm "./$spoilt" > out 2> err
	case $? in 0|1) ;; *) bad "$spoilt: exit code: $(cat err)" ;; esac
done
verdict
