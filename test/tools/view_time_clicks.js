/*
 * What a reader of the views Messages and Time does, and what they must show then. The test puts this script into a copy
 * of the page; the results are in the element "results". expected: {messages: fathom report --messages --json or null,
 * phases: the member phases of fathom report --json}.
 */
"use strict";
(async function () {
	const failures = [], expected = EXPECTED;
	const wait = () => new Promise(done => setTimeout(done, 30));
	const say = (what, is) => { if (!is) failures.push(what); };
	const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b), 1e-30);
	const text = selector => (document.querySelector(selector) || { textContent: "" }).textContent;
	const key = (selector, name) => document.querySelector(selector).dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
	/* Waits until a canvas has a pixel that is not transparent; false: it stays empty. */
	const isPainted = async selector => { for (let i = 0; i < 200; i++, await wait()) if (hasPixel(selector)) return true; return false; };
	const hasPixel = selector => { const canvas = document.querySelector(selector); return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some(part => part); };

	addEventListener("error", event => failures.push("error: " + event.message + " " + (event.error || {}).stack));
	addEventListener("unhandledrejection", event => failures.push("rejection: " + event.reason));
	for (let i = 0; i < 300 && !window.fathom; i++)
		await wait();
	try {
		const page = window.fathom;

		key("body", "7");
		await wait();
		say("7 shows messages", page.shown === "messages");
		if (expected.messages) {
			const view = page.views.messages[1], sums = new Map(), { group } = view.data;

			for (const pair of expected.messages.pairs) {
				const place = Math.floor(pair.from / group) + " " + Math.floor(pair.to / group);
				const sum = sums.get(place) || sums.set(place, [0, 0]).get(place);
				sum[0] += pair.messages;
				sum[1] += pair.bytes;
			}
			for (const [place, sum] of sums) {
				const cell = view.cell(...place.split(" ").map(Number));
				say("cell " + place, cell && cell[2] === sum[0] && cell[3] === sum[1]);
			}
			say("no other cells", view.data.cells.length === sums.size);
			say("others", view.data.others[0] === expected.messages.sent_to_others.messages);
			await wait();
			say("the matrix is painted", await isPainted("#message-matrix"));
			const first = expected.messages.pairs[0], row = document.querySelector("#message-pairs tbody tr");
			say("the largest pair: " + row.textContent, row.cells[0].textContent === String(first.from) && row.cells[1].textContent === String(first.to) &&
				row.cells[3].textContent === formatValue(first.bytes, "bytes"));
			for (const name of ["ArrowDown", "ArrowDown", "ArrowRight"])
				key("#message-matrix", name);
			say("arrow keys: " + text("#message-cell"), text("#message-cell") === view.describeCell(1, 1) && text("#message-cell").includes(" to "));
			for (const option of [...document.querySelectorAll("#message-value option")].map(({ value }) => value)) {
				document.getElementById("message-value").value = option;
				document.getElementById("message-value").dispatchEvent(new Event("change"));
				await wait();
				say(option + ": a largest value", text("#message-most") !== "");
			}
		} else {
			say("no messages is said", text("#view").includes("has no messages between ranks"));
		}

		key("body", "8");
		await wait();
		say("8 shows the time", page.shown === "time");
		for (const [number, phase] of expected.phases.entries()) {
			const view = page.views.time[1];

			if (expected.phases.length > 1 || number)
				view.phase = number;
			page.show("time");
			await wait();
			for (const [name, values] of Object.entries(phase.metrics)) {
				document.getElementById("phase-metric").value = name;
				document.getElementById("phase-metric").dispatchEvent(new Event("change"));
				const series = view.series(view.phases[view.phase]);
				const sum = values.sum || values.ratio;
				say(name + " by iteration", sum.every((value, i) => near(series.mean[i] || 0, (name === "time" ? value / phase.runs[i] : value) || 0)));
				say(name + ": its total", text("#phase-facts").includes(formatValue(values.total, view.unit())));
			}
			document.getElementById("phase-metric").value = "time";
			document.getElementById("phase-metric").dispatchEvent(new Event("change"));
			await wait();
			say("the curve is painted", await isPainted("#phase-curve"));
			key("#phase-curve", "End");
			say("the last iteration: " + text("#phase-chosen"), text("#phase-chosen").includes("iteration " + phase.iterations.at(-1) + ":") &&
				text("#phase-chosen").includes("most " + formatValue(phase.metrics.time.most.at(-1), "sec")));
			key("#phase-curve", "ArrowLeft");
			say("the one before", text("#phase-chosen").includes("iteration " + phase.iterations.at(-2) + ":"));
			/* The ranks' times of an iteration add up. */
			say("the map is painted", await isPainted("#phase-map"));
			phase.iterations.forEach((iteration, i) => {
				const sum = view.shownRanks.reduce((all, row) => all + (row.seconds[i] || 0), 0);
				say("ranks in iteration " + iteration + ": " + sum, Math.abs(sum - phase.metrics.time.sum[i]) <= 1e-5 * phase.metrics.time.sum[i]);
			});
		}
		if (page.profile.trace) {
			const { timeline } = page.views.time[1];

			say("the time line is painted", await isPainted("#timeline"));
			key("#timeline", "End");
			key("#timeline", "ArrowDown");
			say("keys in the time line: " + text("#timeline-cell"), text("#timeline-cell") === timeline.describe(1, page.profile.trace.columns - 1));
			document.getElementById("timeline-depth").value = 1;
			document.getElementById("timeline-depth").dispatchEvent(new Event("change"));
			await wait();
			const roots = new Set(timeline.paths.map(path => path[0]));
			/* Zoom: twice in, later, all. The window is filled from a finer picture. */
			const click = id => document.getElementById(id).click();
			click("timeline-in");
			click("timeline-in");
			say("zoom: " + timeline.window, near(timeline.window[0], 0.375) && near(timeline.window[1], 0.625));
			click("timeline-right");
			say("later: " + timeline.window, near(timeline.window[0], 0.5) && near(timeline.window[1], 0.75));
			const finest = timeline.pictures.at(-1), columns = page.profile.trace.columns;
			timeline.rows.forEach((row, r) => row.forEach((node, column) => {
				/* By all runs of the finest picture. */
				const begin = finest.columns * (0.5 + column / columns / 4), end = finest.columns * (0.5 + (column + 1) / columns / 4), sums = new Map();
				let at = 0;
				finest.nodes[r].forEach((other, run) => {
					const overlap = Math.min(finest.ends[r][run], end) - Math.max(at, begin);
					if (overlap > 0)
						sums.set(other, (sums.get(other) || 0) + overlap);
					at = finest.ends[r][run];
				});
				say("cell " + r + " " + column + " of the window", (sums.get(node) || 0) >= Math.max(...sums.values()) * (1 - 1e-6));
			}));
			key("#timeline", "-");
			say("the key -", near(timeline.window[1] - timeline.window[0], 0.5));
			click("timeline-all");
			say("all: " + timeline.window, timeline.window[0] === 0 && timeline.window[1] === 1);
			/* The longest visit of a region that has one. */
			const searched = page.profile.trace.regions.name[timeline.paths.find(path => path.length > 1)[1]];
			const visits = timeline.find(searched);
			say("visits of " + searched, visits.length > 0 && visits.every((visit, i) => !i || visit.end - visit.begin <= visits[i - 1].end - visits[i - 1].begin));
			document.getElementById("timeline-search").value = searched;
			key("#timeline-search", "Enter");
			await wait();
			say("found: " + text("#timeline-found"), text("#timeline-found").includes("visit 1 of " + visits.length) && text("#timeline-found").includes(searched));
			say("the visit is in the window", timeline.window[0] <= visits[0].begin && timeline.window[1] >= visits[0].end);
			click("timeline-all");
			/* One thread, with all levels: the level of the innermost region has what the row has. */
			document.getElementById("timeline-thread").value = visits[0].row;
			document.getElementById("timeline-thread").dispatchEvent(new Event("change"));
			await wait();
			const levels = timeline.shownRows();
			timeline.rows[visits[0].row].forEach((node, column) => say("levels of column " + column, levels.every(({ regionAt }, level) => regionAt(column) === (node < 0 ? -1 : timeline.paths[node][level] ?? -1))));
			document.getElementById("timeline-thread").value = -1;
			document.getElementById("timeline-thread").dispatchEvent(new Event("change"));
			await wait();
			say("depth 1: " + text("#timeline-legend"), timeline.shares().every(([region]) => roots.has(region)) && text("#timeline-legend").includes(page.profile.trace.regions.name[timeline.shares()[0][0]]));
		} else if (!expected.phases.length) {
			say("no phases is said", text("#view").includes("has no phases"));
		}
		document.getElementById("theme").click();
		await wait();
	} catch (error) {
		failures.push(String(error.stack || error));
	}
	document.body.append(element("pre", { id: "results" }, failures.length ? "FAILED\n" + failures.slice(0, 20).join("\n") : "PASSED"));
})();
