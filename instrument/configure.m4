# The fathom command and the GCC plugin. Sets plugin_summary, clang_summary and opari_summary.

# --- GCC plugin: only for the GCC that builds fathom, whose headers must be there ----------------
AC_ARG_ENABLE([gcc-plugin],
  [AS_HELP_STRING([--disable-gcc-plugin], [leave out the plugin that chooses which functions GCC instruments])],
  [], [enable_gcc_plugin=yes])
have_plugin=no
plugin_version=
plugin_target=
AC_MSG_CHECKING([for GCC plugin headers])
fathom_gcc_version=$($CXX -dumpfullversion 2>/dev/null)
AS_IF([test "x$enable_gcc_plugin" != xyes], [plugin_summary="left out as asked: small and inline functions will be instrumented too"],
  [test "x$GXX" != xyes || test -z "$fathom_gcc_version"],
    [plugin_summary="left out: $CXX is no GCC; small and inline functions will be instrumented too"],
  [fathom_plugin_dir=$($CXX -print-file-name=plugin)
   PLUGIN_CPPFLAGS="-isystem $fathom_plugin_dir/include"
   fathom_saved_CPPFLAGS=$CPPFLAGS
   CPPFLAGS="$CPPFLAGS $PLUGIN_CPPFLAGS"
   AC_LANG_PUSH([C++])
   AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <gcc-plugin.h>
#include <tree.h>
#include <cgraph.h>
#include <langhooks.h>]], [[return lang_hooks.name == 0;]])],
     [have_plugin=yes
      plugin_version=$fathom_gcc_version
      plugin_target=$($CXX -dumpmachine)
      plugin_summary="for GCC $plugin_version (chooses which functions are worth measuring)"],
     [plugin_summary="left out: headers not found (Debian: gcc-${fathom_gcc_version%%.*}-plugin-dev); small and inline functions will be instrumented too"])
   AC_LANG_POP([C++])
   CPPFLAGS=$fathom_saved_CPPFLAGS])
AC_MSG_RESULT([$have_plugin])
AC_SUBST([PLUGIN_CPPFLAGS])
AC_DEFINE_UNQUOTED([FATHOM_PLUGIN_VERSION], ["$plugin_version"], [GCC the plugin was built for])
AS_IF([test -z "$plugin_target"], [plugin_target=$($CC -dumpmachine 2>/dev/null)])
AC_DEFINE_UNQUOTED([FATHOM_PLUGIN_TARGET], ["$plugin_target"], [what that GCC compiles for])
AM_CONDITIONAL([BUILD_PLUGIN], [test $have_plugin = yes])

AC_PATH_PROG([CLANG], [clang])
AS_IF([test -n "$CLANG"], [clang_summary="can be used (-finstrument-functions-after-inlining)"], [clang_summary="not found; fathom clang works once it is installed"])

# --- OPARI2, which rewrites OpenMP sources -----------------------------------------------------------
AC_PATH_PROG([OPARI2], [opari2])
AC_DEFINE_UNQUOTED([FATHOM_OPARI2], ["$OPARI2"], [opari2, "" if it was not there; PATH is looked at first])
AS_IF([test -n "$OPARI2"],
  [opari_summary="$OPARI2 (fathom gcc -fopenmp measures OpenMP constructs)"],
  [opari_summary="not found (Debian: opari2): fathom gcc -fopenmp will not measure OpenMP constructs until it is there"])

# --- what a static program has to link besides libfathom -----------------------------------------
AC_MSG_CHECKING([for static elfutils])
static_libs=
fathom_saved_LDFLAGS=$LDFLAGS fathom_saved_LIBS=$LIBS
LDFLAGS="$LDFLAGS -static"
for fathom_try in "" "-lbz2 -llzma" "-lbz2 -llzma -lzstd"; do
  LIBS="$DW_LIBS $IBERTY_LIBS -lz $fathom_try -lpthread -ldl -lm"
  AS_IF([test -z "$static_libs"],
    [AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <elfutils/libdwfl.h>
static const Dwfl_Callbacks calls = { .find_elf = dwfl_linux_proc_find_elf, .find_debuginfo = dwfl_standard_find_debuginfo };]],
       [[return dwfl_linux_proc_report(dwfl_begin(&calls), 1);]])], [static_libs=$LIBS])])
done
LDFLAGS=$fathom_saved_LDFLAGS LIBS=$fathom_saved_LIBS
AC_MSG_RESULT([${static_libs:-no}])
AC_DEFINE_UNQUOTED([FATHOM_STATIC_LIBS], ["$static_libs"], [what a static program links besides libfathom, "" if it cannot be had])
