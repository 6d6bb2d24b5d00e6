#!/bin/bash
# What OPARI2 fails at, each in a file of its own: the program is as it would be without fathom, and is either
# measured or compiled plainly, with one line that names the file.
. "${srcdir:?}/test/openmp/lib.sh" || exit 99
need_openmp gcc c
need_opari
THREADS=2
said_differs=yes

# trap_file NAME.SUFFIX COMPILER [FLAG...] < SOURCE
trap_file() {
	file=$1 name=${1%.*} compiler=$2; shift 2
	cat > "$file"
	both "$name" "$compiler" "$work/$file" "$@" || return
	grep '^fathom: ' "$name.measured.said" > notes
	grep -v '^fathom: ' "$name.measured.said" > rest
	same "$file: what the compiler says" "$(cat "$name.plain.said")" "$(cat rest)"
	compare "$name"
	# In the source: //! regions NUMBER of parallel regions, which are all visited, by two threads.
	regions=$(sed -n 's/.*! regions \([0-9]*\).*/\1/p' "$file")
	values visits "$name-2.measured/experiment/profile.cubex" > visits
	seen=$(grep -c "[/ ]![$]omp parallel @[^/]*$" visits)
	if [ -s notes ]; then
		same "$file: notes" 1 "$(wc -l < notes)"
		contains "$file: the note" "$(cat notes)" "$name"
		[ "$seen" -eq 0 ] || bad "$file: said to be plain, and has $seen regions"
		echo "$file: plain: $(cat notes)"
	else
		same "$file: parallel regions in the profile" "$regions" "$seen"
	fi
}

trap_file closing.c gcc <<'C'
#include <stdio.h>
int main(void)
{
	int x = 0, yes = 1;
	if (yes) {
	#pragma omp parallel num_threads(2)
	x = 1; }
	printf("%d\n", x);	//! regions 1
}
C

trap_file bodies.cc g++ <<'C'
#include <stdio.h>
int main()
{
	static const int values[] = { 4, 5, 6 };
	int sum = 0, n = 0;
#pragma omp parallel reduction(+:sum)
	do
		sum += 3;
	while (sum < 10);
#pragma omp parallel reduction(+:sum)
	try {
		sum += 2;
	} catch (...) {
		sum = -1;
	}
#pragma omp parallel for reduction(+:sum)
	for (int value : values)
		sum += value;
#pragma omp parallel reduction(+:sum)
	for (int value : values)
		sum += value;
#pragma omp parallel reduction(+:n)
	if (n)
		n = 5;
	else
		n++;
	printf("%d %d\n", sum, n);	//! regions 5
}
C

trap_file else.c gcc <<'C'
#include <stdio.h>
static void choose(int yes)
{
	int sum = 0;
	if (yes)
#pragma omp parallel reduction(+:sum)
	{
		sum++;
	}
	else
		sum = -1;
	printf("%d\n", sum);
}
int main(void)
{
	choose(0);
	choose(1);	//! regions 1
}
C

trap_file literals.cc g++ <<'C'
#include <stdio.h>
int main()
{
	const char *text = R"x(a quote " and a brace { and )" still)x";
	const long many = 10'000, few = 1'000;
	int sum = 0;
#pragma omp parallel reduction(+:sum)
	{
		sum += text[8] == '"';
	}
	printf("%s %ld %d\n", text, many + few, sum);	//! regions 1
}
C

# Names that the rewriting uses, and names that contain those it replaces.
trap_file names.c gcc <<'C'
#include <omp.h>
#include <stdio.h>
static int my_omp_set_lock_too(int i) { return i + 1; }
static void (*set)(omp_lock_t *) = omp_set_lock;
int main(void)
{
	int pomp2_if = 5, pomp2_num_threads = 6, pomp2_old_task = 7, sum = 0;
	omp_lock_t lock, other;
	omp_init_lock(&lock);
	omp_init_lock(&other);
#pragma omp parallel num_threads(2) reduction(+:sum)
	{
		set(&lock);
		sum += my_omp_set_lock_too(pomp2_if * 100 + pomp2_num_threads * 10 + pomp2_old_task);
		omp_unset_lock(&lock);
		omp_set_lock(&other);
		omp_unset_lock(&other);
	}
	omp_destroy_lock(&other);
	omp_destroy_lock(&lock);
	printf("%d\n", sum);	//! regions 1
}
C

trap_file across.c gcc <<'C'
#include <stdio.h>
int main(void)
{
	int a[10] = { 1 };
#pragma omp parallel
	{
#pragma omp for ordered(1)
		for (int i = 1; i < 10; i++) {
#pragma omp ordered depend(sink: i - 1)
			a[i] = a[i - 1] * 2;
#pragma omp ordered depend(source)
		}
	}
	printf("%d\n", a[9]);	//! regions 1
}
C

# Combined with target and teams the parallel region is not seen, and there is nothing to say.
trap_file target.c gcc <<'C'
#include <stdio.h>
int main(void)
{
	int sum = 0;
#pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+:sum)
	for (int i = 0; i < 10; i++)
		sum += i;
#pragma omp teams distribute parallel for reduction(+:sum)
	for (int i = 0; i < 10; i++)
		sum += i;
#pragma omp parallel reduction(+:sum)
	{
		sum++;
	}
	printf("%d\n", sum);	//! regions 1
}
C

trap_file attribute.cc g++ -std=c++17 <<'C'
#include <stdio.h>
int main()
{
	int sum = 0;
	[[omp::directive(parallel, reduction(+:sum))]]
	sum++;
#pragma omp parallel reduction(+:sum)
	sum++;
	printf("%d\n", sum);	//! regions 1
}
C

