#!/bin/sh
# Hooks that GCC's plugin puts into finished code, where each call of a function is measured: where they are, that the
# program does not mind them, with a library that answers (sleds/hooks.c) and without any, and that debuggers and
# unwinders find their way. (The default, where GCC inlines functions with hooks: compiled.sh.)
. "$srcdir/test/lib.sh"
. "$srcdir/test/instrument/lib.sh"
need_part late-hooks
need_plugin
need objdump
case $(gcc -dumpmachine) in x86_64-*) ;; *) skip "sleds are for x86-64" ;; esac
sleds=$srcdir/test/instrument/sleds
plug=-fplugin-arg-fathom_gcc_plugin
flags="-w -finstrument-functions -fplugin=$plugin $plug-min-insns=0 $plug-calls=all"
own="-Wl,-rpath,$work -L$work"

gcc -O1 -g -mgeneral-regs-only -fPIC -c "$sleds/hooks.c" -o hooks.o && gcc -shared hooks.o -o libhooks.so || die "cannot build the hooks"
cp "$sleds"/features* .

# functions OBJECT: all that it defines
functions() { nm "$1" | awk '$2 ~ /^[tTwW]$/ && $3 !~ /^__fathom_sled_/ { print $3 }' | sort -u; }

# A constructor's or destructor's code may be one for several names.
one_name() { sed -E 's/([CD])[124]E/\1E/' | sort -u; }

# reference FILE COMPILER OPTION...: what the program says by itself, and which of its functions are to be measured
reference() {
	file=$1 compiler=$2; shift 2
	"$compiler" -w "$@" "$file" -o plain -lm -z execstack && ./plain > expected || die "cannot build $file $*"
	# shellcheck disable=SC2086
	"$compiler" $flags $plug-hooks=early -O0 "$@" -c "$file" -o early.o || die "cannot build $file with early hooks"
	hooks early.o | one_name > chosen
	[ -s chosen ] && [ -s expected ] || die "$file: nothing to compare"
}

# log WHAT: the hooks' count is right and complete
log() {
	read -r _ enters _ exits _ tails _ left _ open _ wrong _ unwound < log || { bad "$1: no log"; return; }
	rm log
	[ "$enters" -gt 3 ] && [ "$enters" = $((exits + tails + left + open)) ] && [ "$wrong" = 0 ] || bad "$1: enters $enters exits $exits tails $tails left $left open $open wrong $wrong"
	[ "$unwound" = $((enters + exits + tails)) ] || bad "$1: unwound $unwound times"
	same "$1: open at the end" "${still_open:-0}" "$open"
}

# late OPTION...: the program of the last reference with sleds
late() {
	what="$file $*"
	# shellcheck disable=SC2086
	"$compiler" $flags $plug-hooks=late "$@" -dp -S "$file" -o text.s 2> err && gcc -c text.s -o object.o 2>> err || bad "$what: does not build"
	same "$what: messages" "" "$(cat err)"
	awk -f "$sleds/text.awk" text.s > found
	! grep '^WRONG' found >&2 || bad "$what: sleds"
	one_name < found > late; functions object.o | one_name | comm -12 - chosen > there
	cmp -s there late || bad "$what: functions with sleds: $(comm -3 there late | tr '\n' ' ')"
	functions object.o | sed -nE 's/\.(part|constprop|isra)\..*//p' | comm -12 - chosen > copies
	same "$what: copies" "" "$(cat copies)"
	# shellcheck disable=SC2086
	for hooks in "" "-Wl,--no-as-needed -lhooks"; do
		case " $* " in *" -static "*) hooks=${hooks:+hooks.o} ;; esac
		case " $* " in *" -shared "*)
			"$compiler" "$@" object.o -o libobject.so $own -lm -z execstack && "$compiler" -Wl,--no-as-needed $own -lobject $hooks -o late.out || bad "$what: does not link" ;;
		*)	"$compiler" "$@" object.o -o late.out $own $hooks -lm -z execstack || bad "$what: does not link" ;;
		esac
		SLEDS_DEEP=1 SLEDS_LOG=log ./late.out > got; same "$what${hooks:+ with hooks}: exit code" 0 $?
		cmp -s expected got || bad "$what${hooks:+ with hooks}: other output: $(diff expected got | head -5)"
		[ -z "$hooks" ] || log "$what"
	done
}

