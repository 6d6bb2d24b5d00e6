/* ranks: the values of one call path over ranks and threads: sorted, as a histogram, with what it calls, on a grid. */

const RANK_LABELS = 18;		/* the height of the line with the numbers of ranks, in pixels */

class RanksView {
	constructor(page) {
		this.page = page;
		this.sorted = false;
	}

	draw(view) {
		this.body = element("div");
		const box = element("input", { type: "checkbox", onchange: () => { this.sorted = box.checked; this.update(); } });

		box.checked = this.sorted;
		view.append(element("p", { class: "controls" }, element("label", {}, box, " sorted by value"),
			scaleLegend(this.page.profile) || element("span", { class: "scale" }, "0", element("i", { style: "background:" + scaleGradient() }), "largest")), this.body);
		this.update();
	}

	update() {
		const { profile, selection } = this.page;
		const values = this.valuesOf(selection.callPath, !selection.isOwn);
		const known = [...values].filter(value => !Number.isNaN(value));
		const parts = [element("h2", {}, (selection.callPath < 0 ? "The whole run" : profile.name(selection.callPath)) + ": " +
			profile.metrics[selection.metric].title + (profile.first ? ", change from A to B" : ""))];

		parts.push(this.statistics(known));
		if (profile.columns.locations > 1)
			parts.push(element("p", { class: "warn" }, "Each bar is the sum of " + profile.columns.locations + " neighbouring locations, because the run is large" +
				(profile.columns.rounded ? "; single values are rounded to 1/127 of the largest one." : ".")));
		else if (profile.columns.rounded)
			parts.push(element("p", { class: "dim" }, "Values of single locations are rounded to 1/127 of the largest one; sums are exact."));
		parts.push(this.bars(values), element("h2", {}, "Histogram"), this.histogram(known), element("h2", {}, "What it calls, by rank"), this.heatMap());
		for (const topology of profile.topologies)
			if (topology.places.length && profile.columns.locations === 1)
				parts.push(element("h2", {}, "Grid " + topology.name), this.grid(topology, values));
		this.body.replaceChildren(...parts);
	}

	/* Returns the values of a call path by column; of two compared runs, the changes. */
	valuesOf(callPath, isInclusive) {
		const { profile, selection } = this.page, values = profile.byColumn(selection.metric, callPath, isInclusive);

		if (!profile.first)
			return values;
		const before = profile.first.byColumn(selection.metric, callPath, isInclusive);
		return values.map((value, i) => (Number.isNaN(value) ? 0 : value) - (Number.isNaN(before[i]) ? 0 : before[i]));
	}

	/* Returns the colour of a value, where most is the largest absolute one. */
	colour(value, most) {
		return this.page.profile.isSigned ? changeColour((value || 0) / most) : scaleColour(Math.abs(value || 0) / most);
	}

	statistics(values) {
		const { unit } = this.page.selection, sum = values.reduce((a, b) => a + b, 0), mean = sum / (values.length || 1);
		const most = Math.max(...values, -Infinity), least = Math.min(...values, Infinity);
		const deviation = Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / (values.length || 1));

