#!/bin/sh
# What the command says: usage, help, and one clear line for each mistake.
. "$srcdir/test/lib.sh"
. "$srcdir/test/instrument/lib.sh"
unset FATHOM_INSTRUMENT_CALLS

# wrong CODE PATTERN WORDS...: one line on stderr, nothing on stdout
wrong() {
	code=$1 pattern=$2; shift 2
	"$FATHOM" "$@" > out 2> err; same "fathom $*: exit code" "$code" $?
	same "fathom $*: stdout" "" "$(cat out)"
	same "fathom $*: lines" 1 "$(wc -l < err)"
	contains "fathom $*" "$(cat err)" "$pattern"
}
mkdir empty; : > a.c; : > notexec; mkdir folder
printf 'include a\nexclude\n' > rules

wrong 127 '^fathom: gcc-99: not found$' gcc-99 -c a.c
wrong 127 '^fathom: \./none/gcc: not found$' ./none/gcc a.c
: > gcc; wrong 126 '^fathom: \./gcc: Permission denied$' ./gcc a.c
wrong 2 '^fathom: reprot: .*did you mean report\?$' reprot
wrong 2 '^fathom: confg: .*did you mean config\?$' confg
wrong 2 '^fathom: ls: not a compiler .*fathom run ls' ls
wrong 2 '^fathom: gcc-ar: ' gcc-ar
wrong 2 '^fathom: nonesuch: neither a command' nonesuch
wrong 2 '^fathom: --mpi=maybe: auto, on, off, mpich or openmpi is allowed$' --mpi=maybe gcc a.c
wrong 2 '^fathom: --static: no option of fathom.*--no-compiler' --static gcc a.c
wrong 2 '^fathom: a compiler is missing: ' --keep
wrong 2 '^fathom: rules:2:8: a pattern' --filter=rules gcc -c a.c
wrong 2 '^fathom: nofile: No such file' --filter=nofile gcc -c a.c
wrong 2 '^fathom: help: nothing: |^fathom: nonesuch: ' help nonesuch
wrong 2 '^fathom: run: a program is missing: ' run
wrong 2 '^fathom: run: --fast: ' run --fast ./x

FATHOM_DRIVER_OPTIONS="--keep gcc"; export FATHOM_DRIVER_OPTIONS
wrong 2 '^fathom: FATHOM_DRIVER_OPTIONS: gcc: ' gcc -c a.c
unset FATHOM_DRIVER_OPTIONS
for value in x -1 5x 1000001 99999999999999999999; do
	FATHOM_INSTRUMENT_MIN_INSNS=$value; export FATHOM_INSTRUMENT_MIN_INSNS
	wrong 2 "^fathom: FATHOM_INSTRUMENT_MIN_INSNS=$value: a number from 0 to 1000000 is allowed" gcc -c a.c
done
unset FATHOM_INSTRUMENT_MIN_INSNS
FATHOM_INSTRUMENT_HOOKS=never; export FATHOM_INSTRUMENT_HOOKS
wrong 2 '^fathom: FATHOM_INSTRUMENT_HOOKS=never: late or early is allowed$' gcc -c a.c
has_part late-hooks 2> /dev/null || FATHOM_INSTRUMENT_HOOKS=late wrong 2 \
	'^fathom: FATHOM_INSTRUMENT_HOOKS=late cannot be used: fathom was built without late hooks ' gcc -c a.c
unset FATHOM_INSTRUMENT_HOOKS
FATHOM_INSTRUMENT_CALLS=some wrong 2 '^fathom: FATHOM_INSTRUMENT_CALLS=some: compiled or all is allowed$' gcc -c a.c

"$FATHOM" > out 2> err; same "fathom alone: exit code" 2 $?
contains "fathom alone" "$(cat err)" '^usage: fathom '
for first in '^  fathom mpicc ' '^  mpirun -n 4 \./app' '^  fathom report ' '^fathom help lists all'; do
	contains "fathom alone" "$(cat err)" "$first"
done
same "fathom alone: stdout" "" "$(cat out)"
"$FATHOM" --version > out 2> err; same "--version" 0 $?
contains "--version" "$(cat out)" '^fathom [0-9]+\.[0-9]+'
for help in --help help "help gcc" "help help"; do
	# shellcheck disable=SC2086
	"$FATHOM" $help > out 2> err; same "$help" 0 $?
	for word in --no-compiler --mpi= --filter= --keep --verbose report score merge config run FATHOM_DRIVER_OPTIONS; do
		grep -qe "$word" out || bad "$help does not mention $word"
	done
	same "$help: stderr" "" "$(cat err)"
	[ "$(awk 'length > 80' out | wc -l)" = 0 ] || bad "$help: lines too long"
done
"$FATHOM" help run > out; contains "help run" "$(cat out)" '^usage: fathom run '
"$FATHOM" --help > /dev/full 2> err; same "--help into a full disk" 1 $?

# A command whose program is missing says so; one that is there is run with its words.
mkdir -p prefix/bin; cp "$FATHOM" prefix/bin/fathom; FATHOM=$work/prefix/bin/fathom
: > prefix/bin/config.status	# as in a build tree: everything beside the command
wrong 127 '^fathom: report: not installed: .*fathom-report' report x
printf '#!/bin/sh\necho "$0|$1|$2"; exit 5\n' > prefix/bin/fathom-report; chmod +x prefix/bin/fathom-report
"$FATHOM" report 'a b' > out; same "exit code of a tool" 5 $?
same "words of a tool" "$work/prefix/bin/fathom-report|a b|" "$(cat out)"
"$FATHOM" help report > out; contains "help of a tool" "$(cat out)" '\|--help\|'
cp prefix/bin/fathom-report prefix/bin/fathom-newtool
"$FATHOM" newtool > out; same "a tool that is only there as a file" 5 $?
verdict
