# What a program calls itself: part of libfathom, so that every program and library that was compiled for it finds it.
user_sources = \
	wrappers/user/fortran.c wrappers/user/fortran.h \
	wrappers/user/metric.c wrappers/user/metric.h \
	wrappers/user/named.c \
	wrappers/user/topology.h \
	wrappers/user/user.c wrappers/user/user.h
# configure --without-topologies
if WITH_TOPOLOGIES
user_sources += wrappers/user/topology.c
else
EXTRA_DIST += wrappers/user/topology.c
endif
fathomincludedir = $(includedir)/fathom
fathominclude_HEADERS = include/fathom/fathom.h include/fathom/fathom.F90 include/fathom/fathom.inc

# The module for GCC's Fortran; for other compilers it is compiled from its source. In the build tree it is where the
# driver looks for it.
if HAVE_GFORTRAN
nodist_fathominclude_HEADERS = include/fathom/fathom.mod
include/fathom/fathom.mod: include/fathom/fathom.F90
	$(AM_V_GEN)$(MKDIR_P) include/fathom && \
		$(GFORTRAN) -cpp -DFATHOM_USER -fsyntax-only -Jinclude/fathom $(srcdir)/include/fathom/fathom.F90
CLEANFILES += include/fathom/fathom.mod
endif
