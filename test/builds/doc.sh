#!/bin/bash
# The examples of doc/guides/builds.md, as they stand there, with this build tree of fathom.
. "$srcdir/test/builds/lib.sh"
need_mpi
for tool in cmake autoconf automake make; do command -v $tool > /dev/null || skip "no $tool (Debian: cmake autoconf automake make)"; done
unset FATHOM_INSTRUMENT_MIN_INSNS FATHOM_INSTRUMENT_CALLS FATHOM_OVERHEAD CC CXX FC FATHOM
mkdir bin
printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v "$MPICC")" > bin/mpicc
printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v "$MPIRUN")" > bin/mpirun
chmod +x bin/mpicc bin/mpirun
export PATH=$work/bin:$builddir:$PATH fathom_prefix=$builddir ACLOCAL_PATH=$srcdir/instrument/buildsystems

# block LANGUAGE N: the lines of the Nth block in that language
block() { awk -v language="\`\`\`$1" -v n="$2" '$0 == language { on = 1; i++; next } /^```$/ { on = 0; next } on && i == n' "$srcdir/doc/guides/builds.md"; }

# try NAME N: the Nth block of commands, in the directory of that name
try() {
	cd "$1" && cp "$srcdir/examples/heat.c" . || exit 99
	block sh "$2" > commands
	[ "$(wc -l < commands)" -ge 4 ] || bad "$1: only $(wc -l < commands) commands"
	while IFS= read -r command; do
		bash -c "$command" > out 2> err < /dev/null || bad "$1: $command: $(tail -3 err)"
	done < commands
	grep -q MPI out || bad "$1: the report knows nothing of MPI: $(cat out)"
	dir=$(experiment) && { values visits "$dir/profile.cubex" | grep -q '/main/.*MPI_' || bad "$1: no main in the profile"; }
	cd ..
}
mkdir flags cmake autotools
block cmake 1 > cmake/CMakeLists.txt
block m4 1 > autotools/configure.ac
block make 1 > autotools/Makefile.am
try flags 1
try cmake 2
try autotools 3
verdict
