# Live patching needs Zydis (lib/symbols/configure.m4). Sets have_patch and patch_summary.
with_patch=$with_zydis
AC_ARG_WITH([late-hooks],
  [AS_HELP_STRING([--without-late-hooks], [leave out hooks that the GCC plugin puts into finished code, and live patching; hooks are early ones then])],
  [], [with_late_hooks=yes])
late_summary="yes: the GCC plugin puts hooks into the finished code, which disturbs it least"
AS_IF([test "x$with_late_hooks" = xno],
  [late_summary="left out, as asked: all hooks are early ones (-finstrument-functions)"
   with_patch=no
   AC_DEFINE([FATHOM_WITHOUT_LATE_HOOKS], [1], [there are neither late hooks nor live patching])])
AM_CONDITIONAL([WITH_LATE_HOOKS], [test "x$with_late_hooks" != xno])
have_patch=no
patch_summary="left out, as asked: each call tests whether its function is disabled"
AS_IF([test "x$with_patch" != xno],
  [AS_CASE([$host], [x86_64-*-linux*],
     [AC_CHECK_FUNC([_dl_find_object], [have_patch=$have_zydis])],
     [patch_summary="left out: only on x86-64 Linux; each call tests whether its function is disabled"])
   AS_IF([test $have_patch = yes],
     [patch_summary="yes: disabled functions lose their hooks (Zydis)"],
     [test "x$with_patch" = xyes],
     [AC_MSG_ERROR([--with-zydis: Zydis 4 and a C library with _dl_find_object not found (Debian: libzydis-dev, libc6-dev 2.35 or newer)])],
     [test $have_zydis = yes],
     [patch_summary="left out: the C library has no _dl_find_object (glibc 2.35); each call tests whether its function is disabled"],
     [test "x$patch_summary" = "xleft out, as asked: each call tests whether its function is disabled"],
     [patch_summary="left out: Zydis not found (Debian: libzydis-dev); each call tests whether its function is disabled"])])
AM_CONDITIONAL([HAVE_PATCH], [test $have_patch = yes])
AS_IF([test $have_patch = yes], [AC_DEFINE([HAVE_PATCH], [1], [code of the program can be patched])])
