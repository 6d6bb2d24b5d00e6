#!/bin/sh
# What the command adds to a compiler's line, where, and where nothing. The compiler is a fake.
. "$srcdir/test/lib.sh"
. "$srcdir/test/instrument/lib.sh"
unset FATHOM_INSTRUMENT_CALLS
[ -f "$libraries/libfathom.so" ] && [ -f "$libraries/libfathom-compiler.so" ] || skip "libraries not built"

version=$(gcc -dumpfullversion 2>/dev/null)
target=$(gcc -dumpmachine 2>/dev/null)
fake gcc "$version" "$target"
fake g++ "$version" "$target"
fake gcc-0.1 0.1 nowhere
fake clang 14.0 x86_64-pc-linux-gnu clang
fake mpicc "$version" "$target"
fake gfortran "$version" "$target"
: > a.c; : > b.c; : > a.o; : > libmpich.so

if [ -f "$plugin" ]; then P="-finstrument-functions -fplugin=PLUGIN"
else P="-finstrument-functions -finstrument-functions-exclude-file-list=/usr/include,/usr/lib/gcc,/usr/local/include"; fi
L="-Wl,--push-state,-Bdynamic,--no-as-needed,LIBS/libfathom-compiler.so,LIBS/libfathom-pthread.so,LIBS/libfathom.so,--pop-state"
R="-Wl,-rpath,LIBS"

# line EXPECTED WORDS...: what the compiler gets for these words of fathom
line() {
	expected=$1; shift
	rm -f args
	"$FATHOM" "$@" 2> err || bad "$*: exit code $?"
	same "$*" "$expected" "$(args)"
	same "$*: stderr" "" "$(cat err)"
}
if [ -f "$plugin" ]; then	# else the link says that there is none

line "$P a.c -o a $L $R" gcc a.c -o a
line "$P a.c b.c a.o -O2 -lx -lm $L $R" g++ a.c b.c a.o -O2 -lx -lm
line "$P -x c - $L $R" gcc -x c -
line "a.o -o a $L $R" gcc a.o -o a
line "a.s -lm $L $R" gcc a.s -lm
fi
line "$P -c a.c" gcc -c a.c
line "$P -O2 a.c -S -o x.s" gcc -O2 a.c -S -o x.s
line "$P -MD -MF x.d -c a.c" gcc -MD -MF x.d -c a.c
line "-c a.s" gcc -c a.s
line "-finstrument-functions-after-inlining -c a.c" clang -c a.c
line "-finstrument-functions-after-inlining a.c $L $R" clang a.c
line "-finstrument-functions -pg -c a.c" clang -pg -c a.c

# Nothing is added.
for words in "-E a.c" "-M a.c" "-MM -c a.c" "--version" "-v" "-print-prog-name=ld" "-dumpmachine" "--help=warnings" \
	"-fsyntax-only a.c" "-### a.c" "-c conftest.c" "conftest.c -o conftest" "-ffreestanding -c a.c" "-nostdlib a.o" \
	"-r a.o -o b.o" "-shared a.o -o b.so" "-Wl,-r a.o" "-show a.c" "-m32 -c a.c" "-m64 -mx32 -shared a.c -o b.so"; do
	# shellcheck disable=SC2086
	line "$words" gcc $words
done
line "" gcc
line "$P -shared -fPIC a.c -o b.so" gcc -shared -fPIC a.c -o b.so

