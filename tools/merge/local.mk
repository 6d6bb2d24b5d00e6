# fathom merge: the profiles of several ranks, or of several runs with different counters, as one.
pkglibexec_PROGRAMS += fathom-merge
fathom_merge_SOURCES = \
	tools/merge/attributes.c tools/merge/attributes.h \
	tools/merge/burst_merge.c tools/merge/burst_merge.h \
	tools/merge/counter_merge.c tools/merge/counter_merge.h \
	tools/merge/folded_tree.c tools/merge/folded_tree.h \
	tools/merge/main.c \
	tools/merge/merged_definitions.c tools/merge/merged_definitions.h \
	tools/merge/message_merge.c tools/merge/message_merge.h \
	tools/merge/rank_traces.c tools/merge/rank_traces.h \
	tools/merge/sample_merge.c tools/merge/sample_merge.h
fathom_merge_CPPFLAGS = $(tools_cppflags)
fathom_merge_LDADD = libalgebra.la -lm