reference features.c gcc -O0
late -O0 -g
late -O1 -fcf-protection -fno-omit-frame-pointer -mharden-sls=all
late -O2 -static -fno-inline -masm=intel
late -O2 -g -fPIC -shared -fsanitize=undefined -fstack-protector-all
late -Os -fpie -pie -fno-dwarf2-cfi-asm
late -O3 -mfunction-return=thunk -ffunction-sections -Wl,--gc-sections
contains "a large function called once" "$(cat late)" '^large_once$'
contains "a function with the same argument always" "$(cat late)" '^same_argument$'
contains "a small function that GCC would copy" "$(cat late)" 'same_a$'
gcc -w -O3 -c features.c -o plain.o; functions plain.o > names
contains "what would be made of it" "$(cat names)" '^same_argument\.constprop'
grep -q '^large_once' names && bad "GCC does not copy the large function, so this tests nothing"
# shellcheck disable=SC2086
gcc $flags $plug-hooks=late -O2 features.c -o late.out -lm -z execstack $own -Wl,--no-as-needed -lhooks
SLEDS_LOG=log ./late.out 1 2 > /dev/null; same "exit code where a function gives up" 3 $?
contains "where a function gives up" "$(cat log)" ' open 2 wrong 0'
same "ways in a program" 3 "$(nm late.out | grep -c ' __fathom_sled_')"
# The check of the text can fail.
# shellcheck disable=SC2086
gcc $flags $plug-hooks=late -O2 -mharden-sls=all -dp -S features.c -o text.s
sed '0,/sled_tail/{/sled_tail/d}' text.s | awk -f "$sleds/text.awk" | grep -q '^WRONG' || bad "not seen: no sled_tail"
# shellcheck disable=SC2086
gcc $flags $plug-hooks=late -O2 -dp -S features.c -o text.s
for fault in '0,/sled_exit/{/sled_exit/d}' '0,/long\t.Lfathom/s/long\t.Lfathom/&9/' '0,/^\tret/s/^\tret/\tcall\t__fathom_sled_exit\n\tret/'; do
	sed "$fault" text.s | awk -f "$sleds/text.awk" | grep -q '^WRONG' || bad "not seen: $fault"
done

# The rest of the code is what it is without hooks, where GCC may not copy functions or jump to them in either.
alike="-w -O2 -fno-inline -fno-partial-inlining -fno-ipa-cp -fno-ipa-sra -fno-ipa-icf -fno-optimize-sibling-calls"
# instructions FILE: without sleds and the ways in, which come last
instructions() { sed -e '/pushsection.*fathom_sled/,$d' -e '/sled_\|Lfathom\|0x0f, 0x1f, 0x80/d' "$1" | grep -Ev '^#|^[[:space:]]\.cfi'; }
# shellcheck disable=SC2086
gcc $alike -S features.c -o plain.s && gcc $flags $alike $plug-hooks=late -S features.c -o text.s
instructions plain.s | sed '/^[[:space:]]\.\(ident\|section[[:space:]]\.note\)/d' > plain.text
instructions text.s | sed '/^[[:space:]]\.\(ident\|section[[:space:]]\.note\)/d' > late.text
cmp -s plain.text late.text || bad "the code around sleds differs: $(diff plain.text late.text | head -20)"
[ "$(wc -l < plain.text)" -gt 1000 ] || bad "nothing to compare"

