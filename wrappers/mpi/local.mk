# wrappers/mpi: MPI calls become events. calls.txt has the meaning, templates/ the shape of the code, generate.py
# joins them with the prototypes in the headers of the installed MPI (mpi_header.h).
#
# For MPICH and its kin:
#   libfathom-mpi          C and C++ programs, and Fortran by mpif.h or the mpi module
#   libfathom-mpif08       the same and the mpi_f08 module, in place of libfathom-mpi
#   libfathom-mpi-preload  both, for programs that were not linked with any of them
# For Open MPI:
#   libfathom-mpi-openmpi  all languages, linked or preloaded
mpi_templates = \
	wrappers/mpi/templates/region.c \
	wrappers/mpi/templates/collectives/collective.c \
	wrappers/mpi/templates/collectives/collective_init.c \
	wrappers/mpi/templates/collectives/icollective.c \
	wrappers/mpi/templates/communicators/comm_apart.c \
	wrappers/mpi/templates/communicators/comm_birth.c \
	wrappers/mpi/templates/communicators/comm_create.c \
	wrappers/mpi/templates/communicators/comm_free.c \
	wrappers/mpi/templates/communicators/comm_idup.c \
	wrappers/mpi/templates/communicators/comm_name.c \
	wrappers/mpi/templates/files/file_close.c \
	wrappers/mpi/templates/files/file_delete.c \
	wrappers/mpi/templates/files/file_open.c \
	wrappers/mpi/templates/files/file_seek.c \
	wrappers/mpi/templates/files/file_sync.c \
	wrappers/mpi/templates/files/io.c \
	wrappers/mpi/templates/files/io_begin.c \
	wrappers/mpi/templates/files/io_end.c \
	wrappers/mpi/templates/files/io_start.c \
	wrappers/mpi/templates/messages/improbe.c \
	wrappers/mpi/templates/messages/imrecv.c \
	wrappers/mpi/templates/messages/irecv.c \
	wrappers/mpi/templates/messages/isend.c \
	wrappers/mpi/templates/messages/isendrecv.c \
	wrappers/mpi/templates/messages/mprobe.c \
	wrappers/mpi/templates/messages/mrecv.c \
	wrappers/mpi/templates/messages/precv_init.c \
	wrappers/mpi/templates/messages/recv.c \
	wrappers/mpi/templates/messages/recv_init.c \
	wrappers/mpi/templates/messages/send.c \
	wrappers/mpi/templates/messages/send_init.c \
	wrappers/mpi/templates/messages/sendrecv.c \
	wrappers/mpi/templates/requests/cancel.c \
	wrappers/mpi/templates/requests/request_free.c \
	wrappers/mpi/templates/requests/start.c \
	wrappers/mpi/templates/requests/startall.c \
	wrappers/mpi/templates/requests/test.c \
	wrappers/mpi/templates/requests/testall.c \
	wrappers/mpi/templates/requests/testany.c \
	wrappers/mpi/templates/requests/testsome.c \
	wrappers/mpi/templates/requests/wait.c \
	wrappers/mpi/templates/requests/waitall.c \
	wrappers/mpi/templates/requests/waitany.c \
	wrappers/mpi/templates/requests/waitsome.c \
	wrappers/mpi/templates/windows/rfetch.c \
	wrappers/mpi/templates/windows/rget.c \
	wrappers/mpi/templates/windows/rma_fetch.c \
	wrappers/mpi/templates/windows/rma_get.c \
	wrappers/mpi/templates/windows/rma_put.c \
	wrappers/mpi/templates/windows/rma_swap.c \
	wrappers/mpi/templates/windows/rput.c \
	wrappers/mpi/templates/windows/win_close.c \
	wrappers/mpi/templates/windows/win_create.c \
	wrappers/mpi/templates/windows/win_free.c \
	wrappers/mpi/templates/windows/win_lock.c \
	wrappers/mpi/templates/windows/win_name.c \
	wrappers/mpi/templates/windows/win_open.c \
	wrappers/mpi/templates/windows/win_sync.c \
	wrappers/mpi/templates/windows/win_test.c
