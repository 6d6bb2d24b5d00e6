#!/bin/sh
# A real package builds with fathom as it does without: jansson, by autotools with libtool and by CMake; with one-word
# compilers, by FATHOM_CHECK and by find_package(fathom). What configure found out, what the compiler said, what the
# package's own tests say: all the same. (Packages with makefiles of their own: test/real.)
. "$srcdir/test/real/lib.sh"
. "$srcdir/test/instrument/lib.sh"
[ -f "$libraries/libfathom-compiler.so" ] || skip "libraries not built"
for tool in cmake autoreconf libtoolize gcc; do need $tool; done
fetch jansson jansson by-cmake

# What the compilers said. Only the warnings themselves: into which function something was
# inlined, of which they tell as well, does change.
said() { grep -E '^[^ ]*:[0-9]+:[0-9]+: (warning|error):' "$1" | sort; }

# autotools and libtool. The package has --with-fathom now, by one line.
sed -i 's/^AC_PROG_LIBTOOL/FATHOM_CHECK\n&/' jansson/configure.ac
mkdir jansson/m4 && cp "$srcdir/instrument/buildsystems/fathom.m4" jansson/m4
(cd jansson && autoreconf -i -I m4 > ../autoreconf.log 2>&1) || skip "autoreconf fails here: $(tail -1 autoreconf.log)"
for way in plain one-word check; do
	case $way in
	plain) set -- CC=gcc ;;
	one-word) set -- CC=fathom-gcc ;;
	check) set -- CC=gcc --with-fathom=flags FATHOM="$builddir/fathom" ;;
	esac
	mkdir $way
	(cd $way && ../jansson/configure -q "$@" && make -C src) > $way.log 2>&1 || bad "autotools, $way: $(tail -5 $way.log)"
	said $way.log > $way.said
	cmp -s plain.said $way.said || bad "autotools, $way: diagnostics differ: $(diff plain.said $way.said)"
	for file in src/jansson_config.h jansson_private_config.h; do
		cmp -s plain/$file $way/$file || bad "autotools, $way: configure found something else: $(diff plain/$file $way/$file)"
	done
	[ $way = plain ] || [ -n "$(hooks $way/src/.libs/libjansson.so)" ] || bad "autotools, $way: nothing is instrumented"
	[ -z "$(find $way -mindepth 1 -name 'fathom-*-*')" ] || bad "autotools, $way: experiments were left"
done
[ -z "$(hooks plain/src/.libs/libjansson.so)" ] || bad "autotools, plain: is instrumented"

# The measured program does the same, and the package's functions are in the profile.
echo '{"b": [1, 2.5, "x"], "a": {"c": null}}' > in.json
echo '#include <jansson.h>
int main(void) { json_error_t e; json_t *j = json_load_file("in.json", 0, &e); int ok = j && json_dumpf(j, stdout, JSON_SORT_KEYS) == 0; json_decref(j); return !ok; }' > use.c
for way in one-word check; do
	case $way in
	one-word) compiler=fathom-gcc words= ;;
	check) compiler=gcc words=$(sed -n 's/^LDFLAGS = //p' $way/Makefile) ;;
	esac
	# shellcheck disable=SC2086
	$compiler -g -O2 -I$way/src -Ijansson/src use.c -o use -L$way/src/.libs -ljansson -Wl,-rpath,"$work/$way/src/.libs" $words || bad "$way: use"
	same "$way: output" '{"a": {"c": null}, "b": [1, 2.5, "x"]}' "$(FATHOM_MODE=profile ./use 2> use.err)"
	dir=$(experiment) && contains "$way: profile" "$(values visits "$dir/profile.cubex")" '/json_load_file/.*parse'
	rm -rf fathom-*-*
done

# CMake, by the package: the library and the program that the tests feed.
cat >> by-cmake/CMakeLists.txt <<'C'
find_package(fathom REQUIRED)
fathom_instrument(jansson json_process)
C
mkdir cmake && (cd cmake && cmake -DCMAKE_C_COMPILER=gcc -Dfathom_DIR="$builddir/lib/cmake/fathom" -DJANSSON_BUILD_DOCS=OFF -DJANSSON_EXAMPLES=OFF \
	../by-cmake && make jansson json_process && ctest -R '^(valid|invalid)') > cmake.log 2>&1 || bad "cmake: $(tail -5 cmake.log)"
contains "cmake: tests" "$(cat cmake.log)" '^100% tests passed, 0 tests failed out of [0-9]{2,}'
# A run of one of those tests, as its runner does it, in a profile.
input=$(ls -d by-cmake/test/suites/valid/complex-array)
FATHOM_MODE=profile cmake/bin/json_process --strip "$input" > out 2> err || bad "cmake: json_process: $(cat err)"
dir=$(experiment) && contains "cmake: profile" "$(values visits "$dir/profile.cubex")" '^1 json_process/main/.*json_load'
verdict
