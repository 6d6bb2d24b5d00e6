#!/bin/sh
# Recording switched off and on: what is dropped, what stays, and that all is balanced.
. "${srcdir:?}/test/user/lib.sh" || exit 99
[ -f "$builddir/instrument/gcc-plugin/.libs/fathom_gcc_plugin.so" ] || skip "no GCC plugin in this build"
echo 'include *' > rules
"$FATHOM" --filter=rules gcc -O1 -g "$here/recording.c" -o recording || die "recording.c cannot be built"
measure exp ./recording
cat > expected <<'T'
1 main
4 main/f
8 main/f/g
1 main/turn_off
1 main/turn_off/MEASUREMENT OFF
2 main/MEASUREMENT OFF
T
visits exp | sort -k2 > got
sort -k2 expected > wanted
diff wanted got > differences || bad "visits differ: $(cat differences)"
same "FATHOM_RECORDING" 0 "$(cat exp.out)"
[ ! -s exp.err ] || grep -v 'fathom: profile' exp.err && bad "something is said: $(cat exp.err)"
verdict
