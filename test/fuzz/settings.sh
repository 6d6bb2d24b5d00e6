#!/bin/sh
# Whatever the settings are, a program prints and returns what it does without fathom, or it is refused before main in one
# line. FUZZ_RUNS=500 and FUZZ_SEED ask for more, and for others.
. "${srcdir:?}/test/lib.sh" || exit 99
export FATHOM_INSTRUMENT_MIN_INSNS=0
flags="-O1 -g -I$srcdir/include"
echo 'int main(void) { return 0; }' > empty.c
"$CC" -fopenmp empty.c -o empty 2> /dev/null && flags="$flags -fopenmp"
# shellcheck disable=SC2086
"$CC" $flags "$srcdir/test/fuzz/prog.c" -o plain || die "prog.c cannot be built"
# shellcheck disable=SC2086
"$FATHOM" "$CC" $flags "$srcdir/test/fuzz/prog.c" -o prog 2> build.err || die "prog.c cannot be built with fathom: $(cat build.err)"
unset FATHOM_INSTRUMENT_MIN_INSNS
TMPDIR=$work "$PYTHON3" "$srcdir/test/fuzz/random_settings.py" "${FUZZ_SEED:-1}" "${FUZZ_RUNS:-40}" "$FATHOM" "$builddir/test/run/dump" \
	"$PWD/plain" "$PWD/prog" 20 > out 2>&1 || bad "$(head -20 out)"
tail -n 1 out
verdict
