#!/bin/sh
# Libraries that are loaded where another one was, with the same functions at the same addresses.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/sample/lib.sh"
unwinder unwinder -O2
cat > function.c <<'T'
void function(void (*callback)(void));
void function(void (*callback)(void))
{
	volatile char place[BYTES];

	place[0] = 1;
	callback();
	place[1] = 2;
}
T
for bytes in 200 1000 600; do
	$CC -O2 -shared -fPIC -Wl,--build-id -DBYTES=$bytes function.c -o lib$bytes.so || die "lib$bytes.so"
done
$CC -std=gnu11 -O2 -D_GNU_SOURCE -I"$srcdir/lib" "$srcdir/test/sample/reloading.c" unwinder.a -ldl -o reloading || die reloading.c
timeout -s KILL 60 ./reloading ./lib200.so ./lib1000.so ./lib600.so > log 2>&1 || bad "$(cat log)"
cat log
verdict
