/*
 * What a reader of the time line does with messages, collective operations, curves and wait states, in the page of the trace
 * of timeline_details.sh. The test puts this script into a copy of the page; the results are in the element "results".
 */
"use strict";
(async function () {
	const failures = [], expected = EXPECTED;
	const wait = () => new Promise(done => setTimeout(done, 30));
	const say = (what, is) => { if (!is) failures.push(what); };
	const pixels = () => { const canvas = document.querySelector("#timeline canvas, canvas#timeline"); return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.join(); };
	/* Waits until the picture differs from another one; false: it stays the same. */
	const differs = async before => { for (let i = 0; i < 200; i++, await wait()) if (pixels() !== before) return true; return false; };
	const change = (id, change) => { const input = document.getElementById(id); change(input); input.dispatchEvent(new Event("change")); };

	addEventListener("error", event => failures.push("error: " + event.message));
	for (let i = 0; i < 300 && !window.fathom; i++)
		await wait();
	try {
		document.getElementById("tab-time").click();
		for (let i = 0; i < 300 && !document.querySelector("#timeline canvas, canvas#timeline"); i++)
			await wait();
		await wait();
		const timeline = window.fathom.views.time[1].timeline, messages = timeline.shownMessages();
		say("messages " + JSON.stringify(messages), messages.length === expected.messages);
		say("the first one", Math.abs(messages[0].send - 100) < 1 && Math.abs(messages[0].receive - 360) < 1);
		say("a collective operation", timeline.shownCollectives().length === 1);
		let before = pixels();
		change("timeline-messages", input => { input.checked = false; });
		say("without messages", await differs(before));
		before = pixels();
		change("timeline-marks", input => { input.checked = !input.checked; });
		say("without wait states", await differs(before));
		before = pixels();
		change("timeline-curve", input => { input.value = 0; });
		say("a curve", await differs(before));
		say("its scale", /curve: count, up to 1\.00e\+6 items\/s/.test(document.getElementById("timeline-scale").textContent));
		say("the value of a cell: " + timeline.describe(0, 200), timeline.describe(0, 200).endsWith("; count 1.00e+6 items/s"));
		change("timeline-marks", input => { input.checked = true; });
		say("waiting of a cell: " + timeline.describe(0, 550), /; Wait at N x N .* for MPI Rank 1|; Wait at barrier .* for MPI Rank 1/.test(timeline.describe(0, 550)));
		timeline.show(0.12, 0.22);
		say("messages of a window", timeline.shownMessages().length === expected.window);
	} catch (error) {
		failures.push("exception: " + error.stack);
	}
	document.body.append(Object.assign(document.createElement("pre"), { id: "results", textContent: failures.join("\n") || "PASSED" }));
})();
