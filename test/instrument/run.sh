#!/bin/sh
# fathom run: what is preloaded, what is refused.
. "$srcdir/test/lib.sh"
. "$srcdir/test/instrument/lib.sh"
[ -f "$libraries/libfathom.so" ] || skip "libraries not built"

cat > show.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) { const char *p = getenv("LD_PRELOAD"); printf("%s|%s\n", p ? p : "none", argc > 1 ? argv[1] : ""); return 5; }
EOF
gcc show.c -o show || die "gcc"
ours=$libraries/libfathom-compiler.so
for library in mpi-preload pthread ompt; do
	[ ! -f "$libraries/libfathom-$library.so" ] || ours=$ours:$libraries/libfathom-$library.so
done
ours=$ours:$libraries/libfathom.so

"$FATHOM" run ./show 'a b' > out; same "exit code" 5 $?
same "preloaded" "$ours|a b" "$(cat out)"
same "before others" "$ours:/lib/none.so|" "$(LD_PRELOAD=/lib/none.so "$FATHOM" run ./show 2> /dev/null)"
"$FATHOM" run --verbose ./show 'a b' > out 2> err
same "--verbose" "env LD_PRELOAD=$ours ./show 'a b'" "$(head -1 err)"
PATH=$work:$PATH "$FATHOM" run show > out; same "found in PATH" "$ours|" "$(cat out)"

# A program that makes no call that is measured: one line says so, and the exit code stays its own.
rm -rf fathom-*
export FATHOM_MODE=profile
"$FATHOM" run ./show > out 2> err; same "nothing measured: exit code" 5 $?
same "nothing measured: lines" 1 "$(wc -l < err)"
contains "nothing measured" "$(cat err)" '^fathom: show: nothing was measured, and there is no profile: .* build it with fathom'
same "nothing measured: directories" "" "$(ls -d fathom-* 2> /dev/null)"
"$FATHOM" run env WORD=1 ./show > out 2> err; contains "nothing measured, after exec" "$(cat err)" '^fathom: show: nothing was measured'
FATHOM_MODE=none "$FATHOM" run ./show > out 2> err; same "FATHOM_MODE=none" "" "$(cat err)"
PMI_RANK=1 "$FATHOM" run ./show > out 2> err; same "of several ranks the first says it" "" "$(cat err)"
# Children are not meant: what a script or make starts makes no calls that are measured, and need not.
printf '#!/bin/sh\n./show; ./show\n' > two; chmod +x two
"$FATHOM" run ./two > out 2> err; same "children of a script" "" "$(cat err)"
echo '#include <threads.h>
static int run(void *unused) { (void)unused; return 0; }
int main(void) { thrd_t t; return thrd_create(&t, run, 0) || thrd_join(t, 0); }' > thread.c
gcc -pthread thread.c -o thread || die "gcc"
"$FATHOM" run ./thread 2> err || bad "a thread: $(cat err)"
grep -q 'nothing was measured' err && bad "a program with a thread: $(cat err)"
rm -rf fathom-*
unset FATHOM_MODE

printf '#!/bin/sh\n./show from_script\n' > script; chmod +x script
same "children of a script" "$ours|from_script" "$("$FATHOM" run ./script)"
echo './show bare' > bare; chmod +x bare
same "script without #!" "$ours|bare" "$("$FATHOM" run ./bare)"

"$FATHOM" gcc show.c -o linked && same "linked with fathom" "none|" "$("$FATHOM" run ./linked)"
if "$FATHOM" gcc -static show.c -o linked_static 2> /dev/null; then
	same "linked with fathom, static" "none|" "$("$FATHOM" run ./linked_static)"
fi
if gcc -fsanitize=address show.c -o asan 2> /dev/null && ./asan > /dev/null 2>&1; [ $? = 5 ]; then
	"$FATHOM" run ./asan > out 2> err; same "address sanitizer: exit code" 5 $?
	contains "address sanitizer" "$(cat out)" '^libasan\.so\.[0-9]+:'
fi

# refused CODE PATTERN WORDS...
refused() {
	code=$1 pattern=$2; shift 2
	"$FATHOM" run "$@" > out 2> err; same "$*: exit code" "$code" $?
	same "$*: stdout" "" "$(cat out)"
	same "$*: lines" 1 "$(wc -l < err)"
	contains "$*" "$(cat err)" "$pattern"
}
refused 127 '^fathom: run: nosuchprogram: not found$' nosuchprogram
refused 127 '^fathom: run: \./nosuch: not found$' ./nosuch
refused 126 '^fathom: run: \./show\.c: cannot be run: Permission denied$' ./show.c
refused 126 'cannot be run' "$work"
gcc -static show.c -o static && refused 1 'is a static program' ./static
gcc -static-pie show.c -o staticpie 2> /dev/null && refused 1 'is a static program' ./staticpie
if [ "$(id -u)" = 0 ]; then
	cp show setuid; chown nobody setuid; chmod 4755 setuid; refused 1 'rights of its own' ./setuid
	cp show setgid; chown :nogroup setgid; chmod 2755 setgid; refused 1 'rights of its own' ./setgid
fi
# An ELF header for 32 bits, then for another processor.
cp show elf32; printf '\001' | dd of=elf32 bs=1 seek=4 conv=notrunc 2> /dev/null
refused 1 'another kind of processor' ./elf32
cp show other; printf '\363\000' | dd of=other bs=1 seek=18 conv=notrunc 2> /dev/null
refused 1 'another kind of processor' ./other

# Cut anywhere, a program is refused, or ends as it does alone.
size=$(wc -c < show); at=5
while [ $at -lt "$size" ]; do
	head -c $at show > cut; chmod +x cut
	alone=$(sh -c 'sh -c "exec ./cut" > /dev/null 2>&1; echo $?' 2> /dev/null)
	ours=$(sh -c '"$0" run ./cut > /dev/null 2>&1; echo $?' "$FATHOM" 2> /dev/null)
	case $ours in 1|126|"$alone") ;; *) bad "cut at $at: exit code $ours, alone $alone" ;; esac
	at=$((at * 2 + 7))
done

mkdir -p 'a b/bin' 'a b/lib'; cp "$FATHOM" 'a b/bin/'; cp -P "$libraries"/libfathom*.so* 'a b/lib/'
if grep -q "^libdir = \${exec_prefix}/lib$" "$builddir/Makefile"; then
	FATHOM="$work/a b/bin/fathom"; refused 1 'has a blank or a colon in its name' ./show
fi
verdict
