#!/bin/sh
# Which MPIs configure takes: those it finds, those that it is told, none; and what it says where it cannot. Only this part of
# configure, on its own.
. "$srcdir/test/lib.sh"
need_mpi
command -v autoconf > /dev/null || skip "no autoconf (Debian: autoconf)"
for mpicc in mpicc.mpich mpicc.openmpi; do command -v $mpicc > /dev/null || skip "no $mpicc (Debian: libmpich-dev libopenmpi-dev)"; done
cat > configure.ac <<C
AC_INIT([part], [1])
AC_PROG_CC
AC_PROG_SED
m4_define([AM_CONDITIONAL], [AS_IF([\$2], [\$1=yes], [\$1=no])])
m4_include([$srcdir/wrappers/mpi/configure.m4])
AS_ECHO(["mpich=\$HAVE_MPI(\$MPICC,\$MPIRUN) openmpi=\$HAVE_OPENMPI(\$OPENMPI_CC,\$OPENMPI_RUN) summary: \$mpi_summary"]) > result
C
autoconf > autoconf.out 2>&1 || die "autoconf fails: $(cat autoconf.out)"
unset MPICC MPICXX MPIFC MPIRUN OPENMPI_CC OPENMPI_CXX OPENMPI_FC OPENMPI_RUN CC CXX CONFIG_SITE enable_shared
# Its own cache, for what has nothing to do with MPI.
enable_shared=yes ./configure -q -C --without-mpi > out 2>&1 || die "configure fails: $(cat out)"
contains "--without-mpi" "$(cat result)" '^mpich=no\(,\) openmpi=no\(,\) summary: left out, as asked'

# takes MPICH OPENMPI WORD...: yes or no for each
takes() {
	mpich=$1 openmpi=$2
	shift 2
	rm -f result
	cp config.cache kept
	enable_shared=yes ./configure -q -C "$@" > out 2>&1 || bad "$*: $(cat out)"
	mv kept config.cache
	[ $mpich = no ] && mpich='no\(,[^)]*\)' || mpich='yes\(mpicc.mpich,mpirun.mpich\)'
	[ $openmpi = no ] && openmpi='no\(,\)' || openmpi='yes\(.*mpicc(.openmpi)?,mpirun.openmpi\)'
	contains "configure $*" "$(cat result)" "^mpich=$mpich openmpi=$openmpi summary: "
}
takes yes yes
takes yes yes --with-mpi=openmpi,mpich
takes yes no --with-mpi=mpich
takes no yes --with-mpi=openmpi
# Open MPI by the name that others have for it.
printf '#!/bin/sh\nexec mpicc.openmpi "$@"\n' > other-mpicc; chmod +x other-mpicc
takes no yes --with-mpi=openmpi MPICC="$work/other-mpicc" MPIRUN=mpirun.openmpi
contains "MPICC= of Open MPI" "$(cat result)" "openmpi=yes.$work/other-mpicc,"

# refuses PATTERN WORD...: with one line
refuses() {
	pattern=$1
	shift
	cp config.cache kept
	enable_shared=yes ./configure -q -C "$@" > out 2>&1 && bad "$*: accepted"
	mv kept config.cache
	same "$*: lines" 1 "$(grep -c '^configure: error' out)"
	contains "configure $*" "$(cat out)" "^configure: error: $pattern"
}
refuses '--with-mpi=lam: lam: mpich and openmpi are allowed' --with-mpi=lam
refuses 'OPENMPI_CC=mpicc.mpich is not of Open MPI: say MPICC=mpicc.mpich$' --with-mpi=openmpi OPENMPI_CC=mpicc.mpich

# Where there is but one, and none.
mkdir bin && for folder in /usr/local/bin /bin /usr/bin; do ln -sf $folder/* bin/ 2> /dev/null; done
rm -f bin/mpi* && ln -s "$(command -v mpicc.mpich)" "$(command -v mpirun.mpich)" bin/
PATH=$work/bin
takes yes no
refuses '--with-mpi=mpich,openmpi: no Open MPI with MPI 3 found .Debian: libopenmpi-dev' --with-mpi=mpich,openmpi
rm bin/mpi*
takes no no
contains "no MPI" "$(cat result)" 'left out: no MPI C compiler found .Debian: libmpich-dev mpich'
refuses '--with-mpi: no MPI found' --with-mpi
verdict