mpi_sources = \
	wrappers/mpi/cart.h \
	wrappers/mpi/collective.c wrappers/mpi/collective.h \
	wrappers/mpi/comm.c wrappers/mpi/comm.h \
	wrappers/mpi/comm_file.c wrappers/mpi/comm_file.h \
	wrappers/mpi/communicator.c wrappers/mpi/communicator.h \
	wrappers/mpi/completion.c wrappers/mpi/completion.h \
	wrappers/mpi/file.c wrappers/mpi/file.h \
	wrappers/mpi/lifecycle.c wrappers/mpi/lifecycle.h \
	wrappers/mpi/message.c wrappers/mpi/message.h \
	wrappers/mpi/mpi_header.h wrappers/mpi/mpi_library.h \
	wrappers/mpi/request.c wrappers/mpi/request.h \
	wrappers/mpi/posted_messages.c wrappers/mpi/posted_messages.h \
	wrappers/mpi/request_wait.c wrappers/mpi/request_wait.h \
	wrappers/mpi/scope.c wrappers/mpi/scope.h \
	wrappers/mpi/vote.c wrappers/mpi/vote.h \
	wrappers/mpi/window.c wrappers/mpi/window.h \
	wrappers/mpi/world_ranks.c wrappers/mpi/world_ranks.h
# configure --without-topologies
if WITH_TOPOLOGIES
mpi_sources += wrappers/mpi/cart.c
else
EXTRA_DIST += wrappers/mpi/cart.c
endif
mpi_preload_sources = $(mpi_sources) wrappers/mpi/mpi_mismatch.c wrappers/mpi/mpi_mismatch.h wrappers/mpi/mpi_library.c
mpi_generator = wrappers/mpi/generate.py wrappers/mpi/calls.txt wrappers/mpi/mpi_header.h $(mpi_templates)
EXTRA_DIST += $(mpi_generator) wrappers/mpi/configure.m4

if HAVE_MPI
mpi_made = \
	wrappers/mpi/calls.c \
	wrappers/mpi/calls.h \
	wrappers/mpi/wrap_coll.c \
	wrappers/mpi/wrap_comm.c \
	wrappers/mpi/wrap_env.c \
	wrappers/mpi/wrap_inquiry.c \
	wrappers/mpi/wrap_io.c \
	wrappers/mpi/wrap_misc.c \
	wrappers/mpi/wrap_p2p.c \
	wrappers/mpi/wrap_request.c \
	wrappers/mpi/wrap_rma.c \
	wrappers/mpi/wrap_tool.c \
	wrappers/mpi/wrap_type.c
mpi_made_fortran = wrappers/mpi/wrap_f08.c
mpi_made_real = wrappers/mpi/real_table.c wrappers/mpi/real_table.h
mpi_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/wrappers -I$(top_builddir)/wrappers $(MPI_CFLAGS)
# Names of MPI are looked up when they are first called: the MPI library comes with the program.
mpi_ldflags = -version-info 0:0:0 -Wl,-z,lazy -Wl,-z,nodelete

# The module by which fathom analyze runs on several processes.
analysishostsdir = $(pkglibexecdir)
analysishosts_LTLIBRARIES = fathom-analyze-mpich.la
fathom_analyze_mpich_la_SOURCES = \
	wrappers/mpi/analysis_hosts.c wrappers/mpi/analysis_hosts.h \
	wrappers/mpi/comm.c wrappers/mpi/comm.h \
	wrappers/mpi/comm_file.c wrappers/mpi/comm_file.h \
	wrappers/mpi/mpi_header.h wrappers/mpi/mpi_library.h \
	wrappers/mpi/posted_messages.c wrappers/mpi/posted_messages.h \
	wrappers/mpi/request_wait.c wrappers/mpi/request_wait.h
