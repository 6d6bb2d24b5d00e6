#!/bin/bash
# Names, files and lines: shared libraries, PIE and not, separate debug files, stripped, dlopen.
. "${srcdir:?}/test/lib.sh" || exit 99
dump() { "$builddir/test/run/dump" -s "$1"/profile.cubex | grep '|compiler|function$' | sort; }

cat > lib.c <<'C'
static volatile int sink;
void in_library(void) { sink++; }
C
cat > prog.cc <<'C'
namespace outer { template <class T> struct box { T value; __attribute__((noinline)) T get(int) const { return value; } }; }
extern "C" void in_library(void);
static int hidden(int n)
{
	return n + 1;
}
int main()
{
	outer::box<long> b = { 3 };
	in_library();
	return (int)b.get(1) + hidden(2) - 6;
}
C
"$CC" -g -fPIC -shared -finstrument-functions lib.c -o liblib.so || exit 1
for how in "-pie -fPIE" "-no-pie -fno-pie"; do
	rm -rf fathom-*
	"$CXX" -g -O0 -finstrument-functions $how prog.cc -o prog -L. -Wl,-rpath,. -llib $fathom_libs || die "cannot build"
	./prog 2> err || bad "$how: exit code"
	dir=$(experiment) || exit 1
	all=$(dump "$dir")
	contains "$how" "$all" "^region hidden\(int\)\|_ZL6hiddeni\|.*prog.cc\|3\|6\|"
	contains "$how" "$all" "^region outer::box<long>::get\(int\) const\|_ZNK5outer3boxIlE3getEi\|.*prog.cc\|1\|"
	contains "$how" "$all" "^region in_library\|in_library\|.*lib.c\|2\|2\|"
	contains "$how" "$all" "^region main\|main\|.*prog.cc\|7\|12\|"
done

# Debug information in a file of its own.
rm -rf fathom-*
cp prog full
objcopy --only-keep-debug prog prog.debug && objcopy --strip-debug --add-gnu-debuglink=prog.debug prog prog2
mv prog2 prog
./prog 2> err
contains "separate debug file" "$(dump "$(experiment)")" "^region hidden\(int\)\|_ZL6hiddeni\|.*prog.cc\|3\|6\|"

# Only the symbol table.
rm -rf fathom-* prog.debug
LD_DEBUG=libs ./prog 2> err
grep -q libdebuginfod err && bad "no debug file: libdebuginfod is looked for, and all that it needs loaded into the program"
contains "no debug file" "$(dump "$(experiment)")" "^region hidden\(int\)\|_ZL6hiddeni\|\|-1\|-1\|"

# Nothing at all.
rm -rf fathom-*
strip -s prog
./prog 2> err
contains "stripped" "$(dump "$(experiment)")" "^region prog\+0x[0-9a-f]+\|"

# clang writes no index of addresses to compilation units.
if have clang; then
	rm -rf fathom-*
	clang -g -O0 -finstrument-functions -x c lib.c -x c - -o clanged $fathom_libs << 'C' || die "clang"
void in_library(void);
int main(void) { in_library(); return 0; }
C
	./clanged 2> err
	contains "clang" "$(dump "$(experiment)")" "^region in_library\|in_library\|.*lib.c\|2\|"
fi

# A function that the compiler splits into a hot and a cold piece.
rm -rf fathom-*
cat > split.cc <<'C'
#include <vector>
#include <cstdio>
int main()
{
	std::vector<int> v;
	for (int i = 0; i < 1000; i++) v.push_back(i);
	std::printf("%zu\n", v.size());
}
C
"$CXX" -g -O2 -finstrument-functions -finstrument-functions-exclude-file-list=/usr/include split.cc -o split $fathom_libs || die "split"
./split > /dev/null 2> err
contains "split" "$(dump "$(experiment)")" "^region main\|main\|.*split.cc\|3\|"

# A clone that GCC makes for a constant argument is the function that it was made from.
if has_part late-hooks && [ -f "$builddir/.libs/fathom_gcc_plugin.so" ]; then
	rm -rf fathom-*
	cat > clone.c <<'C'
