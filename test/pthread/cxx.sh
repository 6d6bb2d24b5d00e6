#!/bin/sh
# Threads and locks of C++ come out as the POSIX calls they are made of.
. "${srcdir:?}/test/pthread/lib.sh" || exit 99
thread_build cxx "$here/cxx.cc"
run_both cxx
# How often a waiting thread is woken depends on who is faster.
values visits "$result/profile.cubex" | sed '1d; s, [^/]*/, ,' |
	grep -v -e '_GLOBAL__sub_I' -e ' main/wait_for_both/pthread_cond_wait$' | sort -k2 > got
cat > expected <<'T'
1 main
1 main/once_more
3 main/once_more/pthread_once
1 main/once_more/pthread_once/fails
1 main/once_more/pthread_once/works
3 main/pthread_create
3 main/pthread_join
3 main/{thread}
1 main/{thread}/read_shared
1 main/{thread}/read_shared/pthread_rwlock_rdlock
1 main/{thread}/read_shared/pthread_rwlock_unlock
2 main/{thread}/count_up
2 main/{thread}/count_up/pthread_cond_broadcast
2 main/{thread}/count_up/pthread_mutex_lock
2 main/{thread}/count_up/pthread_mutex_unlock
1 main/wait_for_both
1 main/wait_for_both/pthread_mutex_lock
1 main/wait_for_both/pthread_mutex_unlock
1 main/write_shared
1 main/write_shared/pthread_rwlock_unlock
1 main/write_shared/pthread_rwlock_wrlock
1 pthread_cond_destroy
T
sort -k2 expected > sorted
diff sorted got > differences || bad "visits expected < and found >: $(cat differences)"

# A program of one thread shows none of this: what the C++ library initializes for itself is not its doing.
cat > serial.cc <<'T'
#include <iostream>
#include <locale>
int main() { std::locale here(""); std::cout << "one thread\n"; return 0; }
T
thread_build serial serial.cc
run_both serial
values visits "$result/profile.cubex" > all
! grep pthread_ all > calls || bad "a serial program: $(cat calls)"
verdict
