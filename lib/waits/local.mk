# The search for wait states. libfathom and tools link it; the program that links it brings lib/comm along.
noinst_LTLIBRARIES += libwaits.la
libwaits_la_SOURCES = \
	lib/waits/collective_matching.c lib/waits/collective_matching.h \
	lib/waits/critical_path.c lib/waits/critical_path.h \
	lib/waits/delay_costs.c lib/waits/delay_costs.h \
	lib/waits/digest_sums.c lib/waits/digest_sums.h \
	lib/waits/epoch_matching.c lib/waits/epoch_matching.h \
	lib/waits/grid_sweeps.c lib/waits/grid_sweeps.h \
	lib/waits/held_interval.c lib/waits/held_interval.h \
	lib/waits/host_mail.c lib/waits/host_mail.h \
	lib/waits/idle_threads.c lib/waits/idle_threads.h \
	lib/waits/interval_map.c lib/waits/interval_map.h \
	lib/waits/key_table.c lib/waits/key_table.h \
	lib/waits/lock_epochs.c lib/waits/lock_epochs.h \
	lib/waits/message_matching.c lib/waits/message_matching.h \
	lib/waits/posting_order.c lib/waits/posting_order.h \
	lib/waits/recording.c lib/waits/recording.h \
	lib/waits/search.c lib/waits/search.h \
	lib/waits/search_state.c lib/waits/search_state.h \
	lib/waits/target_progress.c lib/waits/target_progress.h \
	lib/waits/thread_sync.c lib/waits/thread_sync.h \
	lib/waits/wait_causes.c lib/waits/wait_causes.h \
	lib/waits/wait_formulas.c lib/waits/wait_formulas.h \
	lib/waits/wait_patterns.c lib/waits/wait_patterns.h \
	lib/waits/operation.h lib/waits/search_input.h
libwaits_la_CFLAGS = $(AM_CFLAGS)
