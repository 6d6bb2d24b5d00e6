/* time: how the iterations of a phase went: a curve of the mean over ranks with the least and the most, and a map of ranks
 * and iterations; and the time line of the trace. */
class TimeView {
	constructor(page) {
		this.page = page;
		this.phase = 0;			/* index in the report's phases */
		this.metric = null;		/* name; NULL: the first one that the phase has */
		this.chosen = 0;		/* index of the iteration that the keys move to */
		this.timeline = page.profile.trace ? new Timeline(page.profile.trace) : null;
	}

	get phases() {
		return (this.page.profile.report.phases || []).filter(phase => phase.iterations.length);
	}

	draw(view) {
		const { phases } = this;

		this.body = element("div");
		if (phases.length) {
			const names = Object.keys(phases[this.phase].metrics);
			if (!names.includes(this.metric))
				this.metric = names.includes("time") ? "time" : names[0];
			const phase = element("select", { id: "phase", "aria-label": "Phase", onchange: () => { this.phase = Number(phase.value); this.chosen = 0; this.page.redraw(); } },
				...phases.map(({ region, iterations }, i) => element("option", { value: i, selected: i === this.phase }, region + " (" + iterations.length + " iterations)")));
			const metric = element("select", { id: "phase-metric", "aria-label": "Metric", onchange: () => { this.metric = metric.value; this.update(); } },
				...names.map(name => element("option", { value: name, selected: name === this.metric }, this.title(name))));
			view.append(element("p", { class: "controls" }, phase, metric));
		} else if (!this.timeline) {
			view.append(element("p", { class: "dim" }, "The profile has no phases and the experiment has no trace. FATHOM_PHASE marks the iterations of a loop (see the guide to the API); then this view shows how they went. FATHOM_MODE=profile,trace records a trace; then it shows its time line."));
		}
		if (this.timeline)
			view.append(...this.timeline.draw((...parts) => this.canvas(...parts)));
		view.append(this.body);
		this.update();
	}

	title(name) {
		const number = this.page.profile.metricNumber(name);
		return number < 0 ? name : this.page.profile.metrics[number].title;
	}

	unit() {
		const number = this.page.profile.metricNumber(this.metric);
		return number < 0 ? "" : this.page.profile.metrics[number].unit;
	}

	/* Returns the values of the chosen metric by iteration: {mean, least, most, most_rank}; least may be null. */
	series(phase) {
		const values = phase.metrics[this.metric], isTime = this.metric === "time";
		const mean = (values.ratio || values.sum).map((value, i) => values.sum && isTime && phase.runs[i] ? value / phase.runs[i] : value);
		return { mean, isMean: isTime && values.sum !== undefined, least: values.least && isTime ? values.least : null, most: values.most && isTime ? values.most : null, rank: values.most_rank };
	}

	describe(phase, series, i) {
		const unit = this.unit(), parts = ["iteration " + phase.iterations[i] + ": " + (series.isMean ? "mean " : "") + formatValue(series.mean[i], unit)];

		if (series.least)
			parts.push("least " + formatValue(series.least[i], unit), "most " + formatValue(series.most[i], unit));
		if (series.most && series.rank && series.rank[i] !== null)
			parts.push("longest in rank " + series.rank[i]);
		return parts.join(", ");
	}

	update() {
		const phase = this.phases[this.phase];

		if (!phase)
			return;
		const series = this.series(phase), values = phase.metrics[this.metric], unit = this.unit();
		const known = series.mean.filter(value => value !== null);
		const mean = known.reduce((a, b) => a + b, 0) / (known.length || 1);
		const facts = `total ${formatValue(values.total, unit)}, average of an iteration ${formatValue(mean, unit)}` +
			(values.trend ? `, from the first to the last iteration ${(100 * values.trend).toFixed(1)}%` : "");

		this.body.replaceChildren(element("h2", {}, phase.region + ": " + this.title(this.metric) + " by iteration"),
			element("p", { id: "phase-facts" }, facts), this.curve(phase, series, unit),
			element("p", { id: "phase-chosen", class: "dim", "aria-live": "polite" }, "Arrow keys move over the iterations."), ...this.map(phase));
	}

	/* A canvas that can be reached by keys; paint(context, width) draws it. */
	canvas(id, label, height, paint, listeners) {
		const made = element("canvas", { id, tabindex: 0, role: "img", "aria-label": label, style: "height:" + height + "px", ...listeners });

		made.repaint = () => {
			const scale = devicePixelRatio || 1, width = made.clientWidth || 800, context = made.getContext("2d");

			made.width = width * scale;
			made.height = height * scale;
			context.scale(scale, scale);
			paint(context, width);
		};
		requestAnimationFrame(made.repaint);
		return made;
	}

