#!/bin/sh
# Wrong uses that a new user tried: each is answered by one line that says what to do instead.
. "${srcdir:?}/test/lib.sh" || exit 99

# wrong STATUS PATTERN ARGUMENT...: fathom with these arguments ends with that status and one line
wrong() {
	status=$1 pattern=$2
	shift 2
	"$FATHOM" "$@" > out 2>&1
	same "fathom $*: exit code" "$status" $?
	same "fathom $*: lines" 1 "$(grep -c . out)"
	contains "fathom $*" "$(cat out)" "$pattern"
}

cat > s.c <<'C'
int main(void) { return 0; }
C
"$CC" s.c -o s || die "cannot build"
: > rules.filter
mkdir -p trace/traces
: > trace/traces.otf2
: > trace/traces.def
: > trace/traces/0.evt
: > lonely.def

# What is no result.
wrong 1 '^fathom report: \./s: is a program, not a result; run it first \(built without fathom: fathom run \./s\), then give the directory that it names$' report ./s
wrong 1 '^fathom report: s: is a program.*fathom run \./s\)' report s
wrong 1 '^fathom report: trace/traces\.def: is a part of a trace; give trace/traces\.otf2$' report trace/traces.def
wrong 1 '^fathom report: trace/traces/0\.evt: is a part of a trace; give trace/traces\.otf2$' report trace/traces/0.evt
wrong 1 '^fathom report: lonely\.def: is a part of a trace; give its anchor file, which ends in \.otf2$' report lonely.def
wrong 1 '^fathom score: \./s: is a program, not a result' score ./s

# What is no command.
wrong 2 '^fathom: compare: no such command; fathom diff does that$' compare a b
wrong 2 '^fathom: mpirun: fathom does not start launchers; put the launcher first: mpirun \.\.\. fathom run PROGRAM \(without fathom run if PROGRAM was built with fathom\)$' mpirun -n 2 ./s
wrong 2 '^fathom: /usr/bin/mpiexec\.hydra: fathom does not start launchers; ' /usr/bin/mpiexec.hydra -n 2 ./s
wrong 2 '^fathom: record: no such command; fathom run does that$' record ./s
wrong 2 '^fathom: show: no such command; fathom report does that$' show
wrong 2 '^fathom: reprot: no such command; did you mean report\?$' reprot
wrong 127 '^fathom: run: s: not found where programs are \(PATH\); the one here is \./s$' run s
wrong 127 '^fathom: run: nowhere: not found$' run nowhere

# An option of ours behind the compiler; what is for the linker stays.
wrong 2 "^fathom: --filter=rules\.filter: is an option of fathom and stands before the compiler: fathom --filter=rules\.filter $CC \.\.\.\$" "$CC" --filter=rules.filter s.c -o t
wrong 2 '^fathom: --no-compiler: is an option of fathom and stands before the compiler' "$CC" -O2 s.c --no-compiler -o t
"$FATHOM" "$CC" -shared -fPIC -Xlinker --filter=libc.so.6 s.c -o libs.so 2> err || bad "-Xlinker --filter: $(cat err)"

# A share without its sign, and counters as a profile spells them.
"$FATHOM" "$CC" -g s.c -o measured || die "cannot build with fathom"
FATHOM_OVERHEAD=5 ./measured > out 2>&1 && bad "FATHOM_OVERHEAD=5 is taken"
if has_part FATHOM_OVERHEAD; then
	contains "FATHOM_OVERHEAD=5" "$(cat out)" \
		'^fathom: FATHOM_OVERHEAD=5 cannot be used: allowed is off, or a percentage with its sign \(5%\), from '
	FATHOM_OVERHEAD=5% FATHOM_NAME=share.exp ./measured 2> err || bad "FATHOM_OVERHEAD=5%: $(cat err)"
else
	contains "FATHOM_OVERHEAD=5" "$(cat out)" '^fathom: FATHOM_OVERHEAD=5 cannot be used: fathom was built without the overhead budget '
fi
for name in rusage-process::utime rusage_process::utime rusage-process::utime,rusage_process::utime; do
	rm -rf count.exp
	FATHOM_METRICS=$name FATHOM_NAME=count.exp ./measured 2> err || bad "FATHOM_METRICS=$name: $(cat err)"
	same "FATHOM_METRICS=$name" 1 "$(tar xOf count.exp/profile.cubex anchor.xml | grep -c '<uniq_name>rusage_process::utime')"
done
for name in rusage-process::utime rusage_process::utime; do
	"$FATHOM" report --flat --metric $name count.exp > out 2>&1 || bad "report --metric $name: $(cat out)"
	contains "report --metric $name" "$(cat out)" 'Regions by their own rusage_process::utime'
done
FATHOM_METRICS=rusage_proces::utime ./measured > out 2>&1 && bad "a counter that does not exist is taken"
verdict
