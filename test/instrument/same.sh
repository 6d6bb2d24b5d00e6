#!/bin/sh
# A build cannot tell the command from the compiler: the same exit code, output, diagnostics
# byte for byte, and files, for each of these lines.
. "$srcdir/test/lib.sh"
. "$srcdir/test/instrument/lib.sh"
unset FATHOM_INSTRUMENT_CALLS

mkdir -p src/inc src/pre
cd src || exit 99
cat > inc/a.h <<'EOF'
#ifndef A_H
#define A_H
int helper(int);
static inline int twice(int x) { return 2 * x; }
#endif
EOF
cat > main.c <<'EOF'
#include <stdio.h>
#include "a.h"
int main(int argc, char **argv) { (void)argv; printf("%d\n", helper(argc) + twice(3)); return 7; }
EOF
cat > helper.c <<'EOF'
#include "a.h"
int helper(int n) { int s = 0; for (int i = 0; i < 10 * n; i++) s += twice(i); return s; }
EOF
cat > warns.c <<'EOF'
#include <stdlib.h>
static int unused(int x) { return x; }
int maybe(int n) { int x; if (n > 3) x = n; return x; }
int big(void) { char room[5000]; for (int i = 0; i < 5000; i++) room[i] = (char)i; return room[7]; }
int falls(int n) { if (n) return 1; }
void writes(const char *p) { *(char *)p = 0; int shadow = 1; { int shadow = 2; (void)shadow; } }
inline int c99(int n) { for (int i = 0; i < n; i++) n ^= i; return n; }
int uses(int n) { return c99(n); }
EOF
echo 'int broken(int n { return n; }' > broken.c
cat > deprecated.cc <<'EOF'
#include <string>
#include <vector>
struct Old { virtual int f(int) { return 1; } };
struct New : Old { int f(int) { return 2; } int unused; };
template <class T> T sum(const std::vector<T> &v) { T s{}; for (int i = 0; i < v.size(); i++) s += v[i]; return s; }
static int never(const std::string &s) { return s.size() - 1u; }
int use() { New n; return n.f(3) + sum(std::vector<int>{1, 2}); }
EOF
cat > prog.cc <<'EOF'
#include <iostream>
#include <stdexcept>
static int risky(int n) { for (int i = 0; i < n; i++) if (i == 5) throw std::runtime_error("five"); return n; }
int main() { try { risky(9); } catch (std::exception &e) { std::cout << e.what() << "\n"; } auto l = [](int k) { return k + 1; }; return l(2); }
EOF
cat > mod.f90 <<'EOF'
module m
contains
subroutine outer(n, s)
  integer, intent(in) :: n
  real, intent(out) :: s
  integer :: k, unused
  s = 0
  do k = 1, n
    call inner(k)
  end do
contains
  subroutine inner(i)
    integer, intent(in) :: i
    s = s + i * n
  end subroutine
end subroutine
end module
EOF
cat > prog.f90 <<'EOF'
program p
  use m
  real :: s
  call outer(10, s)
  print *, s
end program
EOF
printf '.globl from_asm\nfrom_asm: ret\n.section .note.GNU-stack,"",@progbits\n' > asm.s
printf '#define NAME from_cpp_asm\n.globl NAME\nNAME: ret\n.section .note.GNU-stack,"",@progbits\n' > asmcpp.S
printf '%s\n' '-I inc "-DQUOTED=\"a b\"" -O2' > flags
cp inc/a.h pre/head.h
cd .. || exit 99