	curve(phase, series, unit) {
		const height = 220, left = 80, bottom = 22, top = 8, right = 12, count = phase.iterations.length;
		const most = Math.max(...(series.most || series.mean).filter(value => value !== null), 1e-300);
		const style = getComputedStyle(document.body);
		const x = (i, width) => left + (count === 1 ? 0.5 : i / (count - 1)) * (width - left - right), y = value => top + (1 - (value || 0) / most) * (height - top - bottom);
		const choose = i => {
			this.chosen = Math.min(Math.max(i, 0), count - 1);
			made.repaint();
			document.getElementById("phase-chosen").textContent = this.describe(phase, series, this.chosen);
		};
		const at = event => Math.round((event.offsetX - left) / ((made.clientWidth || 800) - left - right) * (count - 1));
		const made = this.canvas("phase-curve", "Values by iteration; the arrow keys read them", height, (context, width) => {
			const line = values => {
				context.beginPath();
				values.forEach((value, i) => context[i ? "lineTo" : "moveTo"](x(i, width), y(value)));
				context.stroke();
			};

			context.fillStyle = context.strokeStyle = style.color;
			context.font = "11px sans-serif";
			context.textAlign = "right";
			context.fillText(formatValue(most, unit), left - 6, top + 10);
			context.fillText("0", left - 6, height - bottom);
			context.textAlign = "left";
			context.fillText(String(phase.iterations[0]), left, height - 6);
			context.textAlign = "right";
			context.fillText(String(phase.iterations.at(-1)), width - right, height - 6);
			context.globalAlpha = 0.4;
			context.strokeRect(left - .5, top - .5, width - left - right + 1, height - top - bottom + 1);
			context.globalAlpha = 1;
			if (series.least) {
				context.fillStyle = "#56b4e9";
				context.globalAlpha = 0.35;
				context.beginPath();
				series.most.forEach((value, i) => context[i ? "lineTo" : "moveTo"](x(i, width), y(value)));
				for (let i = count - 1; i >= 0; i--)
					context.lineTo(x(i, width), y(series.least[i]));
				context.fill();
				context.globalAlpha = 1;
			}
			context.strokeStyle = "#e69f00";
			context.lineWidth = 2;
			line(series.mean);
			if (count === 1)
				context.fillRect(x(0, width) - 3, y(series.mean[0]) - 3, 6, 6);
			context.lineWidth = 1;
			context.strokeStyle = style.color;
			context.beginPath();
			context.moveTo(x(this.chosen, width), top);
			context.lineTo(x(this.chosen, width), height - bottom);
			context.stroke();
		}, {
			onmousemove: event => { const i = at(event); if (i >= 0 && i < count) showTip(event, this.describe(phase, series, i)); else hideTip(); },
			onmouseleave: hideTip, onclick: event => choose(at(event)),
			onkeydown: event => {
				const next = { ArrowLeft: this.chosen - 1, ArrowRight: this.chosen + 1, Home: 0, End: count - 1 }[event.key];
				if (next === undefined)
					return;
				event.preventDefault();
				choose(next);
			}
		});
		return made;
	}

	/* Returns the seconds of each iteration by rank: [{name, seconds: by index of iteration, NaN: not known}]. */
	ranks(phase) {
		const { profile } = this.page, index = new Map(phase.iterations.map((number, i) => [number, i])), rows = new Map();

		if (phase.maps.length) {
			for (const { rank, thread, iterations, seconds } of phase.maps) {
				const name = "rank " + rank + (thread ? " thread " + thread : "");
				const row = rows.get(name) || rows.set(name, { name, seconds: new Float64Array(phase.iterations.length).fill(NaN) }).get(name);
				iterations.forEach((number, i) => { const at = index.get(number); row.seconds[at] = (row.seconds[at] || 0) + seconds[i]; });
			}
			return [...rows.values()];
		}
		const time = profile.metricNumber("time"), list = [];
		const at = profile.partOf(phase.call_path);
		if (time < 0 || at < 0)
			return [];
		for (const child of profile.children[at]) {
			const number = /^instance=(\d+)$/.exec(profile.regions.name[profile.cnodes.region[child]]);
			if (!number || !index.has(Number(number[1])))
				continue;
			profile.byColumn(time, child, true).forEach((value, column) => {
				list[column] = list[column] || { name: profile.columnName(column), seconds: new Float64Array(phase.iterations.length).fill(NaN) };
				list[column].seconds[index.get(Number(number[1]))] = value;
			});
		}
		return list.filter(row => row && row.seconds.some(value => value > 0));
	}

	map(phase) {
		const rows = this.ranks(phase);

		if (!rows.length)
			return phase.lacks_maps ? [element("p", { class: "dim" }, "The times of single ranks are left out, because the run is large (fathom report --json has them).")] : [];
		const most = rows.reduce((largest, row) => row.seconds.reduce((a, b) => b > a ? b : a, largest), 0) || 1, count = phase.iterations.length;
		const size = Math.max(2, Math.min(20, Math.floor(420 / rows.length))), left = 130, style = getComputedStyle(document.body);
		const made = this.canvas("phase-map", "Time of each iteration by rank", rows.length * size + 2, (context, width) => {
			const step = (width - left) / count;

			rows.forEach((row, r) => row.seconds.forEach((value, i) => {
				if (Number.isNaN(value))
					return;
				context.fillStyle = scaleColour(value / most);
				context.fillRect(left + i * step, r * size, Math.max(1, Math.ceil(step) - (step > 6 ? 1 : 0)), size - (size > 6 ? 1 : 0));
			}));
			context.fillStyle = style.color;
			context.font = "11px sans-serif";
			for (let r = 0, every = Math.ceil(13 / size); r < rows.length; r += every)
				context.fillText(rows[r].name, 2, r * size + Math.min(size, 13), left - 6);
		}, {
			onmousemove: event => {
				const row = rows[Math.floor(event.offsetY / size)], i = Math.floor((event.offsetX - left) / ((made.clientWidth || 800) - left) * count);
				if (row && i >= 0 && i < count)
					showTip(event, row.name + ", iteration " + phase.iterations[i] + ": " + formatSeconds(row.seconds[i]));
				else
					hideTip();
			}, onmouseleave: hideTip
		});

		this.shownRanks = rows;
		return [element("h2", {}, "Time by rank and iteration"), element("p", { class: "controls" },
			element("span", { class: "scale" }, "0", element("i", { style: "background:" + scaleGradient() }), formatSeconds(most))), made];
	}
}
