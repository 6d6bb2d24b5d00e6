/*
 * What a reader of a page about several sizes does, and what the page must show then. expected: sizes, losses and models of
 * `fathom scaling --json`, and the tree of losses of its file.
 */
"use strict";
(async function () {
	const failures = [], expected = EXPECTED;
	const wait = () => new Promise(done => setTimeout(done, 30));
	const say = (what, is) => { if (!is) failures.push(what); };
	const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b), 1e-3);
	const text = selector => (document.querySelector(selector) || { textContent: "" }).textContent;

	addEventListener("error", event => failures.push("error: " + event.message));
	addEventListener("unhandledrejection", event => failures.push("rejection: " + event.reason));
	for (let i = 0; i < 300 && !window.fathom; i++)
		await wait();
	try {
		const { profile, selection } = window.fathom, loss = profile.metricNumber("scaling_loss");

		say("the page begins with the sizes", document.getElementById("tab-scaling").getAttribute("aria-selected") === "true");
		const rows = [...document.querySelectorAll("#efficiencies tbody tr")].map(row => [...row.children].map(cell => cell.textContent.trim()));
		for (const [key, title] of SCALING_FACTORS) {
			const row = rows.find(([name]) => name === title), known = expected.sizes.filter(size => typeof size.efficiency[key] === "number");
			say("factor " + key, (row !== undefined) === (known.length > 0));
			if (row)
				say("values of " + key + ": " + row, expected.sizes.every((size, i) => row[i + 1] === (typeof size.efficiency[key] === "number" ? size.efficiency[key].toFixed(3) : "-")));
		}
		say("what breaks: " + text("#broken"), expected.broken ? text("#broken").includes(expected.broken.value.toFixed(3)) : text("#broken").startsWith("No factor"));
		say("charts", document.querySelectorAll("svg.chart").length === (expected.model ? 2 : 1) && !/NaN|Infinity|undefined/.test(document.getElementById("view").innerHTML));
		/* The losses are metrics of the tree. */
		const values = profile.values(loss, null);
		for (const [path, wanted] of Object.entries(expected.tree)) {
			const c = profile.cnodes.region.findIndex((unused, i) => profile.path(i).join(" > ") === path);
			say("call path " + path, c >= 0);
			say("own loss of " + path, near(values.own[c], wanted.exclusive));
			say("inclusive loss of " + path, near(values.inclusive[c], wanted.inclusive));
		}
		/* A click on the largest loss shows it in the tree. */
		const largest = expected.paths[0], row = [...document.querySelectorAll("#view tr.link")].find(line => line.textContent.includes(largest.path.replaceAll(" > ", " › ")));
		say("the largest loss is listed", row && row.textContent.includes(largest.loss_percent.toFixed(1) + "%"));
		row.click();
		await wait();
		say("its place in the tree", selection.metric === loss && profile.path(selection.callPath).join(" > ") === largest.path && document.querySelector(".row.chosen") !== null);
		for (const tab of document.querySelectorAll("[role=tab]")) {
			tab.click();
			await wait();
			say(tab.id + " shows something", document.getElementById("view").childElementCount > 0);
			say(tab.id + " shows numbers", !/NaN|Infinity|undefined/.test(document.getElementById("view").textContent));
		}
		document.getElementById("tab-scaling").click();
		await wait();
		const growing = expected.growing.map(i => expected.paths[i]).filter(path => path.model && path.model.predicted > path.values.at(-1));
		for (const path of growing)
			say("the model of " + path.path, text("#view").includes(path.model.term));
	} catch (error) {
		failures.push(String(error.stack || error));
	}
	document.body.append(element("pre", { id: "results" }, failures.length ? "FAILED\n" + failures.join("\n") : "PASSED"));
})();
