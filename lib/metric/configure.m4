# PAPI, which counts what the processor and libraries have. Sets have_papi and papi_summary.
AC_ARG_WITH([papi],
  [AS_HELP_STRING([--without-papi], [leave out the counters of PAPI])],
  [], [with_papi=check])
have_papi=no
papi_summary="perf events, getrusage, /proc, energy; PAPI is left out, as asked"
AS_IF([test "x$with_papi" != xno],
  [AC_CHECK_HEADER([papi.h], [AC_CHECK_LIB([papi], [PAPI_library_init], [have_papi=yes])])
   AS_IF([test $have_papi = yes],
     [papi_summary="perf events, getrusage, /proc, energy, and PAPI"],
     [test "x$with_papi" = xyes],
     [AC_MSG_ERROR([--with-papi: PAPI not found (Debian: libpapi-dev)])],
     [papi_summary="perf events, getrusage, /proc, energy; PAPI is left out: not found (Debian: libpapi-dev)"])])
AM_CONDITIONAL([HAVE_PAPI], [test $have_papi = yes])
