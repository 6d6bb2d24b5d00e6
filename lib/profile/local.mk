# Call-path profiles.
profile_sources = \
	lib/profile/account.c lib/profile/account.h \
	lib/profile/aggregate.c lib/profile/aggregate.h \
	lib/profile/budget.c lib/profile/budget.h \
	lib/profile/callpath.c lib/profile/callpath.h \
	lib/profile/choice.c lib/profile/choice.h \
	lib/profile/collect.c lib/profile/collect.h \
	lib/profile/digest.c lib/profile/digest.h \
	lib/profile/given.c \
	lib/profile/iterations.c lib/profile/iterations.h \
	lib/profile/message.c lib/profile/message.h \
	lib/profile/metered.c lib/profile/metered.h \
	lib/profile/model.c lib/profile/model.h \
	lib/profile/numbers.c \
	lib/profile/parameters.c \
	lib/profile/piece.c lib/profile/piece.h \
	lib/profile/pieces.c \
	lib/profile/plain.c lib/profile/plain.h \
	lib/profile/profile.c lib/profile/profile.h \
	lib/profile/prune.c lib/profile/prune.h \
	lib/profile/result.c lib/profile/result.h \
	lib/profile/sender.c lib/profile/sender.h \
	lib/profile/series.c lib/profile/series.h \
	lib/profile/site.c lib/profile/site.h \
	lib/profile/snapshot.c lib/profile/snapshot.h \
	lib/profile/threads.c \
	lib/profile/topologies.c lib/profile/topologies.h \
	lib/profile/tree.c lib/profile/tree.h \
	lib/profile/twins.c \
	lib/profile/unify.c lib/profile/unify.h \
	lib/profile/usage.c lib/profile/usage.h \
	lib/profile/writers.c lib/profile/writers.h