# A filter may want what is declared inline; what must be copied has early hooks.
{ for how in "inline" "inline __attribute__((always_inline))"; do
	echo "static $how int ${how:+wanted}_${#how}(int x) {"
	for i in 1 2 3 4 5 6 7 8; do echo "for (int i = 0; i < 9 + $i; i++) x = x * 3 + (x >> $i) * $i - x % 7;"; done
	echo 'return x; }'
done; echo 'int caller(int x) { return wanted_6(x + 1) + wanted_37(x) + 1; }'; } > inline.c
echo 'include wanted*' > rules
for level in -O0 -O2; do
	# shellcheck disable=SC2086
	gcc $flags $plug-hooks=late $plug-filter=rules $plug-verbose $level -dp -S inline.c -o text.s 2> err
	same "declared inline, and wanted, $level" "caller wanted_6" "$(awk -f "$sleds/text.awk" text.s | sort | tr '\n' ' ' | sed 's/ $//')"
	contains "must be copied, $level" "$(cat text.s)" "__cyg_profile_func_enter"
	contains "must be copied, $level" "$(cat err)" '^fathom: early hooks for wanted_37: always_inline$'
done

# What a function calls at its end is below it. What calls itself there is a loop.
cat > tails.c <<'EOC'
int MPI_Barrier(int), other(int), (*any)(int);
int waits(int x) { other(1); return MPI_Barrier(x); }
int shares(int x) { return MPI_Barrier(x) + 1; }
int goes_on(int x) { other(1); return other(x); }
int somewhere(int x) { other(1); return any(x); }
int steps(int x, int y) { other(y); return x ? steps(x - 1, y + x) : y; }
int main(void) { other(shares(2)); return other(3); }
EOC
# shellcheck disable=SC2086
gcc $flags $plug-hooks=late -O2 -S tails.c -o tails.s
same "tail calls" "" "$(awk '/^[a-z_]*:/ { f = $1 } /call\t__fathom_sled_tail/ { print f }' tails.s)"
same "ends" "goes_on: main: shares: somewhere: steps: waits: " "$(awk '/^[a-z_]*:/ { f = $1 } /call\t__fathom_sled_exit/ { print f }' tails.s | sort | tr '\n' ' ')"
same "calls itself" "" "$(grep 'call.*steps' tails.s)"

# rings COMPILER FILE EXPECTED: functions that jump back to where they come from do so still, the others do not.
rings() {
	compiler=$1 what=$2 expected=$3
	# shellcheck disable=SC2086
	for hooks in "" "$own -Wl,--no-as-needed -lhooks"; do
		$compiler $flags $plug-hooks=late -O2 "$sleds/$2" -o late.out $hooks && $compiler -O2 "$sleds/$2" -o plain || bad "$2: does not build"
		./plain > expected || bad "$2: needs more stack than there is"
		(ulimit -s 1024 && ./late.out) > got; same "$2: exit code" 0 $?
		cmp -s expected got || bad "$2: other output: $(cat got)"
	done
	# shellcheck disable=SC2086
	$compiler $flags $plug-hooks=late -O2 -S "$sleds/$2" -o text.s
	same "$2: jumps" "$expected" "$(awk '/^[a-zA-Z_][a-zA-Z_0-9.]*:/ { f = $1 } /call\t__fathom_sled_tail/ { print f }' text.s | sort -u | tr -d '\n')"
}
rings gcc rings.c "add:back:even:odd:twice:"

# What can only be compiled as a copy has no hooks at all.
"$CC" -O1 -w "$sleds/copied.c" -o plain && ./plain > expected || die "cannot build copied.c"
for hooks in early late; do
	# shellcheck disable=SC2086
	gcc $flags $plug-hooks=$hooks $plug-verbose -O1 "$sleds/copied.c" -o late.out -L"$libraries" -Wl,-rpath,"$libraries" -lfathom-compiler 2> err || bad "copied.c: $(grep error err)"
	./late.out > got; cmp -s expected got || bad "copied.c: other output: $(cat got)"
	same "copied.c" "checks in_assembler in_intrinsic " "$(sed -n 's/^fathom: left out \(.*\): .*constant$/\1/p' err | sort | tr '\n' ' ')"
	same "copied.c" "checks_nothing main no_constant " "$(sed -n 's/^fathom: instrumented //p' err | sort | tr '\n' ' ')"
