"""How long a page of fathom view takes for its first picture and for each click, in headless Chromium.

view_clicks.py VIEW PROFILE [PROFILE] [--browser NAME] [--repeat N]

Two profiles are compared on one page. The script clicks in every view, and takes the time from the event until the browser
has laid out what changed. First picture: from the start of the navigation. Prints a line for each click with the median
and the largest of N times."""
import argparse
import http.server
import json
import shutil
import statistics
import subprocess
import tempfile
import threading

SCRIPT = """
(async function () {
	const next = () => new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
	while (!window.fathom)
		await new Promise(done => setTimeout(done, 1));
	document.body.offsetHeight;
	const times = { "first picture": [performance.now()] };
	const { profile, selection } = window.fathom;
	const click = selector => document.querySelector(selector).click();
	const timed = async (name, act) => {
		await next();
		const begin = performance.now();
		act();
		document.body.offsetHeight;
		(times[name] ||= []).push(performance.now() - begin);
	};
	const paths = profile.callPathCount, visits = profile.metricNumber("visits"), time = profile.metricNumber("time");
	for (let i = 0; i < REPEAT; i++) {
		const row = n => `.pane:nth-child(${n}) .tree .row`;
		await timed("overview", () => click("#tab-overview"));
		await timed("call tree", () => click("#tab-tree"));
		await timed("choose a metric", () => selection.set({ metric: i % 2 ? time : visits }));
		await timed("choose time", () => selection.set({ metric: time }));
		await timed("hot path", () => click("#hot"));
		await timed("choose a call path", () => document.querySelectorAll(row(2))[2].click());
		await timed("open a call path", () => document.querySelectorAll(row(2) + " .twist")[1].click());
		await timed("close a call path", () => document.querySelectorAll(row(2) + " .twist")[1].click());
		await timed("choose a rank", () => selection.set({ system: "column " + (i + 3) % profile.columnCount }));
		await timed("choose all ranks", () => selection.set({ system: "all" }));
		await timed("search", () => { const box = document.getElementById("search"); box.value = "f1" + i; box.dispatchEvent(new Event("input")); });
		for (const view of ["flame", "flat", "callers", "ranks", "messages", "time", "source", "metrics"])
			if (document.getElementById("tab-" + view))
				await timed("view " + view, () => click("#tab-" + view));
		await timed("flame of a call path", () => { click("#tab-flame"); document.querySelectorAll(".flame div")[3].click(); });
		click("#tab-flame");
		document.querySelector(".controls button").click();
		selection.set({ callPath: -1, isOwn: false, search: "" });
	}
	fetch("/results", { method: "POST", body: JSON.stringify(times) });
})();
"""
parser = argparse.ArgumentParser()
parser.add_argument("view")
parser.add_argument("profiles", nargs="+")
parser.add_argument("--browser", default=shutil.which("chromium") or shutil.which("google-chrome") or "chromium")
parser.add_argument("--repeat", type=int, default=5)
options = parser.parse_args()
results, done = {}, threading.Event()

with tempfile.TemporaryDirectory() as directory:
    subprocess.run([options.view, "-o", directory + "/page.html", *options.profiles], check=True, stdout=subprocess.DEVNULL)
    with open(directory + "/page.html") as file:
        page = file.read().replace("</body>", "<script>" + SCRIPT.replace("REPEAT", str(options.repeat)) + "</script></body>").encode()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200 if self.path == "/" else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page if self.path == "/" else b"")

        def do_POST(self):
            results.update(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()
            done.set()

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = subprocess.Popen([options.browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + directory + "/browser",
                                "--remote-debugging-port=0", "--window-size=1400,900", "http://127.0.0.1:%d/" % server.server_port],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    ended = done.wait(240)
    browser.kill()
    browser.wait()
    server.shutdown()
if not ended:
    raise SystemExit("the page gave no times within four minutes")
for name, times in results.items():
    print("%-24s %7.1f ms  (largest %.1f ms)" % (name, statistics.median(times), max(times)))
