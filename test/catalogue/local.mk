# The catalogue: small programs with one bottleneck each, and what the first finding of fathom report must say.
catalogue_tests = test/catalogue/catalogue.sh
TESTS += $(catalogue_tests)
EXTRA_DIST += $(catalogue_tests) test/catalogue/catalogue.h test/catalogue/catalogue.py \
	test/catalogue/all_to_all.c \
	test/catalogue/allocation_churn.c \
	test/catalogue/barrier.c \
	test/catalogue/border.c \
	test/catalogue/early_gather.c \
	test/catalogue/early_reduce.c \
	test/catalogue/early_scan.c \
	test/catalogue/early_wait.c \
	test/catalogue/false_sharing.c \
	test/catalogue/fence.c \
	test/catalogue/grid_row.c \
	test/catalogue/healthy_allocation.c \
	test/catalogue/healthy_loop.c \
	test/catalogue/healthy_ranks.c \
	test/catalogue/healthy_serial.c \
	test/catalogue/healthy_tasks.c \
	test/catalogue/healthy_threads.c \
	test/catalogue/imbalance.c \
	test/catalogue/imbalance_profile.c \
	test/catalogue/late_broadcast.c \
	test/catalogue/late_finalize.c \
	test/catalogue/late_post.c \
	test/catalogue/late_receiver.c \
	test/catalogue/late_scatter.c \
	test/catalogue/late_sender.c \
	test/catalogue/late_sender_chain.c \
	test/catalogue/late_sender_wait.c \
	test/catalogue/mutex.c \
	test/catalogue/mutex_holder.c \
	test/catalogue/nonblocking_all_to_all.c \
	test/catalogue/omp_critical.c \
	test/catalogue/omp_explicit_barrier.c \
	test/catalogue/omp_idleness.c \
	test/catalogue/omp_imbalance.c \
	test/catalogue/omp_lock.c \
	test/catalogue/omp_sections.c \
	test/catalogue/omp_serial.c \
	test/catalogue/omp_single.c \
	test/catalogue/omp_small_regions.c \
	test/catalogue/omp_small_tasks.c \
	test/catalogue/oversubscription.c \
	test/catalogue/rma_lock.c \
	test/catalogue/rma_progress.c \
	test/catalogue/serial_part.c \
	test/catalogue/slow_node.c \
	test/catalogue/slow_rank.c \
	test/catalogue/small_messages.c \
	test/catalogue/small_posix_writes.c \
	test/catalogue/small_writes.c \
	test/catalogue/wavefront.c \
	test/catalogue/window_create.c \
	test/catalogue/window_free.c \
	test/catalogue/wrong_order.c \
	test/catalogue/wrong_order_waitall.c
