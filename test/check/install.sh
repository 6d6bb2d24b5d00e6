#!/bin/sh
# make install puts everything where it belongs, what it puts there works, and uninstall takes it all away.
# Installs.
. "${srcdir:?}/test/lib.sh" || exit 99
command -v make > /dev/null || skip "no make"
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES DESTDIR
stage=$work/stage

# makevar NAME: the value of a variable of the Makefile. The target is phony: a file of its name may lie in the build directory.
makevar() { printf '.PHONY: show\nshow:\n\t@echo $(%s)\n' "$1" | make -s -C "$builddir" -f Makefile -f - show 2> /dev/null; }

alone_in_tree make -s -C "$builddir" install DESTDIR="$stage" > install.out 2>&1 || { tail -20 install.out >&2; die "make install fails"; }
prefix=$(makevar prefix) bin=$stage$(makevar bindir) lib=$stage$(makevar libdir)
[ -n "$prefix" ] && [ -d "$stage$prefix" ] || die "nothing below $prefix"
libexec=$stage$(makevar pkglibexecdir) man=$stage$(makevar mandir)

[ -x "$bin/fathom" ] || die "no fathom in $bin"
for word in gcc g++ cc c++; do
	[ "$(readlink "$bin/fathom-$word")" = fathom ] || bad "fathom-$word is not a link to fathom beside it"
done
[ -z "${MPICC:-}" ] || [ -L "$bin/fathom-mpicc" ] || bad "no fathom-mpicc"
for tool in analyze check config diff export filter report score merge; do
	[ -x "$libexec/fathom-$tool" ] || bad "no fathom-$tool in $libexec"
	[ -s "$man/man1/fathom-$tool.1" ] || bad "no manual page of fathom-$tool"
done
[ -s "$man/man1/fathom.1" ] || bad "no manual page of fathom"
share=$stage$(makevar datadir)
for file in bash-completion/completions/fathom zsh/site-functions/_fathom fish/vendor_completions.d/fathom.fish fathom/python/fathom.py; do
	[ -s "$share/$file" ] || bad "no $file in $share"
done
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

if have pkg-config; then
	export PKG_CONFIG_PATH="$lib/pkgconfig"
	pkg-config --validate fathom 2> pc.err || bad "fathom.pc: $(cat pc.err)"
	same "a program in Python" "profile" "$(PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$(pkg-config --variable=pythondir fathom) \
		"$PYTHON3" -c 'import fathom; print(fathom.Profile.__name__.lower())' 2>&1)"
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

# MPI by pkg-config: the words stand before those that the MPI compiler adds; both link and measure.
cat > ranks.c <<'C'
#include <mpi.h>
int main(int argc, char **argv) { MPI_Init(&argc, &argv); int all, mine = 1; MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); MPI_Finalize(); return all != 2; }
C
for kind in mpi openmpi; do
	case $kind in
	mpi) mpicc=${MPICC:-} run=${MPIRUN:-} ;;
	openmpi) mpicc=${OPENMPI_CC:-} run=${OPENMPI_RUN:-}; openmpi_environment ;;
	esac
	have pkg-config && "have_$kind" || continue
	[ "$(makevar enable_shared)" != no ] || continue
	rm -rf fathom-*-*
	if "$mpicc" $(pkg-config --cflags fathom) ranks.c $(pkg-config --libs fathom-$kind) -o ranks 2> build.err; then
		"$run" -n 2 ./ranks > out 2> err || bad "fathom-$kind.pc: exit code $?: $(cat out err)"
		dir=$(experiment) && same "fathom-$kind.pc: MPI_Allreduce" 2 "$(value visits ranks/main/MPI_Allreduce "$dir/profile.cubex")"
	else
		bad "no program can be built by fathom-$kind.pc: $(cat build.err)"
	fi
done
if have pkg-config clang && [ -e "$lib/libfathom-ompt.so" ]; then
	echo 'int main(void) { int n = 0;
#pragma omp parallel num_threads(2) reduction(+:n)
	n++;
	return n != 2; }' > team.c
	if clang -fopenmp team.c -o team 2> /dev/null && ./team; then
		rm -rf fathom-*-*
		clang -g -fopenmp $(pkg-config --cflags fathom) team.c $(pkg-config --libs fathom-ompt) -o team 2> err && ./team 2> err || bad "fathom-ompt.pc: $(cat err)"
		dir=$(experiment) && contains "fathom-ompt.pc" "$(values visits "$dir/profile.cubex")" '^2 team/main/!.omp parallel'
	fi
fi

# The other ways into a build; the place where all this lies is not the one that was configured.
[ -s "$stage$(makevar aclocaldir)/fathom.m4" ] || bad "no fathom.m4"
[ "$(env PATH="$bin:$PATH" fathom flags --libs | grep -c "$lib/libfathom.so")" = 1 ] || bad "fathom flags names another place: $("$bin/fathom" flags --libs)"
if have cmake; then
	mkdir cmake && cp hello.c cmake
	printf 'cmake_minimum_required(VERSION 3.18)\nproject(hello C)\nfind_package(fathom %s REQUIRED)\nadd_executable(hello hello.c)\nfathom_instrument(hello)\n' \
		"$(makevar PACKAGE_VERSION)" > cmake/CMakeLists.txt
	cmake -S cmake -B cmake/b -DCMAKE_C_COMPILER="$CC" -Dfathom_DIR="$lib/cmake/fathom" > cmake.out 2>&1 && cmake --build cmake/b >> cmake.out 2>&1 ||
		bad "the installed CMake package: $(tail -5 cmake.out)"
	ldd cmake/b/hello | grep -q "$lib/libfathom.so" || bad "the installed CMake package takes another fathom: $(ldd cmake/b/hello)"
	grep -Fq "$builddir" "$lib"/cmake/fathom/* && bad "the CMake package names the place where it was built"
fi

# Moved as a whole, to where blanks are.
mkdir "another place" && cp -R "$stage$prefix/." "another place" && moved=$work/another\ place/${bin#"$stage$prefix/"}
rm -rf fathom-*-*
"$moved/fathom" "$CC" -g hello.c -o hello 2> build.err || bad "from a place with blanks: $(cat build.err)"
same "from a place with blanks: output" hello "$(./hello 2> err)"
ldd hello | grep -q "another place/.*libfathom.so" || bad "from a place with blanks: takes another fathom: $(ldd hello)"
"$moved/fathom" report > report.out 2>&1 || bad "from a place with blanks: fathom report fails: $(cat report.out)"
contains "from a place with blanks: report" "$(cat report.out)" main
eval "set -- $("$moved/fathom" flags --cflags --libs)"
"$CC" hello.c "$@" -o hello 2> build.err || bad "from a place with blanks: fathom flags: $(cat build.err)"

alone_in_tree make -s -C "$builddir" uninstall DESTDIR="$stage" > uninstall.out 2>&1 || bad "make uninstall fails: $(tail -3 uninstall.out)"
(cd "$stage" && find . ! -type d) > left
while IFS= read -r file; do bad "make uninstall leaves $file"; done < left
verdict