for cc in gcc clang; do
	line $cc -I inc main.c helper.c
	line $cc -I inc -c main.c
	line $cc -c main.c -I inc -o sub.o
	line $cc -c main.c helper.c -Iinc
	line $cc -I inc -S helper.c
	line $cc -I inc -E main.c -o main.i
	line $cc -I inc -M main.c
	line $cc -I inc -MM -MT target main.c
	line $cc -I inc -MD -c main.c
	line $cc -I inc -MMD -MP -MF deps.d -c main.c -o main.o
	line $cc -pipe -I inc main.c helper.c -o named
	line $cc -I inc -x c - -c -o stdin.o
	line $cc -c asm.s
	line $cc -c asmcpp.S asm.s
	line $cc -I inc main.c helper.c asm.s asmcpp.S
	line $cc @flags main.c helper.c
	line $cc @nosuchfile main.c
	line $cc -I inc -shared -fPIC helper.c -o libhelper.so
	line $cc -I inc -shared -fPIC helper.c -Wl,-z,defs -o libhelper.so
	line $cc -r -nostdlib asm.s -o both.o
	line $cc -Wall -Wextra -Wshadow -Wcast-qual -c -I inc warns.c
	line $cc -Wall -Wextra -Werror -O2 -c -I inc warns.c
	line $cc -Weverything -Werror -c -I inc helper.c
	line $cc -c broken.c
	line $cc -Werror -I inc main.c helper.c
	line $cc -I inc main.c
	line $cc -c nosuch.c
	line $cc
	line $cc -o
	line $cc --nosuchoption -c main.c
	line $cc -lnosuchlibrary
	line $cc -fsyntax-only -I inc main.c
	line $cc --version
	line $cc -dumpversion
	line $cc -dumpmachine
	line $cc -print-prog-name=ld
	line $cc -print-search-dirs
	line $cc -print-file-name=libgcc.a
	line $cc -v
	line $cc -I inc -g -O0 main.c helper.c
	line $cc -I inc -g3 -O3 -fPIE -pie main.c helper.c
	line $cc -I inc -O2 -flto main.c helper.c
	line $cc -I inc -fsanitize=address,undefined -g main.c helper.c
	line $cc -I inc -Wl,--fatal-warnings -Wl,-z,now -Wl,--no-undefined main.c helper.c
	line $cc -I inc -Wl,-Bstatic main.c helper.c -Wl,-Bdynamic
	line $cc -I inc -x c main.c helper.c
	line $cc -ffreestanding -nostdlib -c -I inc helper.c
	line $cc conftest.c
	line $cc pre/head.h
done
line gcc -I inc -save-temps -c helper.c
line gcc -Wall -Wextra -O2 -fanalyzer -c -I inc warns.c
line gcc -Wall -Wextra -O3 -Winline -Wsuggest-attribute=noreturn -c -I inc warns.c
for cxx in g++ clang++; do
	line $cxx prog.cc
	line $cxx -std=c++17 -O2 -c deprecated.cc prog.cc
	line $cxx -std=c++17 -Wall -Wextra -Woverloaded-virtual -Wsuggest-override -c deprecated.cc
	line $cxx -std=c++17 -Wall -Wextra -Werror -O2 -c deprecated.cc
	line $cxx -O2 -flto prog.cc
	line $cxx -x c++-header pre/head.h -o pre/head.h.gch
done
line gfortran mod.f90 prog.f90
line gfortran -O2 -c mod.f90
line gfortran -Wall -Wextra -Werror -c mod.f90
line gfortran -J pre -c mod.f90
line gfortran prog.f90
line gfortran -cpp -MD -c mod.f90
line gfortran -fcheck=all -g -O0 mod.f90 prog.f90

# Two compilers in step: objects of one kind with programs of the other, and precompiled headers.
setup="gcc -c -I inc helper.c"; line gcc -I inc main.c helper.o
setup="$FATHOM gcc -c -I inc helper.c"; line gcc -I inc main.c helper.o
setup="\"\$1\" gcc pre/head.h -o pre/head.h.gch 2>/dev/null || gcc pre/head.h -o pre/head.h.gch"
line gcc -Winvalid-pch -include pre/head.h -c helper.c -I inc

# Hooks need stack: a limit on it may now be passed, which warns but does not fail.
for cc in gcc clang; do
	have $cc || continue
	"$FATHOM" $cc -Werror -O2 -Wframe-larger-than=4000 -c src/warns.c -I src/inc -Wno-all -Wno-return-type \
		-Wno-implicit-fallthrough 2> err || bad "$cc -Wframe-larger-than: $(cat err)"
	contains "$cc -Wframe-larger-than" "$(cat err)" 'Wframe-larger-than'
done

[ "$lines" -gt "$(have clang clang++ && echo 80 || echo 50)" ] || bad "only $lines lines compared"
verdict
