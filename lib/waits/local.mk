# The search for wait states. libfathom and tools link it; the program that links it brings lib/comm along.
noinst_LTLIBRARIES += libwaits.la
libwaits_la_SOURCES = \
	lib/waits/grid_sweeps.c lib/waits/grid_sweeps.h \
	lib/waits/host_mail.c lib/waits/host_mail.h \
	lib/waits/key_table.c lib/waits/key_table.h \
	lib/waits/recording.c lib/waits/recording.h \
	lib/waits/search.c lib/waits/search.h \
	lib/waits/search_state.c lib/waits/search_state.h \
	lib/waits/wait_causes.c lib/waits/wait_causes.h \
	lib/waits/wait_formulas.c lib/waits/wait_formulas.h \
	lib/waits/wait_patterns.c lib/waits/wait_patterns.h \
	lib/waits/operation.h lib/waits/search_input.h \
	lib/waits/costs/critical_path.c lib/waits/costs/critical_path.h \
	lib/waits/costs/delay_costs.c lib/waits/costs/delay_costs.h \
	lib/waits/costs/digest_sums.c lib/waits/costs/digest_sums.h \
	lib/waits/costs/held_interval.c lib/waits/costs/held_interval.h \
	lib/waits/costs/idle_threads.c lib/waits/costs/idle_threads.h \
	lib/waits/costs/interval_map.c lib/waits/costs/interval_map.h \
	lib/waits/matching/collective_matching.c lib/waits/matching/collective_matching.h \
	lib/waits/matching/epoch_matching.c lib/waits/matching/epoch_matching.h \
	lib/waits/matching/lock_epochs.c lib/waits/matching/lock_epochs.h \
	lib/waits/matching/message_matching.c lib/waits/matching/message_matching.h \
	lib/waits/matching/posting_order.c lib/waits/matching/posting_order.h \
	lib/waits/matching/target_progress.c lib/waits/matching/target_progress.h \
	lib/waits/matching/thread_sync.c lib/waits/matching/thread_sync.h
libwaits_la_CFLAGS = $(AM_CFLAGS)
