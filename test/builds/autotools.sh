#!/bin/sh
# FATHOM_CHECK in a project with autoconf, automake and libtool: by the command, by flags, and not at all.
. "$srcdir/test/builds/lib.sh"
for tool in autoconf automake libtoolize make; do command -v $tool > /dev/null || skip "no $tool (Debian: autoconf automake libtool make)"; done
unset FATHOM
mkdir m4
cp "$srcdir/instrument/buildsystems/fathom.m4" m4
cat > configure.ac <<'C'
AC_INIT([sample], [1])
AC_CONFIG_MACRO_DIRS([m4])
AM_INIT_AUTOMAKE([foreign])
AC_PROG_CC
AC_PROG_CXX
AC_ARG_VAR([MPICC], [MPI compiler])
FATHOM_CHECK([AC_MSG_NOTICE([will be measured])], [AC_MSG_NOTICE([will not be measured])])
LT_INIT([disable-static])
AC_CHECK_FUNCS([strlen])
AC_RUN_IFELSE([AC_LANG_PROGRAM([], [return 0;])], [], [AC_MSG_ERROR([programs do not run])], [:])
AM_CONDITIONAL([MPI], [test -n "$MPICC"])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
C
cat > Makefile.am <<'C'
ACLOCAL_AMFLAGS = -I m4
bin_PROGRAMS = serial objects
lib_LTLIBRARIES = libpart.la
libpart_la_SOURCES = part.c
serial_SOURCES = serial.c
serial_LDADD = libpart.la
objects_SOURCES = objects.cc
if MPI
all-local: ranks
ranks: ranks.c
	$(MPICC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(FATHOM_MPI_LDFLAGS) $(srcdir)/ranks.c -o ranks
endif
C
said autoreconf autoreconf -i
for way in command flags no; do
	mkdir $way && cd $way || exit 99
	case $way in
	command) set -- --with-fathom="$builddir" ;;
	flags) set -- --with-fathom=flags FATHOM="$builddir/fathom" ;;
	no) set -- ;;
	esac
	said "configure $*" ../configure "$@" ${MPICC:+MPICC="$MPICC"}
	grep -q 'will be measured' log && measures=yes || measures=no
	[ $way:$measures = no:no ] || [ $measures = yes ] || bad "$way: $(cat log)"
	[ -z "$(ls -d fathom-*-*/ 2> /dev/null)" ] || bad "$way: configure was measured: $(ls)"
	said "make $way" make
	cd ..
	if [ $way = no ]; then
		not_measured $way ../no/serial
		continue
	fi
	measured "$way: a library of libtool's" ../$way/serial serial/main/solve/part_of_library
	measured "$way: C++" ../$way/objects 'objects/main/.*sweep.*'
	[ -z "${MPICC:-}" ] || measured "$way: MPI" "$MPIRUN -n 2 ../$way/ranks" main/share/MPI_Allreduce
done
mkdir wrong && cd wrong && ../configure --with-fathom=nowhere > log 2>&1 && bad "--with-fathom=nowhere: accepted"
contains "--with-fathom=nowhere" "$(cat log)" '^configure: error: --with-fathom=nowhere: a directory, flags, or nothing is allowed$'
../configure --with-fathom=/nowhere > log 2>&1 && bad "--with-fathom=/nowhere: accepted"
contains "--with-fathom=/nowhere" "$(cat log)" '^configure: error: --with-fathom: no fathom in /nowhere/bin:/nowhere$'
verdict
