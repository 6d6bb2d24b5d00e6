# instrument/buildsystems: the files by which other people's builds find fathom.
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = lib/fathom.pc lib/fathom-ompt.pc
if HAVE_MPI
pkgconfig_DATA += lib/fathom-mpi.pc
endif
if HAVE_OPENMPI
pkgconfig_DATA += lib/fathom-openmpi.pc
endif
cmakedir = $(libdir)/cmake/fathom
cmake_DATA = lib/cmake/fathom/fathom-config.cmake lib/cmake/fathom/fathom-config-version.cmake
aclocaldir = $(datadir)/aclocal
dist_aclocal_DATA = instrument/buildsystems/fathom.m4
EXTRA_DIST += instrument/buildsystems/configure.m4
