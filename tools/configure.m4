# OTF2, which reads and writes traces. Sets have_otf2 and otf2_summary.
AC_ARG_WITH([otf2],
  [AS_HELP_STRING([--without-otf2], [leave out traces])],
  [], [with_otf2=check])
have_otf2=no
otf2_summary="left out, as asked: no traces, and fathom check cannot read any"
AS_IF([test "x$with_otf2" != xno],
  [PKG_CHECK_MODULES([OTF2], [otf2 >= 3.0], [have_otf2=yes], [have_otf2=no])
   AS_IF([test $have_otf2 = yes],
     [otf2_summary="FATHOM_MODE=trace, fathom check (OTF2 $($PKG_CONFIG --modversion otf2))"],
     [test "x$with_otf2" = xyes],
     [AC_MSG_ERROR([--with-otf2: OTF2 3.0 or newer not found (Debian: libopen-trace-format2-dev)])],
     [otf2_summary="left out: OTF2 3 not found (Debian: libopen-trace-format2-dev); fathom check cannot read traces"])])
AM_CONDITIONAL([HAVE_OTF2], [test $have_otf2 = yes])
AS_IF([test $have_otf2 = yes], [AC_DEFINE([HAVE_OTF2], [1], [traces can be written and read])])
