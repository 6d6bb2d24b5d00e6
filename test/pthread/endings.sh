#!/bin/sh
# However threads begin and end, the program does what it does without fathom, and its profile is whole.
. "${srcdir:?}/test/pthread/lib.sh" || exit 99

# visited COUNT PATH, below the program
visited() { same "$result: visits of $2" "$1" "$(value visits "$program/$2" "$result/profile.cubex")"; }

thread_build endings "$here/endings.c"
run_both endings cancel_wait
visited 1 "main/cancel_wait/begin/{thread}/wait_for_ever/clean"
visited 1 "main/cancel_wait/begin/{thread}/wait_for_ever/unlock/pthread_mutex_unlock"
visited 1 main/cancel_wait/pthread_cancel
visited 1 main/cancel_wait/end/pthread_join

run_both endings cancel_join
visited 1 "main/cancel_join/begin/{thread}/join_other/pthread_join"
visited 2 main/cancel_join/end/pthread_join

run_both endings cancel_async
visited 1 "main/cancel_async/begin/{thread}/spin"

run_both endings exit_main
visited 1 main/exit_main/pthread_exit
visited 1 "main/exit_main/begin/{thread}/speak_later"

run_both endings detached
visited 1 main/detached/pthread_detach
visited 1 "main/detached/begin/{thread}/speak_later"

run_both endings exit_thread
visited 1 "main/exit_thread/begin/{thread}/end_all"
visited 2 "main/exit_thread/begin/{thread}/wait_for_ever"

run_both endings running
visited 2 "main/running/begin/{thread}/wait_for_ever/arrive"

run_both endings outside
visited 1 "before_main/begin/{thread}/say/pthread_mutex_lock"
visited 1 "at_exit/begin/{thread}/say"
visited 1 "behind_main/begin/{thread}/say"

run_both endings forked
visited 1 main/forked/begin/pthread_create
visited 1 main/forked/end/pthread_join

run_both endings robust
visited 2 main/robust/pthread_mutex_init
visited 2 main/robust/pthread_mutex_lock

run_both endings specific
visited 1 "main/specific/begin/{thread}/remember/pthread_exit"
visited 1 "main/specific/begin/{thread}/remember"

run_both endings nested
visited 1 "main/nested/begin/{thread}/outer/begin/{thread}/inner"
visited 1 "main/nested/{thread}/inner"

run_both endings signals
visited 50 "main/signals/begin/{thread}/inner"
visited 50 main/signals/pthread_join

run_both endings masks
visited 2 "main/masks/begin/{thread}/tell_signals"
visited 1 "main/masks/{thread}/tell_signals"
verdict
