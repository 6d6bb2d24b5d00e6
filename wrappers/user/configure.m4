# The module `fathom` for Fortran: its form is that of one compiler.
AC_ARG_VAR([GFORTRAN], [GNU Fortran compiler])
AC_CHECK_PROGS([GFORTRAN], [gfortran])
AM_CONDITIONAL([HAVE_GFORTRAN], [test -n "$GFORTRAN"])
fortran_summary="left out: no gfortran found (Debian: gfortran); programs can compile fathom.F90 themselves"
AS_IF([test -n "$GFORTRAN"], [fortran_summary="for $GFORTRAN"])
# The driver of a build tree looks for headers there.
AC_CONFIG_LINKS([include/fathom/fathom.h:include/fathom/fathom.h include/fathom/fathom.inc:include/fathom/fathom.inc])
