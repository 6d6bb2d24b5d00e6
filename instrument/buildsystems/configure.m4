# The files by which other people's builds find fathom: pkg-config files and a CMake package. In pkg-config files all paths are
# relative to where these files lie, so that an installation may be moved.
pc_up=
AS_CASE(["$libdir"],
  ['${exec_prefix}/'*], [pc_up=`AS_ECHO(["$libdir"]) | $SED 's,^[[^/]]*,,; s,/[[^/]]*,/..,g'`])
AS_IF([test -n "$pc_up" && test "x$exec_prefix" = xNONE],
  [pc_prefix='${pcfiledir}/..'"$pc_up" pc_exec_prefix='${prefix}' pc_libdir='${pcfiledir}/..'],
  [pc_prefix=$prefix pc_exec_prefix=$exec_prefix pc_libdir=$libdir
   AS_IF([test "x$pc_prefix" = xNONE], [pc_prefix=$ac_default_prefix])
   AS_IF([test "x$pc_exec_prefix" = xNONE], [pc_exec_prefix='${prefix}'])])
pc_bindir=$bindir
AC_SUBST([pc_prefix])
AC_SUBST([pc_exec_prefix])
AC_SUBST([pc_libdir])
AC_SUBST([pc_bindir])
AC_CONFIG_FILES([lib/fathom.pc lib/fathom-mpi.pc lib/fathom-openmpi.pc lib/fathom-ompt.pc])
AC_CONFIG_FILES([lib/cmake/fathom/fathom-config.cmake:instrument/buildsystems/fathom-config.cmake.in])
AC_CONFIG_FILES([lib/cmake/fathom/fathom-config-version.cmake:instrument/buildsystems/fathom-config-version.cmake.in])
