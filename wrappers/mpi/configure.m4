# MPI: its compilers and launcher, and what is needed to compile and generate the wrappers.
# Where several MPIs are installed side by side, Debian's plain names may mean any of them. There are wrappers for two
# kinds, and they may be installed together: MPICH and its kin (MPICC, ...), and Open MPI (OPENMPI_CC, ...).
AC_ARG_VAR([MPICC], [MPI C compiler of MPICH or its kin])
AC_ARG_VAR([MPICXX], [MPI C++ compiler of the same])
AC_ARG_VAR([MPIFC], [MPI Fortran compiler of the same])
AC_ARG_VAR([MPIRUN], [MPI launcher of the same])
AC_ARG_VAR([OPENMPI_CC], [MPI C compiler of Open MPI])
AC_ARG_VAR([OPENMPI_CXX], [MPI C++ compiler of Open MPI])
AC_ARG_VAR([OPENMPI_FC], [MPI Fortran compiler of Open MPI])
AC_ARG_VAR([OPENMPI_RUN], [MPI launcher of Open MPI])
AC_ARG_WITH([mpi],
  [AS_HELP_STRING([--with-mpi=LIST], [measure these MPIs: mpich, openmpi, or both with a comma; each must be there @<:@those found@:>@])
AS_HELP_STRING([--without-mpi], [leave out the measurement of MPI])],
  [], [with_mpi=check])
mpi_asks_mpich=no
mpi_asks_openmpi=no
AS_CASE([$with_mpi], [yes|check|no], [],
  [for mpi_word in `AS_ECHO(["$with_mpi"]) | tr , ' '`; do
     AS_CASE([$mpi_word], [mpich], [mpi_asks_mpich=yes], [openmpi], [mpi_asks_openmpi=yes],
       [AC_MSG_ERROR([--with-mpi=$with_mpi: $mpi_word: mpich and openmpi are allowed; a compiler of another name is said by MPICC= or OPENMPI_CC=])])
   done])

# What a compiler command adds, into mpi_cflags and mpi_libs.
AC_DEFUN([FATHOM_MPI_WORDS], [
   mpi_show=`$1 -show 2>/dev/null || $1 --showme 2>/dev/null`
   mpi_cflags=
   mpi_libs=
   for mpi_word in $mpi_show; do
     AS_CASE([$mpi_word],
       [-I*|-D*], [mpi_cflags="$mpi_cflags $mpi_word"],
       [-L*|-l*], [mpi_libs="$mpi_libs $mpi_word"])
   done])

