#!/bin/sh
# Every call of the table, made by programs in C and C++, is measured as often as it is made, under the call
# path that made it; what programs print, return and find in errno is as without fathom.
. "${srcdir:?}/test/pthread/lib.sh" || exit 99

# Waiting for a condition may be woken by chance: the program counts.
waits() { sed -n 's/^waits //p' said; }

thread_build calls "$here/calls.c"
run_both calls
visits_are "POSIX" <<T
1 main
1 main/mutexes
2 main/mutexes/pthread_mutex_init
5 main/mutexes/pthread_mutex_lock
1 main/mutexes/pthread_mutex_trylock
8 main/mutexes/pthread_mutex_unlock
1 main/mutexes/pthread_mutex_timedlock
1 main/mutexes/pthread_mutex_clocklock
2 main/mutexes/pthread_mutex_destroy
1 main/rwlocks
1 main/rwlocks/pthread_rwlock_init
1 main/rwlocks/pthread_rwlock_rdlock
1 main/rwlocks/pthread_rwlock_tryrdlock
1 main/rwlocks/pthread_rwlock_trywrlock
1 main/rwlocks/pthread_rwlock_timedwrlock
1 main/rwlocks/pthread_rwlock_clockwrlock
1 main/rwlocks/pthread_rwlock_timedrdlock
1 main/rwlocks/pthread_rwlock_clockrdlock
5 main/rwlocks/pthread_rwlock_unlock
1 main/rwlocks/pthread_rwlock_wrlock
1 main/rwlocks/pthread_rwlock_destroy
1 main/spin_locks
1 main/spin_locks/pthread_spin_init
1 main/spin_locks/pthread_spin_lock
1 main/spin_locks/pthread_spin_trylock
1 main/spin_locks/pthread_spin_unlock
1 main/spin_locks/pthread_spin_destroy
1 main/conditions
1 main/conditions/pthread_mutex_init
1 main/conditions/pthread_cond_init
1 main/conditions/pthread_mutex_lock
1 main/conditions/pthread_create
$(waits) main/conditions/pthread_cond_wait
1 main/conditions/pthread_cond_timedwait
1 main/conditions/pthread_cond_clockwait
1 main/conditions/pthread_mutex_unlock
1 main/conditions/pthread_cond_broadcast
1 main/conditions/pthread_join
1 main/conditions/pthread_cond_destroy
1 main/conditions/pthread_mutex_destroy
1 main/conditions/{thread}
1 main/conditions/{thread}/answer
1 main/conditions/{thread}/answer/pthread_mutex_lock
1 main/conditions/{thread}/answer/pthread_cond_signal
1 main/conditions/{thread}/answer/pthread_mutex_unlock
1 main/barriers
1 main/barriers/pthread_barrier_init
1 main/barriers/pthread_create
1 main/barriers/meet
5 main/barriers/meet/pthread_barrier_wait
1 main/barriers/pthread_join
1 main/barriers/pthread_barrier_destroy
1 main/barriers/{thread}
1 main/barriers/{thread}/meet
5 main/barriers/{thread}/meet/pthread_barrier_wait
3 main/pthread_once
1 main/pthread_once/only_once
1 main/threads
4 main/threads/pthread_create
1 main/threads/pthread_tryjoin_np
1 main/threads/pthread_timedjoin_np
1 main/threads/pthread_cancel
1 main/threads/pthread_clockjoin_np
1 main/threads/pthread_join
1 main/threads/pthread_detach
3 main/threads/{thread}
1 main/threads/{thread}/until_cancelled
1 main/threads/{thread}/leave
1 main/threads/{thread}/leave/pthread_exit
1 main/threads/{thread}/go_alone
T
cp got seen

# What they are in the file: the report and other tools go by it.
tar xOf "$result/profile.cubex" anchor.xml | awk -F '[<>]' '
	/^<region / { file = $0; sub(/.* mod="/, "", file); sub(/".*/, "", file) }
	$2 == "name" { name = $3 }
	$2 == "paradigm" { paradigm = $3 }
	$2 == "role" { print file ": " name ", " paradigm ", " $3 }' > regions
while IFS= read -r region; do
	grep -Fxq "$region" regions || bad "no region is $region: $(cat regions)"
done <<'T'
PTHREAD: pthread_create, pthread, thread create
PTHREAD: pthread_join, pthread, thread wait
PTHREAD: pthread_timedjoin_np, pthread, thread wait
PTHREAD: pthread_barrier_wait, pthread, barrier
PTHREAD: pthread_mutex_lock, pthread, wrapper
PTHREAD: pthread_cond_wait, pthread, wrapper
PTHREAD: {thread}, pthread, function
T

thread_build c11 "$here/c11.c"
run_both c11
visits_are "C11" <<T
1 main
1 main/mtx_init
1 main/cnd_init
2 main/mtx_lock
1 main/mtx_trylock
1 main/mtx_timedlock
4 main/mtx_unlock
3 main/thrd_create
$(waits) main/cnd_wait
1 main/cnd_timedwait
2 main/thrd_join
1 main/thrd_detach
1 main/call_once
1 main/cnd_destroy
1 main/mtx_destroy
3 main/{thread}
1 main/{thread}/worker
1 main/{thread}/worker/call_once
1 main/{thread}/worker/call_once/only_once
1 main/{thread}/worker/mtx_lock
1 main/{thread}/worker/cnd_signal
1 main/{thread}/worker/mtx_unlock
1 main/{thread}/leave
1 main/{thread}/leave/thrd_exit
1 main/{thread}/go_alone
1 main/{thread}/go_alone/mtx_lock
1 main/{thread}/go_alone/cnd_broadcast
1 main/{thread}/go_alone/mtx_unlock
T
cat got >> seen

# No line of the table is without its test.
awk '!/^#/ && NF { print $1 }' "$srcdir/wrappers/pthread/calls.txt" | while read -r call; do
	grep -q "/$call\$" seen || bad "$call is in the table and was not called here"
done
verdict
