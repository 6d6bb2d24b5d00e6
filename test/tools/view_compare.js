/*
 * What a reader of a page that compares two runs does, and what the page must show then. expected: the call paths of
 * `fathom diff --json`, with values per rank, by path.
 */
"use strict";
(async function () {
	const failures = [], expected = EXPECTED;
	const wait = () => new Promise(done => setTimeout(done, 30));
	const say = (what, is) => { if (!is) failures.push(what); };
	const near = (a, b) => Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b), 1e-3);

	addEventListener("error", event => failures.push("error: " + event.message));
	addEventListener("unhandledrejection", event => failures.push("rejection: " + event.reason));
	for (let i = 0; i < 300 && !window.fathom; i++)
		await wait();
	try {
		const { profile, selection, panes } = window.fathom, time = profile.metricNumber("time");
		const before = profile.first.values(time, null), after = profile.values(time, null), change = profile.changes(time, null);

		/* Call paths of the same names are one in the result of fathom diff. */
		const byPath = new Map();
		for (let c = 0; c < profile.callPathCount; c++) {
			const path = profile.path(c).map(name => expected.names[name] || name).join(" > ");
			const sum = byPath.get(path) || { before: 0, after: 0, change: 0 };
			byPath.set(path, { before: sum.before + before.own[c], after: sum.after + after.own[c], change: sum.change + change.own[c], only: profile.onlyIn(c) });
		}
		say("all call paths", byPath.size === Object.keys(expected.paths).length);
		for (const [path, sum] of byPath) {
			const wanted = expected.paths[path];
			say("call path " + path, wanted !== undefined);
			if (!wanted)
				continue;
			say("before " + path, near(sum.before, wanted.before * expected.ranks));
			say("after " + path, near(sum.after, wanted.after * expected.ranks));
			say("change " + path, near(sum.change, (wanted.after - wanted.before) * expected.ranks));
			say("only " + path, sum.only === (wanted.new ? "B" : wanted.gone ? "A" : ""));
		}
		for (const tab of document.querySelectorAll("[role=tab]")) {
			tab.click();
			await wait();
			say(tab.id + " shows something", document.getElementById("view").childElementCount > 0);
			say(tab.id + " shows numbers", !/NaN|Infinity|undefined/.test(document.getElementById("view").textContent));
		}
		/* The call tree: a column for each run, one for the change, and what only one run has. */
		document.getElementById("tab-tree").click();
		selection.set({ callPath: profile.roots[0] });
		for (let c = 0; c < profile.callPathCount; c++)
			panes.callTree.open.add(c);
		panes.update();
		for (const row of document.querySelectorAll(".pane:nth-child(2) .tree .row")) {
			const c = Number(row.dataset.id), cells = [...row.querySelectorAll(".value")].map(cell => cell.textContent);
			const isOpen = profile.children[c].length > 0;
			const [a, b] = isOpen ? [before.own[c], after.own[c]] : [before.inclusive[c], after.inclusive[c]];
			say("columns of " + profile.name(c) + ": " + cells, cells.join() === [formatValue(a, "sec"), formatValue(b, "sec"), formatChange(b - a, "sec")].join());
			say("mark of " + profile.name(c), row.textContent.includes("only in " + profile.onlyIn(c)) === (profile.onlyIn(c) !== ""));
			const box = row.querySelector(".box").style.background, [red, , blue] = (box.match(/\d+/g) || [0, 0, 0]).map(Number);
			if (Math.abs(b - a) > 0.1 * profile.largestChange(time, null))
				say("colour of " + profile.name(c) + ": " + box, b > a ? red > blue : blue > red);
		}
		document.getElementById("tab-overview").click();
		await wait();
		say("the largest change", document.querySelector("#top tr.link").textContent.includes(expected.top));
	} catch (error) {
		failures.push(String(error.stack || error));
	}
	document.body.append(element("pre", { id: "results" }, failures.length ? "FAILED\n" + failures.join("\n") : "PASSED"));
})();
