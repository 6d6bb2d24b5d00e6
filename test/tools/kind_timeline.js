/*
 * What a reader of the time line does with kinds of bursts, in the page of the trace of kind_timeline.sh. The test puts this
 * script into a copy of the page; the results are in the element "results".
 */
"use strict";
(async function () {
	const failures = [], expected = EXPECTED;
	const wait = () => new Promise(done => setTimeout(done, 30));
	const say = (what, is) => { if (!is) failures.push(what); };
	const text = () => document.getElementById("timeline-legend").textContent;
	const choose = value => { const input = document.getElementById("timeline-colours"); input.value = value; input.dispatchEvent(new Event("change")); };

	addEventListener("error", event => failures.push("error: " + event.message));
	for (let i = 0; i < 300 && !window.fathom; i++)
		await wait();
	try {
		document.getElementById("tab-time").click();
		for (let i = 0; i < 300 && !document.querySelector("#timeline canvas, canvas#timeline"); i++)
			await wait();
		await wait();
		const timeline = window.fathom.views.time[1].timeline, before = text();
		say("regions at first: " + before, !/kind/.test(before));
		choose("kinds");
		say("the legend: " + text(), /^kind 1: main > all [\d.]+%kind 2: main > some [\d.]+%/.test(text()));
		for (const { kind, share } of timeline.kindShares())
			if (kind > 0)
				say("the share of kind " + kind + ": " + share + ", not " + expected.shares[kind], Math.abs(share - expected.shares[kind]) < 0.01);
		say("kinds: " + timeline.kindShares().length, timeline.kindShares().length >= Object.keys(expected.shares).length);
		const column = timeline.kindRows[0].indexOf(2);
		say("a cell: " + timeline.describe(0, column), timeline.describe(0, column).includes("; kind 2: main > some"));
		timeline.show(0, 0.01);
		timeline.refresh();
		say("a window: " + text(), timeline.kindShares().length < Object.keys(expected.shares).length && /kind 1/.test(text()));
		document.getElementById("view").replaceChildren(...timeline.draw((...parts) => TimeView.prototype.canvas(...parts)));
		say("the choice after drawing anew", document.getElementById("timeline-colours").value === "kinds" && /kind 1/.test(text()));
		choose("regions");
		say("regions again: " + text(), !/kind/.test(text()));
	} catch (error) {
		failures.push("exception: " + error.stack);
	}
	document.body.append(Object.assign(document.createElement("pre"), { id: "results", textContent: failures.join("\n") || "PASSED" }));
})();
