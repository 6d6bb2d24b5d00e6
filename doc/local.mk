# doc. The page of settings comes from the table in lib/platform/settings.c, through the
# program that knows it.
dist_man_MANS += doc/man/fathom-analyze.1 doc/man/fathom-check.1 doc/man/fathom-clusters.1 doc/man/fathom-config.1 doc/man/fathom-diff.1 doc/man/fathom-export.1 doc/man/fathom-filter.1 doc/man/fathom-fold.1 doc/man/fathom-list.1 \
	doc/man/fathom-cut.1 doc/man/fathom-max.1 doc/man/fathom-mean.1 doc/man/fathom-min.1 \
	doc/man/fathom-import.1 doc/man/fathom-merge.1 doc/man/fathom-metrics.1 doc/man/fathom-remap.1 doc/man/fathom-report.1 doc/man/fathom-scaling.1 doc/man/fathom-score.1 doc/man/fathom-serve.1 doc/man/fathom-timeline.1 doc/man/fathom-trace.1 doc/man/fathom-track.1 doc/man/fathom-view.1 doc/man/fathom-whatif.1 \
	doc/man/fathom_user.3
man_MANS += doc/man/fathom-settings.7
doc/man/fathom-settings.7: fathom-config$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) doc/man && ./fathom-config --man > $@.tmp && mv $@.tmp $@
CLEANFILES += doc/man/fathom-settings.7 doc/man/fathom-settings.7.tmp
# Installed with their folders, so that the links from page to page hold.
nobase_dist_doc_DATA = README.md \
	doc/README.md doc/getting-started.md \
	doc/guides/api.md doc/guides/builds.md doc/guides/clusters.md doc/guides/counters.md doc/guides/diff.md doc/guides/endings.md doc/guides/export.md doc/guides/filters.md doc/guides/findings.md doc/guides/fold.md doc/guides/io.md doc/guides/large-runs.md \
	doc/guides/other-profiles.md doc/guides/overhead.md doc/guides/python.md doc/guides/samples.md doc/guides/scaling.md doc/guides/small-traces.md doc/guides/trace.md doc/guides/track.md doc/guides/view.md doc/guides/waits.md doc/guides/whatif.md \
	doc/reference/call-graphs.md doc/reference/files.md doc/reference/metrics.md doc/reference/settings.md doc/reference/settings.py \
	doc/internals/architecture.md doc/internals/cluster-cases.md doc/internals/disabling.md doc/internals/finish.md doc/internals/frames.md doc/internals/repetitions.md doc/internals/hooks.md \
	doc/internals/libraries.md doc/internals/threads.md doc/internals/large-profiles.md doc/internals/performance.md \
	doc/internals/sampling.md doc/internals/scale.md doc/internals/scale-memory.svg doc/internals/scale-rounds.svg \
	doc/internals/wait-states.md
EXTRA_DIST += examples/heat.c \
	examples/grid.c examples/grid.cc examples/grid.f90 examples/grid_cpp.F90 \
	examples/phases.c examples/phases.cc examples/phases.f90 examples/phases_cpp.F90 examples/phases_mpi.c
