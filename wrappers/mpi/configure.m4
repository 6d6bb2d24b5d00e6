# MPI: its compilers and launcher, and what is needed to compile and generate the wrappers.
# Where several MPIs are installed side by side, Debian's plain names may mean any of them.
AC_ARG_VAR([MPICC], [MPI C compiler])
AC_ARG_VAR([MPICXX], [MPI C++ compiler])
AC_ARG_VAR([MPIFC], [MPI Fortran compiler])
AC_ARG_VAR([MPIRUN], [MPI launcher])
AC_ARG_WITH([mpi],
  [AS_HELP_STRING([--without-mpi], [leave out the measurement of MPI])],
  [], [with_mpi=check])
AS_IF([test "x$with_mpi" != xno],
  [AC_CHECK_PROGS([MPICC], [mpicc.mpich mpicc])
   AC_CHECK_PROGS([MPICXX], [mpicxx.mpich mpicxx])
   AC_CHECK_PROGS([MPIFC], [mpifort.mpich mpifort])
   AC_CHECK_PROGS([MPIRUN], [mpirun.mpich mpirun])])

# The adapter is compiled by $CC, as the rest: from the MPI compiler come the include
# directories and, to see that programs link, the libraries.
have_mpi=no
have_mpif08=no
mpi_summary="left out: no MPI C compiler found (Debian: libmpich-dev mpich); MPI calls will not be measured"
AS_IF([test "x$with_mpi" = xno], [mpi_summary="left out, as asked: MPI calls will not be measured"])
AS_IF([test "x$with_mpi" != xno && test -n "$MPICC"],
  [mpi_show=`$MPICC -show 2>/dev/null || $MPICC --showme 2>/dev/null`
   MPI_CFLAGS=
   MPI_LIBS=
   for mpi_word in $mpi_show; do
     AS_CASE([$mpi_word],
       [-I*|-D*], [MPI_CFLAGS="$MPI_CFLAGS $mpi_word"],
       [-L*|-l*], [MPI_LIBS="$MPI_LIBS $mpi_word"])
   done
   AC_MSG_CHECKING([for an MPI that the wrappers know])
   mpi_save_CPPFLAGS=$CPPFLAGS
   mpi_save_LIBS=$LIBS
   CPPFLAGS="$CPPFLAGS $MPI_CFLAGS"
   LIBS="$MPI_LIBS $LIBS"
   AC_LINK_IFELSE(
     [AC_LANG_PROGRAM([[#include <mpi.h>]],
       [[MPI_Request request; return PMPI_Comm_idup(MPI_COMM_WORLD, &(MPI_Comm){MPI_COMM_NULL}, &request);]])],
     [have_mpi=yes; mpi_summary="measured ($MPICC"],
     [mpi_summary="left out: $MPICC does not link a program with MPI 3 calls; MPI calls will not be measured"])
   AC_MSG_RESULT([$have_mpi])
   # Routines of the mpi_f08 module without choice buffers do not come past the C calls. They can
   # be wrapped where they have a twin of a known name, as in MPICH.
   AS_IF([test $have_mpi = yes && test -n "$MPIFC"],
     [AC_MSG_CHECKING([for the entry points of mpi_f08])
      for mpi_dir in `AS_ECHO(["$MPI_LIBS"]) | $SED -n 's/.*-L\([[^ ]]*\).*/\1/p'` /usr/lib /usr/local/lib; do
        AS_IF([test $have_mpif08 = no && test -f "$mpi_dir/libmpichfort.so" &&
               nm -D --defined-only "$mpi_dir/libmpichfort.so" 2>/dev/null | grep -q ' pmpir_barrier_f08_$'],
          [have_mpif08=yes; MPI_FORTRAN_LIBRARY="$mpi_dir/libmpichfort.so"])
      done
      AC_MSG_RESULT([$have_mpif08])])
   CPPFLAGS=$mpi_save_CPPFLAGS
   LIBS=$mpi_save_LIBS
   AS_IF([test $have_mpi = yes],
     [AS_IF([test $have_mpif08 = yes],
        [mpi_summary="$mpi_summary, $MPIFC with mpif.h, mpi and mpi_f08)"],
        [test -n "$MPIFC"],
        [mpi_summary="$mpi_summary; of programs that use mpi_f08 only calls with buffers: MPICH's Fortran library not found)"],
        [mpi_summary="$mpi_summary; no MPI Fortran compiler found)"])])])
AC_SUBST([MPI_CFLAGS])
AC_SUBST([MPI_LIBS])
AC_SUBST([MPI_FORTRAN_LIBRARY])
AM_CONDITIONAL([HAVE_MPI], [test $have_mpi = yes])
AM_CONDITIONAL([HAVE_MPIFC], [test $have_mpi = yes && test -n "$MPIFC"])
AM_CONDITIONAL([HAVE_MPIF08], [test $have_mpif08 = yes])
# The library that is preloaded needs a dynamic linker to load it.
AM_CONDITIONAL([HAVE_MPI_PRELOAD], [test $have_mpi = yes && test "x$enable_shared" = xyes])
