#!/bin/sh
# Damaged filter files are refused with one clear line, or obeyed; a fixed number of them. By hand, with more:
# ./fuzz SEED RUNS. The parser includes nothing, so it is built here with sanitizers where there are some.
. "${srcdir:?}/test/lib.sh" || exit 99
sources="$srcdir/test/filter/fuzz.c $srcdir/lib/filter/filter.c $srcdir/lib/filter/glob.c $srcdir/lib/filter/match.c $srcdir/lib/filter/tau_pattern.c"
sanitize=-fsanitize=address,undefined
# shellcheck disable=SC2086
"$CC" -std=gnu11 -O1 -g -D_GNU_SOURCE $sanitize -fno-sanitize-recover=all -I"$srcdir/lib" $sources -o fuzz 2> errors ||
	"$CC" -std=gnu11 -O1 -g -D_GNU_SOURCE -I"$srcdir/lib" $sources -o fuzz || die "cannot build fuzz.c: $(cat errors)"
for seed in 1 2 3 4; do
	./fuzz $seed 15000 > out 2>&1 || bad "seed $seed: $(head -20 out)"
done
# Memory that the text ends with is no filter, nor are devices and directories.
"$FATHOM" --filter=/ gcc --version > out 2>&1 && bad "a directory is taken"
same "a directory" "fathom: /: Is a directory" "$(cat out)"
"$FATHOM" --filter=/dev/zero gcc --version > out 2>&1 && bad "/dev/zero is taken"
same "lines for /dev/zero" 1 "$(wc -l < out)"
verdict
