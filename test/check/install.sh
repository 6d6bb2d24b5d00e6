#!/bin/sh
# make install puts everything where it belongs, what it puts there works, and uninstall takes it all away.
. "${srcdir:?}/test/lib.sh" || exit 99
command -v make > /dev/null || skip "no make"
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES DESTDIR
stage=$work/stage

# The value of a variable in the Makefile, written out.
makevar() { printf 'show:\n\t@echo $(%s)\n' "$1" | make -s -C "$builddir" -f Makefile -f - show 2> /dev/null; }

make -s -C "$builddir" install DESTDIR="$stage" > install.out 2>&1 || { tail -20 install.out >&2; die "make install fails"; }
prefix=$(makevar prefix) bin=$stage$(makevar bindir) lib=$stage$(makevar libdir)
[ -n "$prefix" ] && [ -d "$stage$prefix" ] || die "nothing below $prefix"
libexec=$stage$(makevar pkglibexecdir) man=$stage$(makevar mandir)

[ -x "$bin/fathom" ] || die "no fathom in $bin"
for word in gcc g++ cc c++; do
	[ "$(readlink "$bin/fathom-$word")" = fathom ] || bad "fathom-$word is not a link to fathom beside it"
done
[ -z "${MPICC:-}" ] || [ -L "$bin/fathom-mpicc" ] || bad "no fathom-mpicc"
for tool in check config filter report score merge; do
	[ -x "$libexec/fathom-$tool" ] || bad "no fathom-$tool in $libexec"
	[ -s "$man/man1/fathom-$tool.1" ] || bad "no manual page of fathom-$tool"
done
[ -s "$man/man1/fathom.1" ] || bad "no manual page of fathom"
for library in fathom fathom-compiler; do
	[ "$(makevar enable_shared)" = no ] || [ -e "$lib/lib$library.so" ] || bad "no lib$library.so"
	[ "$(makevar enable_static)" = no ] || [ -e "$lib/lib$library.a" ] || bad "no lib$library.a"
done
for made in "$builddir"/.libs/libfathom*.so; do
	[ ! -e "$made" ] || [ -e "$lib/$(basename "$made")" ] || bad "$(basename "$made") was built and not installed"
done

# Nothing that only we need, and nothing that remembers where it was built.
(cd "$stage" && find . -type f -o -type l) > files
grep -E '/(test|cube|config\.h|libcube|libcore|libplatform|libtools)' files | grep -v '/man/' > surplus
while IFS= read -r file; do bad "installed, and nobody's business: $file"; done < surplus
(cd "$stage" && find . -type l | while IFS= read -r link; do [ -e "$link" ] || echo "$link"; done) > dangling
while IFS= read -r file; do bad "a link to nothing: $file"; done < dangling
# (Debug information may: where the sources were.)
for file in "$lib"/*.so "$bin/fathom" "$libexec"/* "$lib/pkgconfig/fathom.pc"; do
	[ -f "$file" ] || continue
	strip --strip-debug -o bare "$file" 2> /dev/null || cp "$file" bare
	grep -Fq "$builddir" bare && bad "names the place where it was built: $file"
done

# From where it is: it finds its parts beside it.
version=$("$bin/fathom" --version 2>&1) || bad "the installed fathom --version fails: $version"
same "the installed version" "fathom $(makevar PACKAGE_VERSION)" "$(printf '%s\n' "$version" | head -1)"
"$bin/fathom" config > config.out 2>&1 || bad "the installed fathom config fails: $(cat config.out)"
contains "fathom config" "$(cat config.out)" FATHOM_MODE
cat > hello.c <<'C'
#include <stdio.h>
static __attribute__((noinline)) void say(void) { puts("hello"); }
int main(void) { say(); return 3; }
C
if "$bin/fathom" "$CC" -g hello.c -o hello 2> build.err; then
	same "output of a program built by the installed fathom" hello "$(./hello 2> err)"
	dir=$(experiment) && same "visits of main" 1 "$(value visits hello/main "$dir/profile.cubex")"
	"$bin/fathom" report > report.out 2>&1 || bad "the installed fathom report fails: $(cat report.out)"
	contains "report" "$(cat report.out)" hello
else
	bad "the installed fathom cannot build a program: $(cat build.err)"
fi

if command -v pkg-config > /dev/null; then
	export PKG_CONFIG_PATH="$lib/pkgconfig"
	pkg-config --validate fathom 2> pc.err || bad "fathom.pc: $(cat pc.err)"
	same "version of fathom.pc" "$(makevar PACKAGE_VERSION)" "$(pkg-config --modversion fathom)"
	rm -rf fathom-*-*
	# By its words alone, as a Makefile without the fathom command would.
	if "$CC" $(pkg-config --cflags fathom) hello.c $(pkg-config --libs fathom) -Wl,-rpath,"$lib" -o hello 2> build.err; then
		same "output of a program built by fathom.pc" hello "$(./hello 2> err)"
		experiment > /dev/null || bad "a program built by fathom.pc leaves nothing: $(cat err)"
	else
		bad "no program can be built by fathom.pc: $(cat build.err)"
	fi
fi

# The other ways into a build; the place where all this lies is not the one that was configured.
[ -s "$stage$(makevar aclocaldir)/fathom.m4" ] || bad "no fathom.m4"
[ "$(env PATH="$bin:$PATH" fathom flags --libs | grep -c "$lib/libfathom.so")" = 1 ] || bad "fathom flags names another place: $("$bin/fathom" flags --libs)"
if command -v cmake > /dev/null; then
	mkdir cmake && cp hello.c cmake
	printf 'cmake_minimum_required(VERSION 3.18)\nproject(hello C)\nfind_package(fathom %s REQUIRED)\nadd_executable(hello hello.c)\nfathom_instrument(hello)\n' \
		"$(makevar PACKAGE_VERSION)" > cmake/CMakeLists.txt
	cmake -S cmake -B cmake/b -DCMAKE_C_COMPILER="$CC" -Dfathom_DIR="$lib/cmake/fathom" > cmake.out 2>&1 && cmake --build cmake/b >> cmake.out 2>&1 ||
		bad "the installed CMake package: $(tail -5 cmake.out)"
	ldd cmake/b/hello | grep -q "$lib/libfathom.so" || bad "the installed CMake package takes another fathom: $(ldd cmake/b/hello)"
	grep -Fq "$builddir" "$lib"/cmake/fathom/* && bad "the CMake package names the place where it was built"
fi

make -s -C "$builddir" uninstall DESTDIR="$stage" > uninstall.out 2>&1 || bad "make uninstall fails: $(tail -3 uninstall.out)"
(cd "$stage" && find . ! -type d) > left
while IFS= read -r file; do bad "make uninstall leaves $file"; done < left
verdict
