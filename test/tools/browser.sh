# What the tests of fathom view share: pages in a browser; sourced after test/tools/lib.sh.
view=$builddir/fathom-view
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || browser=
[ -n "$browser" ] || left_out "the page in a browser (Debian: chromium)"

# in_browser WHAT PAGE SCRIPT EXPECTED: opens a copy of the page with that script of test/tools, in which EXPECTED stands for
# the JSON in the file of that name. The script clicks, and writes PASSED or what is wrong into the element "results".
in_browser()
{
	[ -n "$browser" ] || return 0
	"$PYTHON3" - "$2" "$srcdir/test/tools/$3" "$4" << 'PY' > clicked.html || { bad "$1: the copy of the page could not be made"; return 0; }
import sys
page, script, expected = (open(name, encoding="utf-8").read() for name in sys.argv[1:])
print(page.replace("</body>", "<script>" + script.replace("EXPECTED", expected.replace("</", "<\\/"), 1) + "</script></body>"))
PY
	timeout -s KILL 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" --window-size=1400,900 \
		--virtual-time-budget=20000 --dump-dom "file://$work/clicked.html" > dom.html 2> browser.err ||
		{ left_out "the page in a browser: $browser does not work here ($(tail -n 1 browser.err))"; return 0; }
	"$PYTHON3" - dom.html << 'PY' > said 2>&1 || bad "$1 in the browser: $(head -c 3000 said)"
import html, re, sys
page = open(sys.argv[1], encoding="utf-8").read()
said = html.unescape("".join(re.findall(r'<pre id="results">(.*?)</pre>', page, re.S)))
assert said == "PASSED", said or "the script did not end: " + re.sub("<script.*?</script>", "", page, flags=re.S)[-2000:]
PY
}