#include <stdlib.h>
__attribute__((noinline)) static int work(int n, int k) { volatile int s = 0; for (int i = 0; i < n; i++) s += k; return s; }
int main(int argc, char **argv) { int s = 0; (void)argv; for (int i = 0; i < 10; i++) s += work(argc * 100, 3); return s == 1 ? abort(), 1 : 0; }
C
	FATHOM_INSTRUMENT_CALLS=compiled "$FATHOM" gcc -g -O2 clone.c -o clone 2> err || die "clone: $(cat err)"
	if nm clone | grep -q ' work\.constprop'; then
		./clone 2> err
		contains "clone" "$(dump "$(experiment)")" "^region work\|work\|.*clone.c\|2\|"
		same "visits of a clone" 10 "$(value visits clone/main/work "$(experiment)/profile.cubex")"
		printf 'exclude work\n' > rules
		rm -rf fathom-*
		FATHOM_FILTER=rules ./clone 2> err
		same "visits of an excluded clone" 0 "$(value visits clone/main/work "$(experiment)/profile.cubex")"
	fi
	rm -rf fathom-*
fi

# A static function of a header in two objects: one region, one call path, with the visits of both.
rm -rf fathom-*
echo 'static volatile int twin_sink; static void twin(void) { twin_sink++; } static void around(void) { twin(); twin(); }' > twin.h
printf '#include "twin.h"\nvoid other(void) { around(); }\n' > other.c
printf '#include "twin.h"\nvoid other(void);\nstatic void both(void (*a)(void), void (*b)(void)) { a(); b(); }\nvoid (*of_other(void))(void);\nint main(void) { both(around, of_other()); other(); return 0; }\n' > twins.c
printf 'void (*of_other(void))(void) { return around; }\n' >> other.c
instrument twins.c other.c -o twins
./twins 2> err
dir=$(experiment) || exit 1
check_profile "$dir/profile.cubex"
same "visits of twins" 2 "$(value visits twins/main/both/around "$dir/profile.cubex")"
same "visits below twins" 4 "$(value visits twins/main/both/around/twin "$dir/profile.cubex")"
same "regions of twins" 1 "$(dump "$dir" | grep -c '^region twin|')"

# A library is unloaded, another takes its place: two regions.
rm -rf fathom-*
for n in one two; do
	cat > $n.c <<C
static volatile int sink;
void entry(void) { sink++; }
void called_$n(void) { sink++; entry(); }
C
	"$CC" -g -fPIC -shared -finstrument-functions $n.c -o $n.so || exit 1
done
cat > load.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
static void *use(const char *file, const char *name)
{
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	void (*function)(void) = (void (*)(void))dlsym(library, name);
	for (int i = 0; i < 3; i++) function();
	dlclose(library);
	return (void *)function;
}
int main(void)
{
	void *a = use("./one.so", "called_one"), *b = use("./two.so", "called_two"), *c = use("./one.so", "called_one");
	printf("%d\n", a == b && b == c);
	return 0;
}
C
"$CC" -g -finstrument-functions load.c -o load $fathom_libs -ldl || exit 1
out=$(./load 2> err)
[ "$out" = 1 ] || echo "note: the libraries did not get the same address"
dir=$(experiment) || exit 1
same "called_one" 6 "$(value visits load/main/use/called_one "$dir/profile.cubex")"
same "called_two" 3 "$(value visits load/main/use/called_two "$dir/profile.cubex")"
check_profile "$dir/profile.cubex"

# A library crashes while it is loaded, or unloaded: the linker's lock is held, and what names functions is loaded, too.
cat > crash.c <<'C'
static volatile int sink;
static void crashes(int *null) { sink++; *null = 1; }
static int *null;
#ifdef AT_END
__attribute__((destructor)) static void at_end(void) { crashes(null); }
#else
__attribute__((constructor)) static void at_begin(void) { crashes(null); }
#endif
C
cat > loads.c <<'C'
#include <dlfcn.h>
int main(int count, char **names) { return count < 2 || dlclose(dlopen(names[1], RTLD_NOW)); }
C
"$CC" -g -finstrument-functions loads.c -o loads $fathom_libs -ldl || exit 1
for when in begin end; do
	rm -rf fathom-*
	"$CC" -g -fPIC -shared -finstrument-functions $([ $when = begin ] || echo -DAT_END) crash.c -o crash.so || exit 1
	(./loads ./crash.so) > /dev/null 2>&1
	same "a crash at the $when of a library" 139 $?
	dir=$(experiment) || exit 1
	same "a crash at the $when of a library: names" 1 "$(value visits loads/main/at_$when/crashes "$dir/profile.cubex")"
done
verdict
