#!/bin/sh
# A build of OpenMP sources cannot tell the command from the compiler either, although the sources are
# rewritten on the way: exit code, output, diagnostics and files are the same for each of these lines.
. "$srcdir/test/lib.sh"
. "$srcdir/test/instrument/lib.sh"
need opari2
need gcc
[ -f "$libraries/libfathom-pomp2.so" ] || skip "libraries not built"
export OMP_NUM_THREADS=2

mkdir -p src/inc src/dir
cd src || exit 99
cp "$srcdir/test/instrument/opari/headers.h" inc/
cp "$srcdir/test/instrument/opari/headers.c" .
cp "$srcdir/test/instrument/opari/syntax.cc" .
cp "$srcdir/test/instrument/opari/"nameless.* .
cat > omp.c <<'END'
#include <stdio.h>
#include <omp.h>
#include "headers.h"
int helper(int);
int helper(int n) { return n + 1; }
int main(void)
{
	int n = 0, fill;
#pragma omp parallel for reduction(+:n) num_threads(2)
	for (int i = 0; i < 100; i++)
		n += helper(i) / 2;
#pragma omp parallel if(n > 3) private(fill)
#pragma omp single
#pragma omp task if(n > 5) shared(n)
	{ fill = n; n = fill + header_sum(5); }
	printf("%d %s %s\n", n, __FILE__, __BASE_FILE__);
	return 7;
}
END
cp omp.c dir/omp.c
cat > plain.c <<'END'
int other(int x);
int other(int x) { return x; }
END
cat > helper.c <<'END'
int from_helper(int n);
int from_helper(int n)
{
#pragma omp parallel for reduction(+:n)
	for (int i = 0; i < 10; i++) n += i;
	return n;
}
END
cat > warns.c <<'END'
#include <string.h>
int *warns(int n)
{
	int local[3], unused, sum;
	char text[4];
#pragma omp parallel for reduction(+:n)
	for (int i = 0; i < 3; i++) { int shadow = n, n = shadow; local[i] = n; sum += n; }
	strcpy(text, "longer than four");
#pragma omp parallel for nosuchclause
#pragma omp nosuchdirective
	return local;
}
END
cat > unknown.c <<'END'
int k;
void unknown(void)
{
#pragma omp nosuchdirective
#pragma nosuch
#pragma omp parallel
	k++;
#warning "seen once"
}
END
cat > broken.c <<'END'
void f(void)
{
#pragma omp parallel for
	for (int i = 0; i < 3; i++) { undeclared(i) }
}
END
printf 'subroutine s(n)\n integer :: n, unused\n!$omp parallel\n n = n + 1\n!$omp end parallel\nend\n' > sub.f90
printf 'subroutine s(n)\n!$omp parallel\n n = \n!$omp end parallel\nend\n' > broken.f90
printf '%s\n' '-I inc "-fopenmp" -O2 omp.c' > flags
cp omp.c conftest.c
cd .. || exit 99
input=src/helper.c

line gcc -fopenmp -I inc omp.c
line gcc -fopenmp -I inc omp.c plain.c helper.c -O2
line gcc -I inc omp.c -fopenmp -c
line gcc -fopenmp -I inc -c omp.c helper.c plain.c
line gcc -fopenmp -I inc -c dir/omp.c -o dir/named.o
line gcc -fopenmp -I inc -odir/named dir/omp.c
line gcc -fopenmp -I inc -S omp.c
line gcc -fopenmp -I inc -E omp.c -o omp.i
line gcc -fopenmp -I inc -M omp.c
line gcc -fopenmp -I inc -fsyntax-only omp.c
line gcc -fopenmp -I inc -MD -c omp.c
line gcc -fopenmp -I inc -MMD -MP -MF deps.d -c omp.c -o dir/omp.o
line gcc -fopenmp -I inc -MMD -MT target -MQ 'a$b' -c omp.c
line gcc -fopenmp -I inc -Wp,-MMD,dir/wp.d -c omp.c
line gcc -fopenmp -I inc -MD omp.c helper.c -o prog
line gcc -fopenmp -I inc -x c omp.c -x none -o prog
line gcc -fopenmp -I inc -pipe -g3 -O3 -flto omp.c
line gcc -fopenmp -I inc -g -fsanitize=address,undefined omp.c
line gcc -fopenmp -I inc --coverage omp.c helper.c
line gcc -fopenmp -I inc --coverage -c omp.c -o dir/cover.o
line gcc -fopenmp -I inc -g -gsplit-dwarf -c omp.c
line gcc -fopenmp -I inc -fstack-usage -c omp.c
line gcc -fopenmp -shared -fPIC -Wl,-z,defs helper.c -o libhelper.so
line gcc -fopenmp -I inc -Wl,--fatal-warnings -Wl,--no-undefined omp.c
line gcc @flags
line gcc -fopenmp -fno-openmp -I inc omp.c
line gcc -fopenmp-simd -I inc omp.c -lgomp
line gcc -fopenmp -I inc conftest.c
line gcc -fopenmp -include omp.h -imacros stdio.h -DTWICE -Uunix -D'QUOTED="a b"' -I inc headers.c
line gcc -fopenmp -I inc -D_FORTIFY_SOURCE=2 -O2 headers.c
line gcc -fopenmp -I inc -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wmissing-declarations -Wold-style-definition -Wunused-macros -Wmaybe-uninitialized -Wnull-dereference -Wuninitialized \
	-Werror -pedantic-errors -O2 -c omp.c
