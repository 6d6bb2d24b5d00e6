# What runs after a measurement: a folder for each command, whose main.c has its main function. These programs read
# profiles through libcube and never link the measurement library; fathom-restore alone contains its code.
tools_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)

include tools/common/local.mk
include tools/algebra/local.mk
include tools/analyze/local.mk
include tools/check/local.mk
include tools/clusters/local.mk
include tools/completion/local.mk
include tools/config/local.mk
include tools/diff/local.mk
include tools/export/local.mk
include tools/filter/local.mk
include tools/fold/local.mk
include tools/import/local.mk
include tools/list/local.mk
include tools/merge/local.mk
include tools/metrics/local.mk
include tools/python/local.mk
include tools/remap/local.mk
include tools/report/local.mk
include tools/restore/local.mk
include tools/scaling/local.mk
include tools/score/local.mk
include tools/serve/local.mk
include tools/timeline/local.mk
include tools/trace/local.mk
include tools/track/local.mk
include tools/view/local.mk
include tools/whatif/local.mk
EXTRA_DIST += tools/configure.m4