# Which kind the MPI of a compiler is, into mpi_kind: mpich, openmpi, or nothing where the wrappers do not know it.
# The adapter is compiled by $CC, as the rest: from the MPI compiler come the include directories and, to see that
# programs link, the libraries.
AC_DEFUN([FATHOM_MPI_KIND], [
   FATHOM_MPI_WORDS([$1])
   AC_MSG_CHECKING([for the kind of MPI of $1])
   mpi_kind=
   mpi_save_CPPFLAGS=$CPPFLAGS
   mpi_save_LIBS=$LIBS
   CPPFLAGS="$CPPFLAGS $mpi_cflags"
   LIBS="$mpi_libs $LIBS"
   AC_LINK_IFELSE(
     [AC_LANG_PROGRAM([[#include <mpi.h>]],
       [[MPI_Request request; return PMPI_Comm_idup(MPI_COMM_WORLD, &(MPI_Comm){MPI_COMM_NULL}, &request);]])],
     [AC_PREPROC_IFELSE([AC_LANG_SOURCE([[#include <mpi.h>
#ifndef OPEN_MPI
#error another
#endif]])], [mpi_kind=openmpi], [mpi_kind=mpich])])
   CPPFLAGS=$mpi_save_CPPFLAGS
   LIBS=$mpi_save_LIBS
   AC_MSG_RESULT([${mpi_kind:-none that the wrappers know}])])

# What plain mpicc is counts where no other name leads to an MPI of that kind.
have_mpi=no
have_mpif08=no
have_openmpi=no
mpi_plain=
mpi_unknown=
AS_IF([test "x$with_mpi" != xno],
  [AC_CHECK_PROGS([mpi_mpich], [mpicc.mpich])
   AC_CHECK_PROGS([mpi_openmpi], [mpicc.openmpi])
   AC_CHECK_PROGS([mpi_plain], [mpicc])
   # MPICC= may be of the one that is asked for.
   AS_IF([test $mpi_asks_mpich:$mpi_asks_openmpi = no:yes && test -n "$MPICC" && test -z "$OPENMPI_CC"],
     [FATHOM_MPI_KIND([$MPICC])
      AS_IF([test "x$mpi_kind" = xopenmpi],
        [OPENMPI_CC=$MPICC OPENMPI_CXX=$MPICXX OPENMPI_FC=$MPIFC OPENMPI_RUN=$MPIRUN
         MPICC= MPICXX= MPIFC= MPIRUN=])])
   : ${MPICC:=$mpi_mpich} ${OPENMPI_CC:=$mpi_openmpi}
   AS_IF([test -n "$mpi_plain" && { test -z "$MPICC" || test -z "$OPENMPI_CC"; }],
     [FATHOM_MPI_KIND([$mpi_plain])
      AS_CASE([$mpi_kind],
        [mpich], [: ${MPICC:=$mpi_plain}],
        [openmpi], [: ${OPENMPI_CC:=$mpi_plain}],
        [mpi_unknown=$mpi_plain])])
   AS_IF([test $mpi_asks_mpich:$mpi_asks_openmpi = no:yes], [MPICC=])
   AS_IF([test $mpi_asks_mpich:$mpi_asks_openmpi = yes:no], [OPENMPI_CC=])])
AS_IF([test "x$with_mpi" = xno], [MPICC= OPENMPI_CC=])

mpi_summary=
AS_IF([test -n "$MPICC"],
  [FATHOM_MPI_KIND([$MPICC])
   AS_CASE([$mpi_kind],
     [openmpi], [OPENMPI_CC=$MPICC OPENMPI_CXX=$MPICXX OPENMPI_FC=$MPIFC OPENMPI_RUN=$MPIRUN
       MPICC= MPICXX= MPIFC= MPIRUN=],	# MPICC= on the command line
     [mpich], [have_mpi=yes; MPI_CFLAGS=$mpi_cflags; MPI_LIBS=$mpi_libs],
     [mpi_unknown=$MPICC; MPICC=])])
AS_IF([test $have_mpi = yes],
  [AC_CHECK_PROGS([MPICXX], [mpicxx.mpich mpicxx])
   AC_CHECK_PROGS([MPIFC], [mpifort.mpich mpifort])
   AC_CHECK_PROGS([MPIRUN], [mpirun.mpich mpirun])
   # Routines of the mpi_f08 module without choice buffers do not come past the C calls. They can
   # be wrapped where they have a twin of a known name, as in MPICH.
   AS_IF([test -n "$MPIFC"],
     [AC_MSG_CHECKING([for the entry points of mpi_f08])
      for mpi_dir in `AS_ECHO(["$MPI_LIBS"]) | $SED -n 's/.*-L\([[^ ]]*\).*/\1/p'` /usr/lib /usr/local/lib; do
        AS_IF([test $have_mpif08 = no && test -f "$mpi_dir/libmpichfort.so" &&
               nm -D --defined-only "$mpi_dir/libmpichfort.so" 2>/dev/null | grep -q ' pmpir_barrier_f08_$'],
          [have_mpif08=yes; MPI_FORTRAN_LIBRARY="$mpi_dir/libmpichfort.so"])
      done
      AC_MSG_RESULT([$have_mpif08])])
   mpi_summary="measured ($MPICC"
   AS_IF([test $have_mpif08 = yes],
        [mpi_summary="$mpi_summary, $MPIFC with mpif.h, mpi and mpi_f08)"],
        [test -n "$MPIFC"],
        [mpi_summary="$mpi_summary; of programs that use mpi_f08 only calls with buffers: MPICH's Fortran library not found)"],
        [mpi_summary="$mpi_summary; no MPI Fortran compiler found)"])])

AS_IF([test -n "$OPENMPI_CC"],
  [FATHOM_MPI_KIND([$OPENMPI_CC])
   AS_CASE([$mpi_kind],
     [mpich], [AC_MSG_ERROR([OPENMPI_CC=$OPENMPI_CC is not of Open MPI: say MPICC=$OPENMPI_CC])],
     [openmpi], [have_openmpi=yes; OPENMPI_CFLAGS=$mpi_cflags],
     [mpi_unknown=$OPENMPI_CC; OPENMPI_CC=])])
# Its wrappers find MPI when they are called, which takes a dynamic linker.
AS_IF([test "x$enable_shared" != xyes], [have_openmpi=no])
AS_IF([test $have_openmpi = yes],
  [AC_CHECK_PROGS([OPENMPI_CXX], [mpicxx.openmpi mpicxx])
   AC_CHECK_PROGS([OPENMPI_FC], [mpifort.openmpi mpifort])
   AC_CHECK_PROGS([OPENMPI_RUN], [mpirun.openmpi mpirun])
   mpi_summary="${mpi_summary:-measured}${mpi_summary:+, }($OPENMPI_CC${OPENMPI_FC:+, $OPENMPI_FC with all bindings})"])

AS_IF([test $mpi_asks_mpich:$have_mpi = yes:no],
  [AC_MSG_ERROR([--with-mpi=$with_mpi: no MPICH with MPI 3 found (Debian: libmpich-dev mpich; elsewhere: MPICC=COMPILER)])])
AS_IF([test $mpi_asks_openmpi:$have_openmpi = yes:no],
  [AC_MSG_ERROR([--with-mpi=$with_mpi: no Open MPI with MPI 3 found (Debian: libopenmpi-dev openmpi-bin; elsewhere: OPENMPI_CC=COMPILER), or without shared libraries])])
AS_IF([test "x$with_mpi:$have_mpi:$have_openmpi" = xyes:no:no],
  [AC_MSG_ERROR([--with-mpi: no MPI found (Debian: libmpich-dev mpich, or libopenmpi-dev openmpi-bin)])])
AS_IF([test -z "$mpi_summary"],
  [AS_IF([test "x$with_mpi" = xno], [mpi_summary="left out, as asked: MPI calls will not be measured"],
     [test -n "$mpi_unknown"], [mpi_summary="left out: $mpi_unknown does not link a program with MPI 3 calls; MPI calls will not be measured"],
     [mpi_summary="left out: no MPI C compiler found (Debian: libmpich-dev mpich); MPI calls will not be measured"])])
AC_SUBST([MPI_CFLAGS])
AC_SUBST([MPI_LIBS])
AC_SUBST([MPI_FORTRAN_LIBRARY])
AC_SUBST([OPENMPI_CFLAGS])
AM_CONDITIONAL([HAVE_MPI], [test $have_mpi = yes])
AM_CONDITIONAL([HAVE_MPIFC], [test $have_mpi = yes && test -n "$MPIFC"])
AM_CONDITIONAL([HAVE_MPIF08], [test $have_mpif08 = yes])
# The library that is preloaded needs a dynamic linker to load it.
AM_CONDITIONAL([HAVE_MPI_PRELOAD], [test $have_mpi = yes && test "x$enable_shared" = xyes])
AM_CONDITIONAL([HAVE_OPENMPI], [test $have_openmpi = yes])