fathom_analyze_mpich_la_CPPFLAGS = $(mpi_cppflags)
fathom_analyze_mpich_la_CFLAGS = $(AM_CFLAGS)
fathom_analyze_mpich_la_LIBADD = libcomm.la libplatform.la $(MPI_LIBS)
fathom_analyze_mpich_la_LDFLAGS = -module -avoid-version -shared -Wl,--no-undefined

noinst_LTLIBRARIES += libmpiwrap.la
libmpiwrap_la_SOURCES = $(mpi_sources)
nodist_libmpiwrap_la_SOURCES = $(mpi_made)
libmpiwrap_la_CPPFLAGS = $(mpi_cppflags)
libmpiwrap_la_CFLAGS = $(AM_CFLAGS)
$(libmpiwrap_la_OBJECTS): wrappers/mpi/generated.stamp

lib_LTLIBRARIES += libfathom-mpi.la
libfathom_mpi_la_SOURCES =
libfathom_mpi_la_LIBADD = libmpiwrap.la libfathom.la
libfathom_mpi_la_LDFLAGS = $(mpi_ldflags)

mpi_symbols_options =
if HAVE_MPIF08
mpi_symbols_options += --fortran-symbols wrappers/mpi/f08.symbols
lib_LTLIBRARIES += libfathom-mpif08.la
libfathom_mpif08_la_SOURCES = wrappers/mpi/fortran.c
nodist_libfathom_mpif08_la_SOURCES = $(mpi_made_fortran)
libfathom_mpif08_la_CPPFLAGS = $(mpi_cppflags)
libfathom_mpif08_la_CFLAGS = $(AM_CFLAGS)
libfathom_mpif08_la_LIBADD = libmpiwrap.la libfathom.la
libfathom_mpif08_la_LDFLAGS = $(mpi_ldflags)
$(libfathom_mpif08_la_OBJECTS): wrappers/mpi/generated.stamp
endif

if HAVE_MPI_PRELOAD
lib_LTLIBRARIES += libfathom-mpi-preload.la
libfathom_mpi_preload_la_SOURCES = $(mpi_preload_sources)
nodist_libfathom_mpi_preload_la_SOURCES = $(mpi_made) $(mpi_made_real)
if HAVE_MPIF08
libfathom_mpi_preload_la_SOURCES += wrappers/mpi/fortran.c
nodist_libfathom_mpi_preload_la_SOURCES += $(mpi_made_fortran)
endif
libfathom_mpi_preload_la_CPPFLAGS = $(mpi_cppflags) -DFATHOM_MPI_PRELOAD
libfathom_mpi_preload_la_CFLAGS = $(AM_CFLAGS)
libfathom_mpi_preload_la_LIBADD = libfathom.la
libfathom_mpi_preload_la_LDFLAGS = -shared -avoid-version -Wl,-z,nodelete -Wl,--no-undefined
$(libfathom_mpi_preload_la_OBJECTS): wrappers/mpi/generated.stamp
endif

wrappers/mpi/generated.stamp: $(mpi_generator)
	$(AM_V_GEN)$(MKDIR_P) wrappers/mpi
	$(AM_V_at)$(CC) -E -P -DMPICH_SKIP_MPICXX -DOMPI_SKIP_MPICXX $(MPI_CFLAGS) \
		$(srcdir)/wrappers/mpi/mpi_header.h > wrappers/mpi/mpi.i
	$(AM_V_at)if test -n '$(MPI_FORTRAN_LIBRARY)'; then \
		nm -D --defined-only '$(MPI_FORTRAN_LIBRARY)' \
			| $(SED) -n 's/.* \(mpix*_[a-z0-9_]*_f08_\)$$/\1/p;s/.* \(mpix*_[a-z0-9_]*_f08_large_\)$$/\1/p' \
			> wrappers/mpi/f08.symbols || exit 1; \
	fi
	$(AM_V_at)$(PYTHON3) $(srcdir)/wrappers/mpi/generate.py --header wrappers/mpi/mpi.i \
		$(mpi_symbols_options) --out wrappers/mpi
	$(AM_V_at)touch $@
