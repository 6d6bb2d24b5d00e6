# Zydis, which decodes instructions, is needed for the loops of programs and for live patching. Sets have_zydis, ZYDIS_LIBS
# and loops_summary.
AC_ARG_WITH([zydis],
  [AS_HELP_STRING([--without-zydis], [leave out live patching, and loops in reports of samples])],
  [], [with_zydis=check])
have_zydis=no
loops_summary="left out, as asked: fathom report --loops finds none"
AS_IF([test "x$with_zydis" != xno],
  [AS_CASE([$host], [x86_64-*-linux*],
     [AC_CHECK_HEADER([Zydis/Zydis.h], [AC_CHECK_LIB([Zydis], [ZydisDecoderDecodeFull], [have_zydis=yes])])
      loops_summary="left out: Zydis not found (Debian: libzydis-dev); fathom report --loops finds none"],
     [loops_summary="left out: only on x86-64 Linux; fathom report --loops finds none"])])
ZYDIS_LIBS=
AS_IF([test $have_zydis = yes],
  [ZYDIS_LIBS=-lZydis
   loops_summary="yes: fathom report --loops finds them in the code (Zydis)"
   AC_DEFINE([HAVE_ZYDIS], [1], [instructions can be decoded])])
AC_SUBST([ZYDIS_LIBS])
