#!/bin/bash
# The thread that closes a trace gets no processor for seconds: the other threads are held as long as that takes, and the
# trace has the leave of every region.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"
ulimit -c 0
"$CC" -g -O1 -finstrument-functions "$srcdir/test/run/endings/slow_closing.c" -o prog -pthread -rdynamic -L"$builddir/.libs" \
	-Wl,-rpath,"$builddir/.libs" -Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom-pthread -lfathom \
	-Wl,--pop-state -ldl || die "slow_closing.c cannot be built"
for way in crash:139 _exit:7 exit:5; do
	rm -rf fathom-*
	before=$SECONDS
	{ FATHOM_SNAPSHOT=off FATHOM_MODE=trace timeout -s KILL 120 ./prog "${way%:*}" > out 2> err; status=$?; } 2> /dev/null
	same "${way%:*}: status" "${way#*:}" $status
	[ $((SECONDS - before)) -ge 3 ] || bad "${way%:*}: closing the trace was not slow"
	contains "${way%:*}: what is said" "$(cat err)" "^fathom: .*trace "
	dir=$(experiment) && sound "${way%:*}" "$dir"
done
verdict