line gcc -fopenmp -Wall -Wextra -Wshadow -O2 -c unknown.c warns.c
line gcc -fopenmp -Wall -Wextra -c unknown.c
line gcc -fopenmp -Wall -Werror -c unknown.c
line gcc -fopenmp -c broken.c
line gcc -fopenmp -Werror -I inc broken.c omp.c
line gcc -fopenmp -I inc omp.c -lnosuchlibrary
line gcc -fopenmp helper.c
line gcc -fopenmp -c nosuch.c
line gcc -fopenmp -I inc -c omp.c -o nosuch/omp.o
line gcc -fopenmp -I inc -c omp.c -o /dev/null
line gcc -fopenmp --nosuchoption -c omp.c
line gcc -fopenmp
line gcc -fopenmp --version
line g++ -fopenmp syntax.cc
line g++ -fopenmp -std=c++20 -fno-char8_t -Wall -Wextra -Wpedantic -Werror -O2 -c syntax.cc
line gfortran -fopenmp nameless.F90
line gfortran -fopenmp -cpp -MD -c nameless.F90
line gfortran -fopenmp -Wall -Wextra -c sub.f90
line gfortran -fopenmp -Wall -Wimplicit-interface -Wimplicit-procedure -fimplicit-none -Werror -c sub.f90
line gfortran -fopenmp -c broken.f90
line gfortran -fopenmp -ffree-form -x f95 sub.f90 -c -fdefault-integer-8
# A second object of one kind with those of the other; the object there before stays if the source is broken.
setup="\"\$1\" gcc -fopenmp -c helper.c 2>/dev/null || gcc -fopenmp -c helper.c"
line gcc -fopenmp -I inc -c omp.c
setup="echo old > broken.o"
line gcc -fopenmp -c broken.c
setup=:

# Standard input is left as it is, with a line.
both plain gcc -fopenmp -x c - -c -o stdin.o
both ours "$FATHOM" gcc -fopenmp -x c - -c -o stdin.o
contains "standard input" "$(cat ours.err)" 'standard input: OpenMP in it will not be measured'
same "standard input: other lines" "$(cat plain.err)" "$(grep -v '^fathom: ' ours.err)"
cmp -s plain.files ours.files || bad "standard input: files differ"

# The variables that ask for dependencies count once.
(cd src && DEPENDENCIES_OUTPUT="$work/asked.d" "$FATHOM" gcc -fopenmp -I inc -c omp.c -o ../asked.o) || bad "DEPENDENCIES_OUTPUT: failed"
same "DEPENDENCIES_OUTPUT" 1 "$(grep -c '^[^ ]*:' asked.d)"

# The same words twice make the same object.
for n in 1 2; do (cd src && "$FATHOM" gcc -g -fopenmp -I inc -c omp.c -o ../omp.o && cp ../omp.o ../omp$n.o) || bad "omp.c: failed"; done
cmp -s omp1.o omp2.o || bad "omp.c: two compilations make two objects"
if have gfortran; then
	for n in 1 2; do (cd src && "$FATHOM" gfortran -g -fopenmp -c sub.f90 -o ../sub.o && cp ../sub.o ../sub$n.o) || bad "sub.f90: failed"; done
	cmp -s sub1.o sub2.o || bad "sub.f90: two compilations make two objects"
fi

[ "$lines" -gt 45 ] || bad "only $lines lines compared"
[ -z "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'fathom-??????' -user "$(id -un)" -newer src/omp.c 2> /dev/null)" ] ||
	echo "note: temporary directories of other commands are around"
verdict