done

# Nor has what may be called in a transaction.
cat > transaction.c <<'EOC'
static int sum, add(int x) { for (int i = 0; i < x; i++) sum += i; return sum; }
__attribute__((transaction_safe)) int safe(int x) { for (int i = 0; i < x; i++) sum += i; return sum; }
int main(int argc, char **argv) { (void)argv; __transaction_atomic { argc += add(argc) + safe(argc); } return argc; }
EOC
for level in -O0 -O2; do
	gcc -fgnu-tm $level -c transaction.c -o object.o 2> /dev/null || continue	# a GCC without
	# shellcheck disable=SC2086
	gcc $flags -fgnu-tm $level -c transaction.c -o object.o || bad "transactions $level: does not build"
	same "transactions $level" main "$(hooks object.o)"
done

if grep -qw avx /proc/cpuinfo; then
	reference features.c gcc -mavx
	late -O3 -mavx -fno-inline
fi

# Functions that GCC needs copies of have the usual hooks; those that it makes for OpenMP have none.
reference features-omp.c gcc -fopenmp
hooks early.o | grep -v -e '^versions' -e lanes > chosen
for level in -O0 "-O2 -fno-inline"; do
	# shellcheck disable=SC2086
	late $level -fopenmp
	contains "$what" "$(hooks object.o)" '^lanes$'
	contains "$what" "$(hooks object.o)" '^versions\.'
done

if have g++; then
	reference features.cc g++ -pthread
	late -O0 -g -pthread
	late -O2 -pthread -fcf-protection -fno-plt -fPIC -shared
	rings g++ rings.cc "_ZN5State4stepEl:_ZN7Special4stepEl:"
	if g++ -std=c++20 -O2 "$sleds/coroutines.cc" -o plain 2> /dev/null; then
		rings "g++ -std=c++20" coroutines.cc "_Z4leafPZ4leafiE14_Z4leafi.Frame.actor:_Z4loopPZ4loopiE14_Z4loopi.Frame.actor:"
		# Early hooks would need the stack: there coroutines have none.
		# shellcheck disable=SC2086
		g++ -std=c++20 $flags $plug-hooks=early -O2 "$sleds/coroutines.cc" -o early.out -L"$libraries" -Wl,-rpath,"$libraries" -lfathom-compiler
		(ulimit -s 1024 && ./early.out) > got; cmp -s expected got || bad "coroutines with early hooks: $(cat got)"
	fi
fi
if have gfortran; then
	reference features.f90 gfortran
	late -O0 -fcheck=all
	late -O2 -g
	printf 'program short\n  call other\n  call other\nend program\n' > short.f90
	# shellcheck disable=SC2086
	gfortran $flags $plug-hooks=late -O1 -dp -S short.f90 -o text.s
	same "a short program" "MAIN__" "$(awk -f "$sleds/text.awk" text.s)"
fi

# Where there can be no sleds.
echo 'int f(int); int g(int x) { return f(x) + 1; } __attribute__((ms_abi)) int h(int x) { return f(x); }' > g.c
# kind WHAT EXPECTED OPTION...
kind() {
	what=$1 expected=$2; shift 2
	# shellcheck disable=SC2086
	gcc $flags $plug-hooks=late "$@" -S g.c -o g.s 2> err || { bad "$what: $(cat err)"; return; }
	got=$(awk '/^[gh]:/ { f = $1 } /call\t__fathom_sled_enter$/ { print f "late" } /__cyg_profile_func_enter/ { print f "early" }' g.s | sort -u | tr '\n' ' ')
	same "$what" "$expected" "$got"
}
kind "nothing special" "g:late h:early " -O2
kind "medium model" "g:late h:early " -O2 -mcmodel=medium
kind "general registers only" "g:late h:early " -mgeneral-regs-only
kind "profile information of GCC" "g:late h:early " -O2 -fprofile-arcs -ftest-coverage
for option in -m32 -mx32 -mcmodel=large "-flto -ffat-lto-objects" -pg -fpatchable-function-entry=2 -fsplit-stack -mfunction-return=thunk-inline; do
	# shellcheck disable=SC2086
	kind "$option" "g:early h:early " -O1 -Dms_abi=unused $option
