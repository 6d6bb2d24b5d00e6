#!/bin/bash
# Counters that a library shows of itself, through PAPI: exact numbers, in the profile and in the trace.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/metric/lib.sh"
here=$srcdir/test/metric
[ -e "$builddir/.libs/libfathom-papi.so" ] || skip "built without PAPI (Debian: libpapi-dev)"
printf '#include <sde_lib.h>\nint main(void) { return papi_sde_init("x") == 0; }\n' > have.c
"$CC" have.c -o have -lsde 2> /dev/null || skip "no libsde (Debian: libpapi-dev)"
instrument "$here/sde.c" -o sde.exe -lsde
ldd ./sde.exe | grep -q papi && bad "a measured program needs PAPI to start"

measured plain sde:::demo::calls,sde:::demo::work,sde:::demo::wrok ./sde.exe
p=plain/profile.cubex
for line in "calls 7 solve" "work 105 solve" "work 1000 other" "calls 0 other"; do
	set -- $line
	same "$1 of $3" $2 "$(own sde:::demo::$1 $p "/$3\$")"
done
same "calls in all" 7 "$(own sde:::demo::calls $p .)"
same "work in all" 1105 "$(own sde:::demo::work $p .)"
contains "a counter that nobody registers" "$(cat plain.err)" '^fathom: FATHOM_METRICS: sde:::demo::wrok was always 0'
same "lines about it" 1 "$(grep -c 'was always 0' plain.err)"

# A preset: counted, or refused in one line.
measured preset PAPI_TOT_INS,sde:::demo::calls ./sde.exe
same "calls beside a preset" 7 "$(own sde:::demo::calls preset/profile.cubex /solve)"
[ "$(own PAPI_TOT_INS preset/profile.cubex .)" -gt 0 ] ||
	contains "a preset" "$(cat preset.err)" '^fathom: FATHOM_METRICS: PAPI_TOT_INS is not counted: .*; the run continues without it$'
verdict
