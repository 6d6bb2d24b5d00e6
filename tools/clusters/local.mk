# fathom clusters: the kinds of computation in a trace.

# How the kinds of bursts are found, for several commands.
kind_sources = \
	tools/clusters/burst_data.c tools/clusters/burst_data.h \
	tools/clusters/burst_metrics.c tools/clusters/burst_metrics.h \
	tools/clusters/cluster_options.c tools/clusters/cluster_options.h \
	tools/clusters/cluster_refinement.c tools/clusters/cluster_refinement.h \
	tools/clusters/cluster_values.c tools/clusters/cluster_values.h \
	tools/clusters/clustering.c tools/clusters/clustering.h \
	tools/clusters/kind_colours.c tools/clusters/kind_colours.h \
	tools/clusters/kinds.h \
	tools/clusters/thread_sequences.c tools/clusters/thread_sequences.h
EXTRA_DIST += $(kind_sources)
if HAVE_OTF2
noinst_LTLIBRARIES += libkinds.la
libkinds_la_SOURCES = $(kind_sources)
libkinds_la_CPPFLAGS = $(tools_cppflags)
libkinds_la_CFLAGS = $(AM_CFLAGS) $(OTF2_CFLAGS)
libkinds_la_LIBADD = libbursts.la libclusters.la libcallgraphs.la libotf2reader.la libtools.la -lm
endif

pkglibexec_PROGRAMS += fathom-clusters
clusters_sources = \
	tools/common/hosts.c tools/common/hosts.h \
	tools/clusters/burst_file.c tools/clusters/burst_file.h \
	tools/clusters/cluster_profile.c tools/clusters/cluster_profile.h \
	tools/clusters/cluster_profile_system.c tools/clusters/cluster_profile_system.h \
	tools/clusters/cluster_trace.c tools/clusters/cluster_trace.h \
	tools/clusters/clusters_json.c \
	tools/clusters/clusters_page.c tools/clusters/clusters_page.h \
	tools/clusters/clusters_text.c tools/clusters/clusters_text.h \
	tools/clusters/counter_comparison.c tools/clusters/counter_comparison.h \
	tools/clusters/counter_estimates.c tools/clusters/counter_estimates.h \
	tools/clusters/distributed_clustering.c tools/clusters/distributed_clustering.h \
	tools/clusters/main.c \
	tools/clusters/process_groups.c tools/clusters/process_groups.h \
	tools/clusters/refinement_files.c tools/clusters/refinement_files.h \
	tools/clusters/representatives.c tools/clusters/representatives.h \
	tools/common/trace/new_directory.c tools/common/trace/new_directory.h \
	tools/common/trace/trace_region.c tools/common/trace/trace_region.h
fathom_clusters_CPPFLAGS = $(tools_cppflags)
EXTRA_DIST += $(clusters_sources) tools/clusters/absent.c
if HAVE_OTF2
fathom_clusters_SOURCES = $(clusters_sources) $(json_sources)
fathom_clusters_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(OTF2_CFLAGS)
fathom_clusters_LDADD = libkinds.la libcomm.la $(JANSSON_LIBS) -ldl -lm
else
fathom_clusters_SOURCES = tools/clusters/absent.c
fathom_clusters_LDADD = libtools.la
endif
