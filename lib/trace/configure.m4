# OTF2: traces are written and read by its library.
PKG_CHECK_MODULES([OTF2], [otf2], [have_otf2=yes], [have_otf2=no])
AS_IF([test $have_otf2 = yes], [otf2_summary="FATHOM_MODE=trace (OTF2 $($PKG_CONFIG --modversion otf2))"],
  [otf2_summary="no: FATHOM_MODE=trace is refused; OTF2 not found (Debian: libopen-trace-format2-dev or libotf2-trace-dev)"
   AS_IF([test "x$with_default_mode" = xtrace], [AC_MSG_ERROR([--with-default-mode=trace: OTF2 not found (Debian: libotf2-trace-dev)])])])
AM_CONDITIONAL([HAVE_OTF2], [test $have_otf2 = yes])
