/* serve: the time line of a trace whose windows fathom serve draws, so that the trace may have any length. */

/* Returns the answer to a request; an error of the server becomes an exception with its text. */
async function ask(request) {
	const answer = await fetch(request), body = await answer.json();
	if (!answer.ok)
		throw new Error(body.error);
	return body;
}

class ServedTimeline extends Timeline {
	get finestColumns() {
		return this.trace.ticks;
	}

	seconds(share) {
		return (this.trace.end - this.trace.begin) * share + this.trace.begin;
	}

	/* Shows what is known of the window, and then what the server says of it. */
	show(from, to) {
		super.show(from, to);
		const window = this.window, range = "from=" + this.seconds(window[0]) + "&to=" + this.seconds(window[1]);
		const isShown = () => this.window === window;

		this.ready = Promise.all([ask("window?" + range), ask("summary?" + range)]).then(([picture, summary]) => {
			if (!isShown())
				return;
			this.rows = picture.cells.map(runs => {
				const row = new Int32Array(this.trace.columns);
				let at = 0;
				for (let i = 0; i < runs.length; i += 2)
					row.fill(runs[i], at, at += runs[i + 1]);
				return row;
			});
			this.marks = picture.marks;
			this.details = picture.details;
			this.summary = summary;
			document.getElementById("served").textContent = summary.events + " events, " + summary.messages + " messages sent (" + formatValue(summary.bytes, "bytes") + "), " + summary.collectives +
				" ends of collective operations; own time: " + summary.regions.slice(0, 8).map(({ name, seconds }) => name + " " + formatSeconds(seconds)).join(", ");
			this.refresh?.();
		}).catch(error => { document.getElementById("served").textContent = String(error.message); });
	}

	/* Returns the longest visits of a region in the window. */
	async find(text) {
		try {
			const range = "from=" + this.seconds(this.window[0]) + "&to=" + this.seconds(this.window[1]);
			const { visits } = await ask("search?region=" + encodeURIComponent(text) + "&" + range);
			const share = seconds => (seconds - this.trace.begin) / (this.trace.end - this.trace.begin);
			return visits.map(({ row, region, begin, end }) => ({ row, region, begin: share(begin), end: share(end) }));
		} catch (error) {
			document.getElementById("served").textContent = String(error.message);
			return [];
		}
	}
}

(async function () {
	try {
		const trace = await ask("trace");
		document.getElementById("title").textContent = trace.name;
		window.timeline = new ServedTimeline(trace);
		document.getElementById("view").replaceChildren(...window.timeline.draw((...parts) => TimeView.prototype.canvas(...parts)));
	} catch (error) {
		document.getElementById("state").textContent = String(error.message);
	}
})();