# Own options, from the line and from the environment.
line "-c a.c" --no-compiler gcc -c a.c
line "$P -c a.c" --mpi=off gcc -c a.c
case $P in *PLUGIN*)
	line "-save-temps=obj $P -c a.c" --keep gcc -c a.c
	echo 'exclude x' > rules
	line "$P -fplugin-arg-fathom_gcc_plugin-filter=$work/rules -c a.c" --filter=rules gcc -c a.c
	FATHOM_INSTRUMENT_MIN_INSNS=7; export FATHOM_INSTRUMENT_MIN_INSNS
	line "$P -fplugin-arg-fathom_gcc_plugin-min-insns=7 -c a.c" gcc -c a.c
	unset FATHOM_INSTRUMENT_MIN_INSNS
	for value in $(late_hooks) early; do
		FATHOM_INSTRUMENT_HOOKS=$value; export FATHOM_INSTRUMENT_HOOKS
		line "$P -fplugin-arg-fathom_gcc_plugin-hooks=$value -c a.c" gcc -c a.c
	done
	unset FATHOM_INSTRUMENT_HOOKS
	for value in compiled all; do
		FATHOM_INSTRUMENT_CALLS=$value; export FATHOM_INSTRUMENT_CALLS
		line "$P -fplugin-arg-fathom_gcc_plugin-calls=$value -c a.c" gcc -c a.c
	done
	unset FATHOM_INSTRUMENT_CALLS
	FATHOM_DRIVER_OPTIONS=" --keep  --no-compiler "; export FATHOM_DRIVER_OPTIONS
	line "-save-temps=obj -c a.c" gcc -c a.c
	line "a.o -Wl,--push-state,-Bdynamic,--no-as-needed,LIBS/libfathom-pthread.so,LIBS/libfathom.so,--pop-state $R" gcc a.o
	unset FATHOM_DRIVER_OPTIONS ;;
esac

# Another size of words than our libraries have: said when a program is linked. A profile from a build without us.
"$FATHOM" gcc -m32 a.c b.c -lm 2> err; same "other words" "-m32 a.c b.c -lm" "$(args)"
same "other words" "fathom: gcc: -m32: the program is not measured: it cannot be linked with this fathom's libraries" "$(cat err)"
line "$P -m32 -m64 -c a.c" gcc -m32 -m64 -c a.c
line "$P -fprofile-use -c a.c -Wno-error=coverage-mismatch" gcc -fprofile-use -c a.c

# A GCC that the plugin does not fit: said when linking, and only then.
line "-finstrument-functions -finstrument-functions-exclude-file-list=/usr/include,/usr/lib/gcc,/usr/local/include -c a.c" gcc-0.1 -c a.c
"$FATHOM" gcc-0.1 a.o 2> err
same "lines about a missing plugin" 1 "$(wc -l < err)"
contains "missing plugin" "$(cat err)" '^fathom: gcc-0.1: no plugin for this GCC 0.1: '

# One question to the compiler for a line that compiles, none where nothing is to be done.
rm -f asked; "$FATHOM" gcc -E a.c; "$FATHOM" gcc -c conftest.c; "$FATHOM" gcc -shared a.o
[ ! -f asked ] || bad "the compiler was asked without need"
"$FATHOM" gcc -c a.c b.c
same "questions for one compile line" 1 "$(wc -l < asked)"

