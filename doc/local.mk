# doc. The page of settings comes from the table in lib/platform/settings.c, through the
# program that knows it.
dist_man_MANS += doc/man/fathom-check.1 doc/man/fathom-config.1 doc/man/fathom-filter.1 doc/man/fathom-merge.1 doc/man/fathom-metrics.1 doc/man/fathom-report.1 doc/man/fathom-score.1 doc/man/fathom_user.3
man_MANS += doc/man/fathom-settings.7
doc/man/fathom-settings.7: fathom-config$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) doc/man && ./fathom-config --man > $@.tmp && mv $@.tmp $@
CLEANFILES += doc/man/fathom-settings.7 doc/man/fathom-settings.7.tmp
dist_doc_DATA = README.md doc/api.md doc/architecture.md doc/counters.md doc/endings.md doc/hooks.md doc/large-profiles.md doc/metrics.md doc/overhead.md doc/performance.md doc/scale.md doc/scale-memory.svg doc/scale-rounds.svg doc/trace.md doc/builds.md
dist_doc_DATA += doc/filters.md
EXTRA_DIST += examples/heat.c \
	examples/grid.c examples/grid.cc examples/grid.f90 examples/grid_cpp.F90 \
	examples/phases.c examples/phases.cc examples/phases.f90 examples/phases_cpp.F90 examples/phases_mpi.c