done
# shellcheck disable=SC2086
gcc $flags $plug-hooks=late $plug-verbose -mcmodel=large -c g.c -o g.o 2> err
contains "why not" "$(cat err)" '^fathom: early hooks for g: -mcmodel$'
# shellcheck disable=SC2086
gcc $flags $plug-hooks=late $plug-verbose -c g.c -o g.o 2> err
contains "why not" "$(cat err)" '^fathom: early hooks for h: ms_abi$'
contains "why" "$(cat err)" '^fathom: instrumented g$'

# As the documentation has it.
cp g.c step.c
FATHOM_INSTRUMENT_HOOKS=late FATHOM_INSTRUMENT_MIN_INSNS=0 "$FATHOM" gcc -O2 -c step.c || bad "the command fails"
contains "the command" "$(objdump -dr step.o | grep -A2 '<g>:')" '__fathom_sled_enter'
FATHOM_INSTRUMENT_MIN_INSNS=0 "$FATHOM" gcc -O2 -c step.c || bad "the command fails"
contains "the command by default" "$(objdump -dr step.o | grep -A2 '<g>:')" '__fathom_sled_enter'
FATHOM_INSTRUMENT_HOOKS=early FATHOM_INSTRUMENT_MIN_INSNS=0 "$FATHOM" gcc -O2 -c step.c || bad "the command fails"
contains "the command, early" "$(hooks step.o)" '^g$'

# A debugger stops at the entry, sees the arguments, and finds its way back from the hooks.
cat > debug.c <<'EOC'
#include <stdio.h>
__attribute__((noinline)) int inner(int n, const char *t)
{
	volatile int s = 0;
	for (int i = 0; i < n; i++)
		s += t[0];
	return s;
}
__attribute__((noinline)) int outer(int n)
{
	return inner(n + 1, "abc") + 1;
}
int main(int argc, char **argv)
{
	(void)argv;
	printf("%d\n", outer(argc));
	return 0;
}
EOC
if have gdb && gdb -batch -ex run -ex 'p 6*7' ./plain 2>/dev/null | grep -q '= 42'; then
	for level in -O0 -O2; do
		# shellcheck disable=SC2086
		gcc $flags $plug-hooks=late -g $level debug.c -o debug.out $own -Wl,--no-as-needed -lhooks
		gdb -batch -ex 'set breakpoint pending on' -ex 'break inner' -ex run -ex bt -ex next -ex 'info args' -ex 'break see_exit' -ex continue -ex bt -ex 'delete 2' -ex finish \
			-ex continue ./debug.out > seen 2> /dev/null
		contains "gdb $level: stops" "$(cat seen)" '^Breakpoint 1, .*inner \('
		[ $level = -O0 ] || contains "gdb $level: arguments at the entry" "$(cat seen)" '^Breakpoint 1, inner \(n=(n@entry=)?2, t=.* "abc"\)'
		contains "gdb $level: arguments" "$(cat seen)" '^n = 2'
		same "gdb $level: ways back to main through inner and outer" 2 "$(grep -c '^#[0-9]* .* in main (' seen)"
		contains "gdb $level: from the hook" "$(tr '\n' ' ' < seen)" '#0 +see_exit [^#]*#1 [^#]*in fathom_sled_exit [^#]*#2 [^#]*in inner [^#]*#3 [^#]*in outer [^#]*#4 [^#]*in main '
		contains "gdb $level: to the end" "$(cat seen)" 'exited normally'
	done
fi
verdict
