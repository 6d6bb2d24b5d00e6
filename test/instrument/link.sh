#!/bin/sh
# What is linked, seen in the programs and by running them: hooks and wrappers are reached from
# programs, from their shared libraries and from Fortran; static, moved and sanitized programs.
. "$srcdir/test/lib.sh"
. "$srcdir/test/instrument/lib.sh"
[ -f "$libraries/libfathom-compiler.so" ] || skip "libraries not built"
need readelf
unset FATHOM_MODE

# needed PROGRAM: the libraries it names, in order
needed() { readelf -dW "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sed 's,.*/,,' | tr '\n' ' '; }

# ran WHAT PROGRAM FUNCTION VISITS: the run leaves one experiment with as many visits of it
ran() {
	rm -rf fathom-*
	"./$2" > out 2> err; same "$1: exit code" 7 $?
	same "$1: stdout" "" "$(cat out)"
	dir=$(experiment) || { bad "$1: $(cat err)"; return; }
	same "$1: visits of $3" "$4" "$(values visits "$dir/profile.cubex" | awk -v f="/$3\$" '$2 ~ f { n += $1 } END { print n + 0 }')"
}
[ -x "$builddir/test/run/dump" ] || skip "test/run/dump not built"

cat > loop.c <<'EOF'
int loop(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
EOF
cat > main.c <<'EOF'
int loop(int);
int main(void) { int s = 0; for (int i = 1; i <= 5; i++) s += loop(100); return s == 5 * 4950 ? 7 : 1; }
EOF
for cc in gcc clang; do
	have $cc || continue
	"$FATHOM" $cc -g -O1 main.c loop.c -o one || bad "$cc: link"
	ran "$cc program" one loop 5
	contains "$cc program" "$(needed one)" '^libfathom-compiler\.so\.0 libfathom-pthread\.so\.0 libfathom\.so\.0 libc\.so\.6 $'

	# The library is linked without us; its calls must reach the program's hooks all the same.
	"$FATHOM" $cc -g -O1 -fPIC -shared loop.c -o libloop.so || bad "$cc: shared"
	same "$cc library: names nothing of ours" "" "$(needed libloop.so | grep fathom)"
	"$FATHOM" $cc -g -O1 main.c -o user ./libloop.so -Wl,-rpath,"$work" || bad "$cc: link with a library"
	ran "$cc library" user loop 5
	# gprof's way of measuring beside ours.
	"$FATHOM" $cc -g -O1 -pg main.c loop.c -o both || bad "$cc -pg: link"
	ran "$cc -pg" both loop 5
	gcc main.c -o plain ./libloop.so; ./plain; same "$cc library in a plain program" 7 $?
	same "a plain program leaves" "$dir" "$(experiment)"
done

# Another order of work: compile here, link there; objects with the loop in an archive.
"$FATHOM" gcc -g -O1 -c main.c loop.c && ar cr liball.a loop.o && "$FATHOM" gcc main.o -L. -lall -o archive
ran "archive" archive loop 5
"$FATHOM" gcc -g -O2 -flto main.c loop.c -fno-inline -o lto; ran "lto" lto loop 5
"$FATHOM" gcc -g -O1 -Wl,-z,now,-z,relro -pie -fPIE main.c loop.c -o hard; ran "pie, now" hard loop 5
"$FATHOM" gcc -g -O1 -no-pie main.c loop.c -o nopie; ran "no-pie" nopie loop 5
"$FATHOM" gcc -g -O1 -x c main.c loop.c -o lang; ran "-x c" lang loop 5
"$FATHOM" gcc -g -O1 main.c loop.c -Wl,-Bstatic -o bstatic 2> err && ran "-Bstatic at the end" bstatic loop 5
"$FATHOM" gcc -g -O1 -fuse-ld=gold main.c loop.c -o gold 2> err && ran "gold" gold loop 5
"$FATHOM" gcc -g -O1 -fsanitize=undefined main.c loop.c -o ubsan; ran "-fsanitize=undefined" ubsan loop 5
if gcc -fsanitize=address main.c loop.c -o asan 2> /dev/null && ./asan; [ $? = 7 ]; then
	"$FATHOM" gcc -g -O1 -fsanitize=address main.c loop.c -o asan
	ran "-fsanitize=address" asan loop 5
fi
"$FATHOM" --no-compiler gcc -g -O1 main.c loop.c -o without && same "--no-compiler" "libfathom-pthread.so.0 libfathom.so.0 libc.so.6 " "$(needed without)"
./without > /dev/null 2>&1; same "--no-compiler: exit code" 7 $?
"$FATHOM" gcc -r main.o loop.o -o both.o 2> err || bad "-r: $(cat err)"
"$FATHOM" gcc both.o -o fromr && ran "-r" fromr loop 5

# C99: an inline function without a definition of its own links as it does without us.
cat > inl.c <<'EOF'
inline int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
int main(void) { return sum(4) + 1; }
EOF
if [ -f "$plugin" ] && gcc -O3 inl.c -o inl 2> /dev/null; then
	"$FATHOM" gcc -O3 inl.c -o inl 2> err || bad "C99 inline: $(cat err)"
	ran "C99 inline" inl main 1
fi

# A profile for GCC from a build where functions were copied into others in which fathom wants to see them.
cat > guided.c <<'EOF'
static volatile int count = 100;
static int add(int n) { return n + 1; }
int loop(int n) { int s = 0; for (int i = 0; i < n; i++) s += i % 3 ? add(i) : add(-i); return s; }
int main(void) { int s = 0; for (int i = 1; i <= 5; i++) s += loop(count); return s == 8420 ? 7 : s; }
EOF
if gcc -O2 -fprofile-generate guided.c -o guided 2> /dev/null; then
	./guided; same "-fprofile-generate" 7 $?
	FATHOM_INSTRUMENT_CALLS=compiled "$FATHOM" gcc -O2 -fprofile-use guided.c -o guided 2> err || bad "-fprofile-use: $(cat err)"
	! has_part late-hooks || [ ! -f "$plugin" ] || same "-fprofile-use: the program as compiled" "" "$(cat err)"
	FATHOM_INSTRUMENT_MIN_INSNS=0 "$FATHOM" gcc -O2 -fprofile-use guided.c -o guided 2> err || bad "-fprofile-use: $(cat err)"
	[ ! -f "$plugin" ] || contains "-fprofile-use: another program" "$(cat err)" 'Wcoverage-mismatch'
	ran "-fprofile-use" guided loop 5
fi

# Static: everything is in the program.
if "$FATHOM" gcc -g -O1 -static main.c loop.c -o static 2> err; then
	same "-static: names no library" "" "$(needed static)"
	ran "-static" static loop 5
	"$FATHOM" gcc -g -O1 -static-pie main.c loop.c -o staticpie 2> err && ran "-static-pie" staticpie loop 5
else
	contains "-static" "$(cat err)" '^fathom: .*(without static elfutils|made without static libraries)'
fi

# Exceptions pass through instrumented functions.
if have g++; then
	cat > throws.cc <<'EOF'
#include <stdexcept>
extern int risky(int);
int risky(int n) { for (int i = 0; i < n; i++) if (i == 5) throw std::runtime_error("five"); return n; }
int main() { int caught = 0; for (int i = 0; i < 4; i++) try { risky(9); } catch (std::exception &) { caught++; } return caught + 3; }
EOF
	"$FATHOM" g++ -g -O1 throws.cc -o throws || bad "g++"
	ran "exceptions" throws 'risky(\(int\))?' 4
fi

# A contained procedure that uses its host's variables, measured under its own name.
if have gfortran; then
	cat > host.f90 <<'EOF'
module m
contains
subroutine outer(n, s)
  integer, intent(in) :: n
  integer, intent(out) :: s
  integer :: k
  s = 0
  do k = 1, n
    call inner(k)
  end do
contains
  subroutine inner(i)
    integer, intent(in) :: i
    integer :: j
    do j = 1, i
      s = s + j * n
    end do
  end subroutine
end subroutine
end module
program p
  use m
  integer :: s
  call outer(6, s)
  if (s == 336) stop 7
end program
EOF
	for level in -O0 -O2; do
		"$FATHOM" gfortran -g $level -fno-inline host.f90 -o host || bad "gfortran $level"
		rm -rf fathom-*; ./host 2> err; same "gfortran $level: exit code" 7 $?
		dir=$(experiment) || bad "gfortran $level: $(cat err)"
		same "gfortran $level: visits of inner" 6 "$(values visits "$dir/profile.cubex" | awk '$2 ~ /outer[^\/]*\/inner[^\/]*$/ { n += $1 } END { print n + 0 }')"
		contains "gfortran $level: stack" "$(readelf -lW host | grep GNU_STACK)" ' RW +0x'
	done
fi

# Moved as a whole, and installed below another root.
mkdir -p moved/bin moved/lib/fathom
cp "$FATHOM" moved/bin/ && cp -P "$libraries"/libfathom*.so* moved/lib/ && cp "$plugin" moved/lib/fathom/ 2> /dev/null
ln -s fathom moved/bin/fathom-gcc
if grep -q "^libdir = \${exec_prefix}/lib$" "$builddir/Makefile" && grep -q "^bindir = \${exec_prefix}/bin$" "$builddir/Makefile"; then
	moved/bin/fathom-gcc -g -O1 main.c loop.c -o away 2> err || bad "moved: $(cat err)"
	contains "moved" "$(readelf -dW away | grep -i runpath)" "$work/moved/lib\]"
	ran "moved" away loop 5
	moved/bin/fathom --verbose gcc -c main.c 2> err
	[ ! -f "$plugin" ] || contains "moved plugin" "$(cat err)" "fplugin=$work/moved/lib/fathom/fathom_gcc_plugin.so"
	mkdir 'moved, too' && mv moved/* 'moved, too/' && 'moved, too/bin/fathom-gcc' -g -O1 main.c loop.c -o away2 2> err || bad "comma in the path: $(cat err)"
	ran "comma in the path" away2 loop 5
	rm 'moved, too'/lib/libfathom-compiler.so
	'moved, too/bin/fathom-gcc' main.o loop.o -o never 2> err; same "incomplete installation" 1 $?
	contains "incomplete installation" "$(cat err)" '^fathom: .*libfathom-compiler.so is not there: '
fi
verdict