		if (!values.length)
			return element("p", { class: "dim" }, "There are no values.");
		return element("p", { id: "statistics" }, `average ${formatValue(mean, unit)}, least ${formatValue(least, unit)}, most ${formatValue(most, unit)}, ` +
			`standard deviation ${formatValue(deviation, unit)}` + (most > 0 && !this.page.profile.isSigned ? `, balance (average / most) ${formatPercent(mean, most)}` : ""));
	}

	/* Makes a canvas whose pixels are those of the screen, and calls draw(context, width) when it is in the page. */
	canvas(height, draw, describe) {
		const made = element("canvas", { style: "height:" + height + "px", role: "img",
			onmousemove: event => {
				const text = describe(event.offsetX / made.clientWidth, event.offsetY);
				if (text)
					showTip(event, text);
				else
					hideTip();
			}, onmouseleave: hideTip });

		requestAnimationFrame(() => {
			const scale = devicePixelRatio || 1, width = made.clientWidth || 800;
			made.width = width * scale;
			made.height = height * scale;
			const context = made.getContext("2d");
			context.scale(scale, scale);
			draw(context, width);
		});
		return made;
	}

	order(values) {
		const columns = [...values.keys()];
		return this.sorted ? columns.sort((a, b) => (values[b] || 0) - (values[a] || 0)) : columns;
	}

	bars(values) {
		const { profile, selection } = this.page, order = this.order(values), most = Math.max(...[...values].map(Math.abs).filter(v => !Number.isNaN(v)), 1e-300);
		const height = 176, bottom = height - RANK_LABELS;

		return this.canvas(height, (context, width) => {
			const step = width / order.length;

			order.forEach((column, i) => {
				const share = Math.abs(values[column] || 0) / most;
				context.fillStyle = this.colour(values[column], most);
				context.fillRect(i * step, bottom - share * (bottom - 4), Math.max(1, step - (order.length < width / 4 ? 1 : 0)), share * (bottom - 4));
			});
			this.labels(context, order, 0, step, height - 4);
		}, x => {
			const column = order[Math.floor(x * order.length)];
			return column === undefined ? "" : profile.columnName(column) + "\n" + formatValue(values[column], selection.unit);
		});
	}

	/* Writes the ranks of columns below them, as far as there is room. */
	labels(context, order, left, step, bottom) {
		const { profile } = this.page, rankOf = column => profile.groups[profile.columnGroups[column][0]].rank;
		let free = left, previous = null;

		context.fillStyle = getComputedStyle(document.body).color;
		context.font = "11px sans-serif";
		context.textAlign = "center";
		order.forEach((column, i) => {
			const text = (i ? "" : "rank ") + rankOf(column), half = context.measureText(text).width / 2, at = Math.max(left + (i + 0.5) * step, left + half + 2);

			if (rankOf(column) === previous || at - half < free)
				return;
			previous = rankOf(column);
			free = at + half + 8;
			context.fillText(text, at, bottom);
		});
		context.textAlign = "left";
	}

	histogram(values) {
		const { unit } = this.page.selection, least = Math.min(...values), most = Math.max(...values), count = 30, height = 110;
		const bins = new Array(count).fill(0), width = (most - least) / count;

		if (!values.length)
			return element("p", {}, "-");
		for (const value of values)
			bins[width > 0 ? Math.min(count - 1, Math.floor((value - least) / width)) : 0]++;
		const highest = Math.max(...bins);
		const textColour = getComputedStyle(document.body).color;
		return this.canvas(height, (context, pixels) => {
			bins.forEach((bin, i) => {
				context.fillStyle = scaleColour(0.3);
				context.fillRect(i * pixels / count, height - 18 - bin / highest * (height - 24), pixels / count - 1, bin / highest * (height - 24));
			});
			context.fillStyle = textColour;
			context.font = "11px sans-serif";
			context.fillText(formatValue(least, unit), 2, height - 4);
			context.textAlign = "right";
			context.fillText(formatValue(most, unit), pixels - 2, height - 4);
		}, x => {
			const bin = Math.min(count - 1, Math.floor(x * count));
			return bins[bin] + " locations from " + formatValue(least + bin * width, unit) + " to " + formatValue(least + (bin + 1) * width, unit);
		});
	}

	/* Rows: the chosen call path's own value and what it calls, the largest first; columns: ranks. */
	heatMap() {
		const { profile, selection } = this.page, all = profile.changes(selection.metric, selection.columns);
		const size = c => profile.isSigned ? Math.abs(all.inclusive[c]) || 0 : all.inclusive[c] || 0;
		const start = selection.callPath >= 0 ? [selection.callPath] : profile.roots;
		const below = start.flatMap(c => profile.children[c]).sort((a, b) => size(b) - size(a)).slice(0, 20);
		const rows = [...start.map(c => [c, false]), ...below.map(c => [c, true])];
		const table = rows.map(([c, isInclusive]) => this.valuesOf(c, isInclusive));
		const most = Math.max(...table.flatMap(row => [...row].filter(value => !Number.isNaN(value)).map(Math.abs)), 1e-300);
		const order = this.order(this.valuesOf(selection.callPath, true)), rowHeight = 22;
		const colour = getComputedStyle(document.body).color;
		const label = ([c, isInclusive]) => profile.name(c) + (isInclusive ? "" : " (own)");

		return this.canvas(rows.length * rowHeight + RANK_LABELS, (context, width) => {
			const left = Math.min(220, width * 0.3);
			table.forEach((row, r) => {
				order.forEach((column, i) => {
					context.fillStyle = this.colour(row[column], most);
					context.fillRect(left + i * (width - left) / order.length, r * rowHeight, Math.ceil((width - left) / order.length), rowHeight - 1);
				});
				context.fillStyle = colour;
				context.font = "12px sans-serif";
				context.fillText(label(rows[r]).slice(0, 34), 4, r * rowHeight + 15, left - 8);
			});
			this.labels(context, order, left, (width - left) / order.length, rows.length * rowHeight + RANK_LABELS - 4);
		}, (x, y) => {
			const row = Math.floor(y / rowHeight), width = this.body.clientWidth || 1, left = Math.min(220, width * 0.3) / width;
			const column = order[Math.floor((x - left) / (1 - left) * order.length)];
			if (column === undefined || !table[row])
				return rows[row] ? label(rows[row]) : "";
			return label(rows[row]) + "\n" + profile.columnName(column) + ": " + formatValue(table[row][column], selection.unit);
		});
	}

	/* The last two dimensions are drawn; further ones are numbers before each drawn part. */
	grid(topology, values) {
		const { profile, selection } = this.page, most = Math.max(...[...values].filter(v => !Number.isNaN(v)).map(Math.abs), 1e-300);
		const dimensions = topology.dimensions, width = dimensions.at(-1).size, parts = new Map();

		for (const [location, ...at] of topology.places) {
			const outer = at.slice(0, -2).join(",");
			parts.set(outer, [...parts.get(outer) || [], [location, at]]);
		}
		return element("div", { class: "columns" }, ...[...parts].map(([outer, places]) => {
			const cells = places.map(([location, at]) => {
				const share = Math.abs(values[location] || 0) / most, [row, column] = [at.at(-2) || 0, at.at(-1)];
				return element("div", { style: `grid-row:${row + 1};grid-column:${column + 1};background:${this.colour(values[location], most)};color:${profile.isSigned ? textOnChange(values[location] / most) : textOn(share)}`,
					onmousemove: event => showTip(event, profile.columnName(location) + " at (" + at.join(", ") + ")\n" + formatValue(values[location], selection.unit)), onmouseleave: hideTip },
					String(profile.groups[profile.locations.group[location]].rank));
			});
			return element("div", {}, outer ? element("p", { class: "dim" }, "at " + outer) : null,
				element("div", { class: "grid", style: `grid-template-columns:repeat(${width}, auto)` }, ...cells));
		}));
	}
}
