/*
 * timeline: the picture of a trace: threads from top to bottom, time from left to right, and in each cell what the thread
 * did in its middle, at a chosen depth of the call path.
 */

/* Okabe and Ito's palette, for the regions with most cells; all others are grey. */
const TIMELINE_COLOURS = ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7"];

class Timeline {
	constructor(trace) {
		this.trace = trace;
		this.depth = 0;			/* 0: the innermost region; else so many levels from the root */
		this.chosen = [0, 0];		/* row and column that the keys move to */
		this.rows = trace.cells.map(runs => {
			const row = new Int32Array(trace.columns);
			let at = 0;
			for (let i = 0; i < runs.length; i += 2)
				row.fill(runs[i], at, at += runs[i + 1]);
			return row;
		});
		this.paths = trace.nodes.region.map((region, node) => {
			const path = [];
			for (let at = node; at >= 0; at = trace.nodes.parent[at])
				path.unshift(trace.nodes.region[at]);
			return path;
		});
		this.deepest = this.paths.reduce((most, path) => Math.max(most, path.length), 1);
	}

	/* Returns the region that a cell shows; -1: the thread did nothing. A shorter call path shows its innermost region. */
	regionAt(row, column) {
		const node = this.rows[row][column], path = node < 0 ? [] : this.paths[node];
		return node < 0 ? -1 : path[this.depth ? Math.min(this.depth, path.length) - 1 : path.length - 1];
	}

	/* Returns the regions of the picture with their numbers of cells, the largest first. */
	shares() {
		const counts = new Map();

		this.rows.forEach((row, r) => row.forEach((node, column) => {
			const region = this.regionAt(r, column);
			if (region >= 0)
				counts.set(region, (counts.get(region) || 0) + 1);
		}));
		return [...counts].sort((a, b) => b[1] - a[1]);
	}

	time(column) {
		return this.trace.begin + (column + 0.5) * (this.trace.end - this.trace.begin) / this.trace.columns;
	}

	describe(row, column) {
		const node = this.rows[row][column], { regions } = this.trace;
		return this.trace.rows[row] + " at " + formatSeconds(this.time(column)) + ": " +
			(node < 0 ? "nothing" : this.paths[node].map(region => regions.name[region]).join(" › "));
	}

	/* Returns the elements of the picture. canvas: as TimeView.canvas. */
	draw(canvas) {
		const { trace } = this, body = element("div");
		const depth = element("input", { id: "timeline-depth", type: "number", min: 0, max: this.deepest, value: this.depth, "aria-label": "Depth", style: "width:4em",
			onchange: () => { this.depth = Math.min(Math.max(Number(depth.value) || 0, 0), this.deepest); body.replaceChildren(...this.picture(canvas)); } });
		const remarks = [];

		if (trace.threads > trace.rows.length)
			remarks.push(trace.rows.length + " of " + trace.threads + " threads");
		if (trace.begin > 0)
			remarks.push("the last " + formatSeconds(trace.end - trace.begin) + " of " + formatSeconds(trace.length));
		body.replaceChildren(...this.picture(canvas));
		return [element("h2", {}, "Time line of the trace" + (remarks.length ? ": " + remarks.join(", ") : "")),
			element("p", { class: "controls" }, element("label", {}, "Level of the call path (0: innermost) ", depth)), body];
	}

	picture(canvas) {
		const { trace } = this, shares = this.shares(), colours = new Map(shares.slice(0, TIMELINE_COLOURS.length).map(([region], i) => [region, TIMELINE_COLOURS[i]]));
		const cells = trace.rows.length * trace.columns, left = 150, size = Math.max(6, Math.min(24, Math.floor(480 / (trace.rows.length || 1)))), height = trace.rows.length * size + 24;
		const style = getComputedStyle(document.body);
		const place = event => [Math.floor(event.offsetY / size), Math.floor((event.offsetX - left) / ((made.clientWidth || 800) - left) * trace.columns)];
		const isInside = ([row, column]) => row >= 0 && row < trace.rows.length && column >= 0 && column < trace.columns;
		const said = element("p", { id: "timeline-cell", class: "dim", "aria-live": "polite" }, "Arrow keys move in the picture.");
		const choose = cell => {
			this.chosen = cell;
			made.repaint();
			said.textContent = this.describe(...cell);
		};
		const made = canvas("timeline", "Threads over time; the arrow keys read the cells", height, (context, width) => {
			const step = (width - left) / trace.columns;

			this.rows.forEach((row, r) => {
				for (let column = 0, next; column < trace.columns; column = next) {
					const region = this.regionAt(r, column);
					for (next = column + 1; next < trace.columns && this.regionAt(r, next) === region; next++)
						;
					if (region < 0)
						continue;
					context.fillStyle = colours.get(region) || "#8a929c";
					context.fillRect(left + column * step, r * size, (next - column) * step, size - 1);
				}
			});
			context.fillStyle = context.strokeStyle = style.color;
			context.font = "11px sans-serif";
			for (let r = 0, every = Math.ceil(13 / size); r < trace.rows.length; r += every)
				context.fillText(trace.rows[r].slice(0, 28), 2, r * size + Math.min(size, 13), left - 6);
			context.fillText(formatSeconds(trace.begin), left, height - 6);
			context.textAlign = "right";
			context.fillText(formatSeconds(trace.end), width, height - 6);
			context.strokeRect(left + this.chosen[1] * step - 1, this.chosen[0] * size, Math.max(step, 2) + 1, size - 1);
		}, {
			onmousemove: event => { if (isInside(place(event))) showTip(event, this.describe(...place(event))); else hideTip(); },
			onmouseleave: hideTip, onclick: event => { if (isInside(place(event))) choose(place(event)); },
			onkeydown: event => {
				const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -this.chosen[1]], End: [0, trace.columns - 1 - this.chosen[1]] }[event.key];
				const next = step && [this.chosen[0] + step[0], this.chosen[1] + step[1]];
				if (!next)
					return;
				event.preventDefault();
				if (isInside(next))
					choose(next);
			}
		});
		const legend = shares.slice(0, TIMELINE_COLOURS.length).map(([region, count]) => element("span", { style: "margin-right:1em;white-space:nowrap" },
			element("i", { style: "display:inline-block;width:.8em;height:.8em;margin-right:.3em;background:" + colours.get(region) }), trace.regions.name[region] + " " + formatPercent(count, cells)));

		return [made, element("p", { id: "timeline-legend" }, ...legend), said];
	}
}
