/*
 * What a reader of a page does, and what the page must show then. The test puts this script into a copy of the page; the
 * results are in the element "results". expected: what `fathom report --json` says.
 */
"use strict";
(async function () {
	const failures = [], expected = EXPECTED;
	const wait = () => new Promise(done => setTimeout(done, 30));
	const say = (what, is) => { if (!is) failures.push(what); };
	const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b), 1e-30);
	const text = selector => (document.querySelector(selector) || { textContent: "" }).textContent;
	const click = selector => document.querySelector(selector).click();
	const key = (target, name) => target.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));

	addEventListener("error", event => failures.push("error: " + event.message));
	addEventListener("unhandledrejection", event => failures.push("rejection: " + event.reason));
	for (let i = 0; i < 300 && !window.fathom; i++)
		await wait();
	try {
		const { profile, selection, panes } = window.fathom;
		const time = profile.metricNumber("time");

		say("title", document.title.includes("fathom"));
		say("overview: the most expensive region", text("#top").includes(expected.top));
		for (const entry of document.querySelectorAll("#view .legend span"))
			say("a title in the legend: " + entry.textContent, !profile.metrics.some(metric => metric.name === entry.textContent.trim() && metric.title !== metric.name));
		for (const node of expected.call_tree) {
			const values = profile.values(time, null);
			say("own time of " + node.name, Math.abs(values.own[node.id] - (node.exclusive.time || 0)) <= 1e-9 * Math.abs(node.inclusive.time));
			say("inclusive time of " + node.name, near(values.inclusive[node.id], node.inclusive.time || 0));
		}
		/* Sums over ranks are the total, in each pane. */
		const byRank = profile.byColumn(time, -1, true).reduce((a, b) => a + b, 0);
		say("ranks add up: " + byRank, Math.abs(byRank / expected.total - 1) < 0.02);

		for (const tab of document.querySelectorAll("[role=tab]")) {
			tab.click();
			await wait();
			say(tab.id + " is chosen", tab.getAttribute("aria-selected") === "true");
			say(tab.id + " shows something", document.getElementById("view").childElementCount > 0);
		}
		click("#tab-tree");
		await wait();
		click("#hot");
		await wait();
		say("hot path", selection.callPath === expected.hot);
		say("hot path is shown", text(".row.chosen .name") !== "" && text("#chosen").includes(profile.name(expected.hot)));
		/* Open a row: it shows its own value. */
		const parent = profile.cnodes.parent[expected.hot];
		if (parent >= 0) {
			const row = () => document.querySelector(`.pane:nth-child(2) [data-id="${parent}"]`);
			say("a caller is open", row().getAttribute("aria-expanded") === "true");
			say("open: own value", row().querySelector(".value").textContent === formatValue(profile.values(time, null).own[parent], "sec"));
			row().querySelector(".twist").click();
			await wait();
			say("closed: inclusive value", row().querySelector(".value").textContent === formatValue(profile.values(time, null).inclusive[parent], "sec"));
			row().querySelector(".twist").click();
		}
		/* The keys of the tree. */
		const tree = document.querySelector(".pane:nth-child(2) .tree");
		key(tree, "Home");
		say("Home", selection.callPath === profile.roots[0]);
		key(tree, "ArrowDown");
		say("ArrowDown", selection.callPath !== profile.roots[0]);
		key(tree, "ArrowUp");
		say("ArrowUp", selection.callPath === profile.roots[0]);
		/* A part of the system changes the values. */
		selection.set({ callPath: -1, system: "column 0" });
		say("one location", Math.abs(selection.valueOf(time) - profile.byColumn(time, -1, true)[0]) < 1e-3 * expected.total);
		selection.set({ system: "all" });
		/* Search. */
		const search = document.getElementById("search");
		search.value = expected.top.toLowerCase().slice(0, 6);
		search.dispatchEvent(new Event("input"));
		key(search, "Enter");
		await wait();
		say("search", profile.name(selection.callPath).toLowerCase().includes(search.value));
		/* A formula. */
		click("#tab-metrics");
		await wait();
		document.getElementById("formula").value = "2 * time / (1 + 1)";
		key(document.getElementById("formula"), "Enter");
		await wait();
		selection.set({ callPath: -1 });
		say("formula: " + text("#formula-error"), near(selection.valueOf(selection.metric), expected.total));
		document.getElementById("formula").value = "time / nothing";
		key(document.getElementById("formula"), "Enter");
		await wait();
		say("a wrong formula is refused", text("#formula-error").includes("nothing"));
		/* The flame graph. */
		selection.set({ metric: time });
		click("#tab-flame");
		await wait();
		const box = document.querySelector(`.flame [data-id="${expected.hot}"]`);
		const share = profile.values(time, null).inclusive[expected.hot] / profile.roots.concat(profile.cnodes.tasks).reduce((sum, c) => sum + profile.values(time, null).inclusive[c], 0);
		say("flame graph", box && Math.abs(parseFloat(box.style.width) / 100 - share) < 1e-6);
		search.value = "";
		search.dispatchEvent(new Event("input"));
		/* Samples by line, and by program and library. */
		click("#tab-flat");
		await wait();
		const group = document.getElementById("group-by"), groups = [...group.options].map(option => option.value);
		say("groups of samples", groups.includes("line") === (profile.samples !== null) && groups.includes("object") === (profile.samples !== null));
		for (const by of groups) {
			group.value = by;
			group.dispatchEvent(new Event("change"));
			await wait();
			say("by " + by, document.querySelectorAll("#view tbody tr").length > 0 && !/NaN|Infinity|undefined/.test(text("#view")));
		}
		const line = profile.samples && profile.samples.lines.find(([, , file, number]) => regionOfLine(profile, { file, line: number }) >= 0);
		if (line) {
			group.value = "line";
			group.dispatchEvent(new Event("change"));
			await wait();
			[...document.querySelectorAll("#view tbody tr")].find(row => row.textContent.includes(fileName(line[2]) + ":" + line[3])).click();
			await wait();
			say("a click on a line shows its source", text("#tab-source[aria-selected=true]") === "Source" && document.querySelector(".source") !== null);
		}
		group.value = "function";
		/* Ranks. */
		click("#tab-ranks");
		await wait();
		say("statistics", text("#statistics").includes("average") && !/NaN|Infinity/.test(text("#statistics")));
		click("#theme");
		/* Each click is answered at once. */
		const before = performance.now();
		click("#tab-tree");
		panes.update();
		document.body.dataset.milliseconds = Math.round(performance.now() - before);
	} catch (error) {
		failures.push(String(error.stack || error));
	}
	document.body.append(element("pre", { id: "results" }, failures.length ? "FAILED\n" + failures.join("\n") : "PASSED"));
})();