# Feature macros, predefined words, warnings that are errors, a name that a describing string would stumble over.
trap_file 'a*b:c.c' gcc -std=gnu11 -O2 -Wall -Wextra -Wshadow -Wpedantic -Werror -Wmissing-prototypes -Wstrict-prototypes \
	-Wmissing-declarations -Wold-style-definition -Wmaybe-uninitialized <<'C'
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
	int sum = 0, yes = 1, cpu = sched_getcpu();
	char copy[20];
	char *end = mempcpy(copy, "abc", 4);
#pragma omp parallel reduction(+:sum)
	{
		sum++;
#pragma omp single
		{
#pragma omp task if(yes) shared(sum)
			{
				yes = 0;
			}
		}
	}
	printf("%d %d %d %d\n", sum, cpu >= 0, (int)(end - copy), linux);	//! regions 1
	return 0;
}
C

# Line ends of another system, and a last line without any.
printf '#include <stdio.h>\r\nint main(void)\r\n{\r\n\tint n = 0;\r\n#pragma omp parallel \\\r\n reduction(+:n)\r\n\tn++;\r\n\tprintf("%%d\\n", n); //! regions 1\r\n}' |
	tr -d '\001' > crlf
trap_file crlf.c gcc < crlf

# OpenMP that is none.
trap_file simd.c gcc -fno-openmp -fopenmp-simd <<'C'
#include <stdio.h>
#ifdef _OPENMP
#error "not OpenMP"
#endif
int main(void)
{
	int sum = 0;
#pragma omp parallel for simd reduction(+:sum)
	for (int i = 0; i < 10; i++)
		sum += i;
	printf("%d\n", sum);	//! regions 0
}
C

if have gfortran; then
trap_file noprogram.f90 gfortran <<'F'
integer :: n
n = 0
!$omp parallel reduction(+:n)
n = n + 1
!$omp end parallel
print *, n	!! regions 1
end
F
trap_file strict.f90 gfortran <<'F'
program strict
  implicit none (type, external)
  integer :: n
  n = 0
  !$omp parallel reduction(+:n)
  n = n + 1
  !$omp end parallel
  print *, n	!! regions 1
end program strict
F
trap_file submodules.f90 gfortran <<'F'
module face
  interface
    module subroutine count_up(n)
      integer, intent(inout) :: n
    end subroutine
  end interface
end module face
submodule (face) body
contains
  module procedure count_up
    integer :: m
    m = 0
    !$omp parallel reduction(+:m)
    m = m + 1
    !$omp end parallel
    n = n + m
  end procedure
end submodule body
program main
  use face
  integer :: n
  n = 0
  call count_up(n)
  print *, n	!! regions 1
end program main
F
trap_file clauses.f90 gfortran <<'F'
program clauses
  implicit none
  integer :: n, i
  n = 0
  !$omp parallel &
  !$omp num_threads(2) &
  !$omp if(n == 0) &
  !$omp reduction(+:n)
  n = n + 1
  !$omp end parallel
  call kept(n)
  !$omp parallel do simd reduction(+:n) schedule(static)
  do i = 1, 4
    n = n + i
  end do
  print *, n	!! regions 3
contains
  subroutine kept(n)
    integer, intent(inout) :: n
    integer :: calls
    save
    calls = 0
    !$omp parallel reduction(+:n)
    !$omp task
    !$omp atomic
    calls = calls + 1
    !$omp end task
    n = n + 1
    !$omp end parallel
    n = n + calls
  end subroutine kept
end program clauses
F
trap_file wide.F90 gfortran -fdefault-integer-8 <<'F'
program wide
#ifdef NEVER
  integer :: m
#endif
  integer :: n
#ifdef _OPENMP
  integer :: k
#endif
  n = 0
  k = 1
  !$omp parallel reduction(+:n) if(k > 0)
  n = n + k
  !$omp end parallel
  print *, n	!! regions 1
end program wide
F
fi

# Regions of one header in two files are one; an archive, a shared library and a stripped one have theirs too.
cat > part.h <<'C'
static inline int in_header(void)
{
	int n = 0;
#pragma omp parallel reduction(+:n)
	{
		n++;
	}
	return n;
}
C
for part in a b c; do
	printf '#include "part.h"\nint part_%s(void) { return in_header(); }\n' $part > part_$part.c
done
printf '#include <stdio.h>\nint part_a(void), part_b(void), part_c(void);\nint main(void) { printf("%%d\\n", part_a() + part_b() + part_c()); return 0; }\n' > whole.c
for kind in plain measured; do
	with=; [ $kind = measured ] && with="$FATHOM --filter=$work/rules"
	mkdir lib.$kind
	for part in a b; do $with gcc -g -fopenmp -fPIC -c part_$part.c -o part_$part.o || bad "parts: cannot be compiled"; done
	ar rc lib.$kind/libpart_a.a part_a.o
	$with gcc -fopenmp -shared part_b.o -o lib.$kind/libpart_b.so && strip lib.$kind/libpart_b.so
	$with gcc -g -fopenmp whole.c part_c.c -Llib.$kind -lpart_a -lpart_b -Wl,-rpath,"$work/lib.$kind" -o parts.$kind || bad "parts: cannot be linked"
done
compare parts
! have opari2 || same "a region of a header in three files" 6 "$(values visits parts-2.measured/experiment/profile.cubex | awk '/omp parallel @part.h:4$/ { n += $1 } END { print n + 0 }')"
verdict
