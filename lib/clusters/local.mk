# Clusters of points, and what is found out about them. Programs that link it link libm, too.
noinst_LTLIBRARIES += libclusters.la
libclusters_la_SOURCES = \
	lib/clusters/aggregative_refinement.c lib/clusters/aggregative_refinement.h \
	lib/clusters/axes.c lib/clusters/axes.h \
	lib/clusters/cluster_quality.c lib/clusters/cluster_quality.h \
	lib/clusters/dbscan.c lib/clusters/dbscan.h \
	lib/clusters/distance_curve.c lib/clusters/distance_curve.h \
	lib/clusters/divisive_refinement.c lib/clusters/divisive_refinement.h \
	lib/clusters/extrapolation.c lib/clusters/extrapolation.h \
	lib/clusters/hierarchy.c lib/clusters/hierarchy.h \
	lib/clusters/kmeans.c lib/clusters/kmeans.h \
	lib/clusters/point_tree.c lib/clusters/point_tree.h \
	lib/clusters/points.h \
	lib/clusters/refinement_tree.c lib/clusters/refinement_tree.h \
	lib/clusters/sequence_alignment.c lib/clusters/sequence_alignment.h \
	lib/clusters/sequence_scores.c lib/clusters/sequence_scores.h \
	lib/clusters/tracking.c lib/clusters/tracking.h \
	lib/clusters/tracking_evidence.c lib/clusters/tracking_evidence.h
libclusters_la_CFLAGS = $(AM_CFLAGS)