# MPI: before the first MPI library, or at the end for a wrapper, which adds its own after it.
if [ -f "$libraries/libfathom-mpi.so" ] && [ -f "$plugin" ]; then
	M="-Wl,--push-state,-Bdynamic,--no-as-needed,LIBS/libfathom-compiler.so,LIBS/libfathom-pthread.so,LIBS/libfathom-mpi.so,LIBS/libfathom.so,--pop-state"
	line "a.o -lx $M -lmpich -lm $R" gcc a.o -lx -lmpich -lm
	line "$M libmpich.so a.o $R" gcc libmpich.so a.o
	line "a.o $L -lmpich $R" --mpi=off gcc a.o -lmpich
	line "a.o $M $R" --mpi=on gcc a.o
	line "$P a.c $M $R" mpicc a.c
	line "a.o $M $R" mpicc a.o
	line "$P -c a.c" mpicc -c a.c
	echo "-lx -lmpich" > more
	line "a.o $M @more -lm $R" gcc a.o @more -lm

	# Open MPI's, whether it is known by name or by what is in the library.
	O=$(printf '%s\n' "$M" | sed 's/libfathom-mpi\.so/libfathom-mpi-openmpi.so/')
	if [ -f "$libraries/libfathom-mpi-openmpi.so" ]; then
		line "a.o $O $R" --mpi=openmpi gcc a.o
		FAKE_SHOW="-lmpi_cxx -lmpi" "$FATHOM" mpicc a.o 2> err
		same "Open MPI's wrapper" "a.o $O $R" "$(args)"
		line "a.o $O -lmpi_usempif08 -lmpi $R" gcc a.o -lmpi_usempif08 -lmpi
	fi
	echo 'int PMPI_Init(int *c, char ***v) { return !c + !v; }' > kin.c
	echo 'int PMPI_Init(int *c, char ***v) { return !c + !v; } int ompi_mpi_comm_world;' > open.c
	mkdir -p kin open
	/usr/bin/gcc -shared -fPIC kin.c -o kin/libmpi.so && /usr/bin/gcc -shared -fPIC open.c -o open/libmpi.so ||
		die "cannot build libraries"
	line "a.o -Lkin $M -lmpi $R" gcc a.o -Lkin -lmpi
	line "a.o $M kin/libmpi.so $R" gcc a.o kin/libmpi.so
	if [ -f "$libraries/libfathom-mpi-openmpi.so" ]; then
		line "a.o -Lopen $O -lmpi $R" gcc a.o -Lopen -lmpi
		line "a.o $O open/libmpi.so $R" gcc a.o open/libmpi.so
		FAKE_SHOW="gcc -Lopen -lmpi" "$FATHOM" mpicc a.o; same "wrapper" "a.o $O $R" "$(args)"
	fi
fi

# LD_RUN_PATH counts for the linker only while there is no -rpath.
export LD_RUN_PATH=/some/where
case $P in *PLUGIN*)
	line "a.o $L -Wl,-rpath,/some/where,-rpath,LIBS" gcc a.o
	line "-Wl,-rpath,/x a.o $L $R" gcc -Wl,-rpath,/x a.o ;;
esac
unset LD_RUN_PATH

# One word, launchers, and a link called like the compiler that stands before it in PATH.
ln -s "$FATHOM" fathom-gcc; ln -s "$FATHOM" bin/fathom-mpicc
./fathom-gcc -c a.c; same "fathom-gcc" "$P -c a.c" "$(args)"
fathom-mpicc -c a.c; same "fathom-mpicc" "$P -c a.c" "$(args)"
mkdir masked; ln -s "$FATHOM" masked/gcc
PATH=$work/masked:$PATH gcc -c a.c; same "gcc that is fathom" "$P -c a.c" "$(args)"
fake ccache "$version" "$target"
line "gcc $P -c a.c" ccache gcc -c a.c
line "--show-stats" ccache --show-stats
line "$P -c a.c" "$work/bin/gcc" -c a.c

# For fathom/fathom.h: where sources are compiled, behind the user's own folders; not where there is nothing of ours.
"$FATHOM" gcc -c a.c; same "user's calls" "-DFATHOM_USER -idirafterBUILD/include" "$(user_args)"
: > a.f90
"$FATHOM" gfortran -c a.f90
same "user's calls in Fortran" "-DFATHOM_USER -idirafterBUILD/include -IBUILD/include/fathom" "$(user_args)"
for words in "--no-user gcc -c a.c" "gcc a.o" "gcc -E a.c" "gcc --version"; do
	"$FATHOM" $words > out 2>&1; same "user's calls: $words" "" "$(user_args)"
done

# --verbose: the command, so that a shell reads it as the same words.
"$FATHOM" --verbose gcc -E "-DX=a b" "it's" 2> err
same "--verbose" "gcc -E '-DX=a b' 'it'\\''s'" "$(cat err)"

# Exit codes come through.
for code in 0 1 3 77 255; do
	FAKE_EXIT=$code "$FATHOM" gcc -c a.c; same "exit code" $code $?
done
printf '#!/bin/sh\nkill -SEGV $$\n' > bin/cc; chmod +x bin/cc
"$FATHOM" cc --version > out 2>&1; same "killed compiler" 139 $?
verdict
