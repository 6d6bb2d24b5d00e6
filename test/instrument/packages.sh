#!/bin/sh
# Real packages build with the one-word forms as they do without: autotools with libtool,
# CMake, and a plain makefile in C++. What configure found out, what the compiler said, what the
# packages' own tests and programs say: all the same.
. "$srcdir/test/lib.sh"
. "$srcdir/test/instrument/lib.sh"
[ -f "$libraries/libfathom-compiler.so" ] || skip "libraries not built"
for tool in apt-get cmake autoreconf libtoolize gcc g++; do need $tool; done
[ -n "$(ls /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2> /dev/null)" ] || skip "no package sources configured"
PATH=$builddir:$PATH

# The sources, from where this system has its packages from, without changing its settings.
mkdir -p apt/lists/partial apt/cache/archives/partial apt/parts
for file in /etc/apt/sources.list.d/*.sources; do
	[ ! -f "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" > "apt/parts/${file##*/}"
done
if [ -f /etc/apt/sources.list ]; then grep '^deb ' /etc/apt/sources.list | sed 's/^deb /deb-src /' > apt/parts/main.list; fi
get() {
	timeout 60 apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$work/apt/parts" \
		-o "Dir::State::lists=$work/apt/lists" -o "Dir::Cache=$work/apt/cache" -o APT::Sandbox::User= "$@" > apt/log 2>&1
}
get update || skip "no list of source packages can be had"
get source --download-only jansson minisat2 || skip "the sources of jansson and minisat2 cannot be had"
for package in jansson minisat2; do
	mkdir $package && tar xf "$(ls ${package}_*.orig.tar.*)" -C $package --strip-components=1 || skip "$package: no sources"
done

# What the compilers said. Only the warnings themselves: into which function something was
# inlined, of which they tell as well, does change.
said() { grep -E '^[^ ]*:[0-9]+:[0-9]+: (warning|error):' "$1" | sort; }

# autotools and libtool
(cd jansson && autoreconf -i > ../autoreconf.log 2>&1) || skip "autoreconf fails here"
for form in gcc fathom-gcc; do
	mkdir $form
	(cd $form && ../jansson/configure -q CC=$form && make -j2 -C src) > $form.log 2>&1 || bad "jansson: $form: $(tail -5 $form.log)"
	said $form.log > $form.said
done
for file in src/jansson_config.h jansson_private_config.h; do
	cmp -s gcc/$file fathom-gcc/$file || bad "jansson: configure found something else: $(diff gcc/$file fathom-gcc/$file)"
done
cmp -s gcc.said fathom-gcc.said || bad "jansson: diagnostics differ: $(diff gcc.said fathom-gcc.said)"
[ -n "$(hooks fathom-gcc/src/.libs/libjansson.so)" ] || bad "jansson: nothing is instrumented"
[ -z "$(find fathom-gcc -mindepth 1 -name 'fathom-*')" ] || bad "jansson: experiments were left"

# The measured program does the same, and its own library's functions are in the profile.
echo '{"b": [1, 2.5, "x"], "a": {"c": null}}' > in.json
echo '#include <jansson.h>
int main(void) { json_error_t e; json_t *j = json_load_file("in.json", 0, &e); int ok = j && json_dumpf(j, stdout, JSON_SORT_KEYS) == 0; json_decref(j); return !ok; }' > use.c
fathom-gcc -g -O2 -Ifathom-gcc/src -Ijansson/src use.c -o use -Lfathom-gcc/src/.libs -ljansson -Wl,-rpath,"$work/fathom-gcc/src/.libs" || bad "jansson: use"
same "jansson: output" '{"a": {"c": null}, "b": [1, 2.5, "x"]}' "$(FATHOM_MODE=profile ./use 2> use.err)"
if [ -x "$builddir/test/run/dump" ] && dir=$(experiment); then
	contains "jansson: profile" "$(values visits "$dir/profile.cubex")" '/main/json_load_file'
fi

# CMake
mkdir cmake && (cd cmake && cmake -DCMAKE_C_COMPILER=fathom-gcc -DJANSSON_BUILD_DOCS=OFF -DJANSSON_EXAMPLES=OFF ../jansson &&
	make -j2 && ctest) > cmake.log 2>&1 || bad "cmake: $(tail -5 cmake.log)"
contains "cmake: tests" "$(cat cmake.log)" '^100% tests passed, 0 tests failed out of [0-9]+'
contains "cmake: compiler" "$(cat cmake.log)" 'C compiler identification is GNU'
[ -n "$(hooks cmake/bin/json_process)$(hooks cmake/lib/libjansson.a)" ] || bad "cmake: nothing is instrumented"

# A makefile of its own, C++, -static
for form in g++ fathom-g++; do
	cp -r minisat2 m-$form
	(cd m-$form && make r "CXX=$form -fpermissive -w") > m-$form.log 2>&1 || bad "minisat: $form: $(tail -5 m-$form.log)"
done
awk 'BEGIN { p = 7; h = 6; print "p cnf", p * h, p + h * p * (p - 1) / 2;
	for (i = 0; i < p; i++) { for (j = 1; j <= h; j++) printf "%d ", i * h + j; print 0 }
	for (j = 1; j <= h; j++) for (i = 0; i < p; i++) for (k = i + 1; k < p; k++) print -(i * h + j), -(k * h + j), 0 }' > holes.cnf
for form in g++ fathom-g++; do
	m-$form/build/release/bin/minisat holes.cnf > m-$form.out 2> m-$form.err; echo "exit $?" >> m-$form.out
	grep -v -i -E 'time|memory' m-$form.out | sed 's,(.*/sec),,' > m-$form.masked
done
contains "minisat" "$(cat m-g++.out)" '^exit 20$'
cmp -s m-g++.masked m-fathom-g++.masked || bad "minisat: output differs: $(diff m-g++.masked m-fathom-g++.masked)"
[ -n "$(hooks m-fathom-g++/build/release/minisat/core/Solver.o)" ] || bad "minisat: nothing is instrumented"
verdict
