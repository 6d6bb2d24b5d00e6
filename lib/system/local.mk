# The system tree and its distributed builder.
system_sources = \
	lib/system/builder.c lib/system/builder.h \
	lib/system/capacity.c lib/system/capacity.h \
	lib/system/chain.c lib/system/chain.h \
	lib/system/classes.c lib/system/classes.h \
	lib/system/grid.c lib/system/grid.h \
	lib/system/group.c lib/system/group.h \
	lib/system/label.c lib/system/label.h \
	lib/system/links.c lib/system/links.h \
	lib/system/merge.c lib/system/merge.h \
	lib/system/place.c lib/system/place.h \
	lib/system/pool.c lib/system/pool.h \
	lib/system/processors.c lib/system/processors.h \
	lib/system/sequence.c lib/system/sequence.h \
	lib/system/spread.c lib/system/spread.h \
	lib/system/store.c lib/system/store.h \
	lib/system/talk.c lib/system/talk.h \
	lib/system/title.c lib/system/title.h
