#!/bin/bash
# fathom serve: its answers have what fathom view and the events of the trace have; wrong requests of all kinds, slow clients and
# many clients at a time change nothing; its page works in a browser.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
need_otf2
serve=$builddir/fathom-serve
"$serve" nothing 2>&1 | grep -q 'built without OTF2 or libmicrohttpd' && skip "built without libmicrohttpd (Debian: libmicrohttpd-dev)"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || browser=

refused "no trace" 1 '^fathom serve: ' "$serve" nothing
refused "a wrong port" 2 '^fathom serve: --port 80: ' "$serve" --port 80 nothing

"$builddir/test/frames/make_long" 4 20000 few few || die make_long
"$builddir/fathom-trace" --index few > out 2> err || die "no index: $(cat err)"
ls -R few > before
"$serve" few > served 2> served.err &
server=$!
trap 'kill "$server" 2> /dev/null' EXIT
for _ in $(seq 300); do
	grep -q http served && break
	kill -0 "$server" 2> /dev/null || break
	sleep 0.1
done
address=$(sed -n 's|^fathom serve: \(http://127.0.0.1:[0-9]*/[0-9a-f]\{32\}/\) .*|\1|p' served)
[ -n "$address" ] || die "no address: $(cat served served.err)"
"$builddir/fathom-export" --to chrome -o events.json few/traces.otf2 > out 2> err || bad "export: $(cat err)"
"$PYTHON3" "$srcdir/test/tools/serve.py" answers "$address" events.json > said 2>&1 || bad "answers: $(tail -3 said)"
timeout -s KILL 300 "$PYTHON3" "$srcdir/test/tools/serve.py" fuzz "$address" "${FUZZ_REQUESTS:-1000}" > said 2>&1 ||
	bad "wrong requests: $(tail -3 said)"
"$PYTHON3" "$srcdir/test/tools/serve.py" answers "$address" events.json > said 2>&1 || bad "answers afterwards: $(tail -3 said)"
if [ -n "$browser" ]; then
	if timeout -s KILL 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" \
		--window-size=1400,900 --virtual-time-budget=20000 --dump-dom "$address" > dom.html 2> browser.err; then
		contains "the page: the summary of the window" "$(grep 'id="served"' dom.html)" '80008 events, [0-9]+ messages sent'
		contains "the page: a time line" "$(cat dom.html)" '<canvas id="timeline"'
		contains "the page: its legend" "$(cat dom.html)" 'work_2 [0-9.]+%'
	else
		left_out "the page in a browser: $browser does not work here ($(tail -1 browser.err))"
	fi
else
	left_out "the page in a browser (Debian: chromium)"
fi
kill "$server"
wait "$server"
same "exit code after the end" 0 $?
same "complaints" '' "$(cat served.err)"
ls -R few > after
cmp before after || bad "the server has changed the directory"
verdict
