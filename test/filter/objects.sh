#!/bin/bash
# Programs and libraries: whatever executes the program, and wherever the program goes meanwhile, functions are judged and
# named by the files that they are in; libraries that come and go are judged when they come.
. "${srcdir:?}/test/lib.sh" || exit 99
[ -e "$builddir/test/run/dump" ] || die "test/run/dump is not built"
cat > prog.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>
#define KEEP __attribute__((noinline))
int g;
KEEP void one(void) { g++; }
KEEP void two(void) { g++; }
static void use(const char *name, int away)
{
	char text[100];
	void *library;
	int (*twice)(int), (*thrice)(int);
	snprintf(text, sizeof(text), "./%s.so", name);
	library = dlopen(text, RTLD_NOW);
	snprintf(text, sizeof(text), "twice_%s", name);
	if (!library || !(twice = (int (*)(int))dlsym(library, text)))
		return (void)puts(dlerror());
	snprintf(text, sizeof(text), "thrice_%s", name);
	thrice = (int (*)(int))dlsym(library, text);
	g += twice(g);
	if (away && chdir("/")) return;
	g += thrice(g);
	dlclose(library);
}
int main(void)
{
	for (int i = 0; i < 3; i++) { one(); two(); }
	for (int i = 0; i < 3; i++) { use("one", 0); use("other", i == 2); }
	printf("%d\n", g);
	return 0;
}
C
# build COMPILER...: program and libraries. Prints nothing of what it says unless it fails.
build() {
	"$@" -g -O0 prog.c -o prog $fathom_libs -ldl > err 2>&1 || die "cannot build prog.c: $(cat err)"
	for library in one other; do
		"$@" -g -O0 -shared -fPIC $library.c -o $library.so > err 2>&1 || die "cannot build $library.c: $(cat err)"
	done
}
for library in one other; do
	cat > $library.c <<-C
	int twice_$library(int x) { return 2 * x; }
	static int inner_$library(int x) { return 3 * x + ${#library}; }
	int thrice_$library(int x) { return inner_$library(x); }
	C
done
build "$CC" -finstrument-functions
plain=$(FATHOM_MODE=none ./prog) || die "prog fails: $plain"

# run RULES LEFT-OUT COMMAND...: visits of the paths that do not match the expression are those of the whole.
run() {
	what="$1, $3"
	printf "$1" > rules
	rm -rf fathom-*
	same "$what: output" "$plain" "$(FATHOM_FILTER=$PWD/rules FATHOM_DIR=$PWD "${@:3}" 2> err)"
	dir=$(experiment) || exit 1
	check_profile "$dir/profile.cubex"
	values visits "$dir/profile.cubex" | sort > got
	grep -Ev "$2" > wanted <<-T
	1 prog
	1 prog/main
	3 prog/main/one
	3 prog/main/two
	3 prog/main/use/thrice_one
	3 prog/main/use/thrice_one/inner_one
	3 prog/main/use/thrice_other
	3 prog/main/use/thrice_other/inner_other
	3 prog/main/use/twice_one
	3 prog/main/use/twice_other
	6 prog/main/use
	T
	cmp -s wanted got || bad "$what: $(diff wanted got)"
	same "$what: the program" "$PWD/prog" "$("$builddir/test/run/dump" -s "$dir/profile.cubex" | sed -n 's/^attribute fathom::program=//p')"
}
run '' '$^' ./prog
run 'exclude one\nexclude object other.so\n' '/one$|_other$' ./prog
# Late hooks: what was taken out of a library is forgotten when it goes.
FATHOM_INSTRUMENT_HOOKS=$(late_hooks) FATHOM_INSTRUMENT_MIN_INSNS=0 build "$FATHOM" "$CC"
if nm prog | grep -q fathom_sled_enter; then
	run '' '$^' ./prog
	run 'exclude one\nexclude object other.so\n' '/one$|_other$' ./prog
	run 'exclude twice_*\nexclude inner_other\n' 'twice_|inner_other$' ./prog
fi
build "$CC" -finstrument-functions
loader=$(readelf -l prog | sed -n 's/.*interpreter: \(.*\)]/\1/p')
[ ! -x "$loader" ] || run 'exclude one\nexclude file other.c\n' '/one$|_other$' "$loader" ./prog
! command -v valgrind > /dev/null || run 'exclude *\ninclude object prog\nexclude two\n' '/two$|_o[a-z]*$' valgrind -q --tool=none ./prog
if [ -e "$builddir/.libs/libfathom-trace.so" ]; then
	rm -rf fathom-*
	same "trace: output" "$plain" "$(FATHOM_MODE=trace FATHOM_FILTER=$PWD/rules FATHOM_DIR=$PWD ./prog 2> err)"
	dir=$(experiment) || exit 1
	"$FATHOM" check "$dir" > out 2>&1 || bad "the trace: $(cat out)"
fi
verdict
