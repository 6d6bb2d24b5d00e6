# fathom.m4: a project's own --with-fathom.
#
# FATHOM_CHECK([ACTION-IF-MEASURED], [ACTION-IF-NOT])
#
# Behind the compilers (AC_PROG_CC, AC_PROG_CXX, AC_PROG_FC, ...) and before LT_INIT. What users get:
#
#   --with-fathom          the command fathom stands before CC, CXX, FC, F77 and MPICC, MPICXX, MPIFC, as far as they are set;
#                          what configure tries is not measured
#   --with-fathom=DIR      the same, with the fathom installed (or built) in DIR
#   --with-fathom=flags    compilers stay as they are; FATHOM_CFLAGS and FATHOM_LDFLAGS go into CFLAGS, CXXFLAGS, FCFLAGS,
#                          FFLAGS and LDFLAGS when configure ends (OpenMP constructs need clang then); programs that MPICC
#                          links take $(FATHOM_MPI_LDFLAGS), in front of the MPI library
#   FATHOM=PATH            the command; FATHOM_OPTIONS: options of its own, such as --no-compiler --mpi=on
#
# The variable fathom_measures is yes or no afterwards.

# _FATHOM_BEFORE(VARIABLE): the command before a compiler
AC_DEFUN([_FATHOM_BEFORE],
[AS_IF([test -n "$$1"],
  [AS_CASE(["$$1"], [*fathom*], [],
    [$1="$FATHOM${FATHOM_OPTIONS:+ $FATHOM_OPTIONS} $$1"])])])

AC_DEFUN([FATHOM_CHECK],
[AC_BEFORE([$0], [LT_INIT])dnl
AC_ARG_VAR([FATHOM], [the command fathom])
AC_ARG_VAR([FATHOM_OPTIONS], [options of fathom that stand before the compiler])
AC_ARG_WITH([fathom],
  [AS_HELP_STRING([--with-fathom@<:@=DIR|flags@:>@], [measure the program with fathom (installed in DIR; by flags alone)])],
  [], [with_fathom=no])
fathom_measures=no
fathom_path=$PATH
AS_CASE([$with_fathom],
  [no|yes|flags], [],
  [*/*], [FATHOM= fathom_path=$with_fathom/bin:$with_fathom],
  [AC_MSG_ERROR([--with-fathom=$with_fathom: a directory, flags, or nothing is allowed])])
AS_IF([test "x$with_fathom" != xno],
  [AC_PATH_PROG([FATHOM], [fathom], [], [$fathom_path])
   AS_IF([test -z "$FATHOM"], [AC_MSG_ERROR([--with-fathom: no fathom in $fathom_path])])
   AS_IF([$FATHOM --version > /dev/null 2>&1], [fathom_measures=yes], [AC_MSG_ERROR([--with-fathom: $FATHOM does not run])])])
FATHOM_CFLAGS=
FATHOM_LDFLAGS=
FATHOM_MPI_LDFLAGS=
AS_CASE([$fathom_measures:$with_fathom],
  [no:*], [],
  [yes:flags],
    [AC_MSG_CHECKING([for the flags of fathom])
     fathom_compiler=${CC:-${CXX:-${FC:-cc}}}
     FATHOM_CFLAGS=`$FATHOM flags $FATHOM_OPTIONS --cflags --compiler="$fathom_compiler"` &&
     FATHOM_LDFLAGS=`$FATHOM flags $FATHOM_OPTIONS --libs --compiler="$fathom_compiler"` ||
       AC_MSG_ERROR([$FATHOM flags fails])
     AS_IF([test -n "$MPICC"],
       [FATHOM_MPI_LDFLAGS=`$FATHOM flags $FATHOM_OPTIONS --libs --compiler="$MPICC"` || AC_MSG_ERROR([$FATHOM flags fails])])
     AC_MSG_RESULT([$FATHOM_CFLAGS])
     dnl Not before: what configure runs would be measured, too.
     AC_CONFIG_COMMANDS_PRE(
       [for fathom_variable in CFLAGS CXXFLAGS FCFLAGS FFLAGS; do
          eval "$fathom_variable=\"\$FATHOM_CFLAGS \$$fathom_variable\""
        done
        LDFLAGS="$FATHOM_LDFLAGS $LDFLAGS"])],
  [_FATHOM_BEFORE([CC])
   _FATHOM_BEFORE([CXX])
   _FATHOM_BEFORE([FC])
   _FATHOM_BEFORE([F77])
   _FATHOM_BEFORE([MPICC])
   _FATHOM_BEFORE([MPICXX])
   _FATHOM_BEFORE([MPIFC])])
AC_SUBST([FATHOM_CFLAGS])
AC_SUBST([FATHOM_LDFLAGS])
AC_SUBST([FATHOM_MPI_LDFLAGS])
AS_IF([test $fathom_measures = yes], [:
$1], [:
$2])[]dnl
])
