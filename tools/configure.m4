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

# cairo, which draws the pictures of fathom timeline --png. Sets have_cairo and pictures_summary.
AC_ARG_WITH([cairo],
  [AS_HELP_STRING([--without-cairo], [leave out fathom timeline --png])],
  [], [with_cairo=check])
have_cairo=no
pictures_summary="SVG alone, as asked: no fathom timeline --png"
AS_IF([test "x$with_cairo" != xno],
  [PKG_CHECK_MODULES([CAIRO], [cairo >= 1.10], [have_cairo=yes], [have_cairo=no])
   AS_IF([test $have_cairo = yes],
     [pictures_summary="SVG and PNG (cairo $($PKG_CONFIG --modversion cairo))"],
     [test "x$with_cairo" = xyes],
     [AC_MSG_ERROR([--with-cairo: cairo not found (Debian: libcairo2-dev)])],
     [pictures_summary="SVG alone: cairo not found (Debian: libcairo2-dev), so no fathom timeline --png"])])
AM_CONDITIONAL([HAVE_CAIRO], [test $have_cairo = yes])

# libmicrohttpd, which fathom serve answers browsers with. Sets have_server and server_summary.
AC_ARG_WITH([microhttpd],
  [AS_HELP_STRING([--without-microhttpd], [leave out fathom serve])],
  [], [with_microhttpd=check])
have_server=no
server_summary="left out, as asked"
AS_IF([test "x$with_microhttpd" != xno],
  [PKG_CHECK_MODULES([MICROHTTPD], [libmicrohttpd >= 0.9.71], [have_server=yes], [have_server=no])
   AS_IF([test $have_server = yes],
     [server_summary="fathom serve (libmicrohttpd $($PKG_CONFIG --modversion libmicrohttpd))"],
     [test "x$with_microhttpd" = xyes],
     [AC_MSG_ERROR([--with-microhttpd: libmicrohttpd not found (Debian: libmicrohttpd-dev)])],
     [server_summary="left out: libmicrohttpd not found (Debian: libmicrohttpd-dev), so no fathom serve"])])
AS_IF([test $have_server = yes && test $have_otf2 = no],
  [have_server=no server_summary="left out: it needs traces"])
AM_CONDITIONAL([HAVE_SERVER], [test $have_server = yes])