$(mpi_made) $(mpi_made_fortran) $(mpi_made_real): wrappers/mpi/generated.stamp
CLEANFILES += wrappers/mpi/generated.stamp wrappers/mpi/mpi.i wrappers/mpi/f08.symbols \
	$(mpi_made) $(mpi_made_fortran) $(mpi_made_real)
endif

# The same for Open MPI, generated into a tree of its own, whose mpi/ stands before the other one.
if HAVE_OPENMPI
openmpi_tree = wrappers/openmpi
openmpi_made = \
	wrappers/openmpi/mpi/calls.c \
	wrappers/openmpi/mpi/calls.h \
	wrappers/openmpi/mpi/real_table.c \
	wrappers/openmpi/mpi/real_table.h \
	wrappers/openmpi/mpi/wrap_coll.c \
	wrappers/openmpi/mpi/wrap_comm.c \
	wrappers/openmpi/mpi/wrap_env.c \
	wrappers/openmpi/mpi/wrap_pmpi.c \
	wrappers/openmpi/mpi/wrap_inquiry.c \
	wrappers/openmpi/mpi/wrap_io.c \
	wrappers/openmpi/mpi/wrap_misc.c \
	wrappers/openmpi/mpi/wrap_p2p.c \
	wrappers/openmpi/mpi/wrap_request.c \
	wrappers/openmpi/mpi/wrap_rma.c \
	wrappers/openmpi/mpi/wrap_tool.c \
	wrappers/openmpi/mpi/wrap_type.c
lib_LTLIBRARIES += libfathom-mpi-openmpi.la
libfathom_mpi_openmpi_la_SOURCES = $(mpi_preload_sources) wrappers/mpi/pmpi_calls.c wrappers/mpi/pmpi_calls.h
nodist_libfathom_mpi_openmpi_la_SOURCES = $(openmpi_made)
libfathom_mpi_openmpi_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(openmpi_tree) -I$(top_srcdir)/wrappers $(OPENMPI_CFLAGS) \
	-DFATHOM_MPI_PRELOAD -DOMPI_SKIP_MPICXX
# Programs may call what MPI advises against.
libfathom_mpi_openmpi_la_CFLAGS = $(AM_CFLAGS) -Wno-deprecated-declarations
libfathom_mpi_openmpi_la_LIBADD = libfathom.la
# Our wrappers call each other, whatever the program defines.
libfathom_mpi_openmpi_la_LDFLAGS = -shared -avoid-version -Wl,-z,nodelete -Wl,--no-undefined -Wl,-Bsymbolic-functions
$(libfathom_mpi_openmpi_la_OBJECTS): wrappers/openmpi/generated.stamp

wrappers/openmpi/generated.stamp: $(mpi_generator)
	$(AM_V_GEN)$(MKDIR_P) wrappers/openmpi/mpi
	$(AM_V_at)$(CC) -E -P -DOMPI_SKIP_MPICXX $(OPENMPI_CFLAGS) $(srcdir)/wrappers/mpi/mpi_header.h \
		> wrappers/openmpi/mpi.i
	$(AM_V_at)$(PYTHON3) $(srcdir)/wrappers/mpi/generate.py --pmpi --header wrappers/openmpi/mpi.i --out wrappers/openmpi/mpi
	$(AM_V_at)touch $@
$(openmpi_made): wrappers/openmpi/generated.stamp
CLEANFILES += wrappers/openmpi/generated.stamp wrappers/openmpi/mpi.i wrappers/openmpi/mpi/wrap_f08.c $(openmpi_made)
endif
