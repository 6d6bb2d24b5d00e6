# fathom mean, max, min and cut: profiles made of profiles. fathom diff -o and fathom merge use the library, too.
noinst_LTLIBRARIES += libalgebra.la
libalgebra_la_SOURCES = \
	tools/algebra/algebra_inputs.c tools/algebra/algebra_inputs.h \
	tools/algebra/operation.c tools/algebra/operation.h \
	tools/algebra/united_tree.c tools/algebra/united_tree.h
libalgebra_la_CPPFLAGS = $(tools_cppflags)
libalgebra_la_CFLAGS = $(AM_CFLAGS)
libalgebra_la_LIBADD = libtools.la

pkglibexec_PROGRAMS += fathom-mean fathom-max fathom-min fathom-cut
fathom_mean_SOURCES = tools/algebra/main.c
fathom_mean_CPPFLAGS = $(tools_cppflags) -DFATHOM_COMMAND=0
fathom_mean_LDADD = libalgebra.la -lm
fathom_max_SOURCES = tools/algebra/main.c
fathom_max_CPPFLAGS = $(tools_cppflags) -DFATHOM_COMMAND=1
fathom_max_LDADD = libalgebra.la -lm
fathom_min_SOURCES = tools/algebra/main.c
fathom_min_CPPFLAGS = $(tools_cppflags) -DFATHOM_COMMAND=2
fathom_min_LDADD = libalgebra.la -lm
fathom_cut_SOURCES = tools/algebra/cut.c
fathom_cut_CPPFLAGS = $(tools_cppflags)
fathom_cut_LDADD = libalgebra.la -lm
