/* scaling: how the program scales, from runs of several sizes: efficiencies, losses, and how call paths grow. */

/* The factors of the efficiency, with their level: a factor is the product of those of the next level below it. */
const SCALING_FACTORS = [["global", "Global efficiency", 0], ["parallel", "Parallel efficiency", 1], ["load_balance", "Load balance", 2],
	["communication", "Communication", 2], ["serialisation", "Serialisation", 3], ["transfer", "Transfer", 3], ["threads", "Threads", 2],
	["computation", "Computation scaling", 1], ["instructions", "Instruction scaling", 2], ["ipc", "IPC scaling", 2], ["frequency", "Frequency scaling", 2]];

const SCALING_CHARTED = ["global", "parallel", "load_balance", "communication", "threads", "computation"];
const SCALING_COLOURS = ["#3b7fc4", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
const SCALING_LIMIT = 0.8;	/* of factors: that of fathom scaling */

function svgElement(tag, properties, ...children) {
	const made = document.createElementNS("http://www.w3.org/2000/svg", tag);

	for (const [key, value] of Object.entries(properties))
		made.setAttribute(key, value);
	made.append(...children);
	return made;
}

/* Returns a chart with a logarithmic axis of sizes. lines: [{name, points: [[size, value]], curve: [[size, value]], dashed: [[size,
 * value]]}]; axis: {least, most, isLog, marks: [value], text(value)}. */
function scalingChart(sizes, lines, axis, title) {
	const width = 760, height = 320, left = 80, right = 20, top = 16, bottom = 44, first = sizes[0], last = sizes.at(-1);
	const x = size => left + (width - left - right) * Math.log(size / first) / Math.log(last / first);
	const share = value => axis.isLog ? Math.log(value / axis.least) / Math.log(axis.most / axis.least) : (value - axis.least) / (axis.most - axis.least);
	const y = value => height - bottom - (height - top - bottom) * Math.min(Math.max(share(value), 0), 1);
	const path = points => points.map(([size, value], i) => (i ? "L" : "M") + x(size).toFixed(1) + " " + y(value).toFixed(1)).join(" ");
	const text = (at, up, anchor, what) => svgElement("text", { x: at, y: up, "text-anchor": anchor }, what);
	const chart = svgElement("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": title },
		svgElement("path", { class: "axis", d: `M${left} ${top} V${height - bottom} H${width - right}` }));
	let previous = -100;

	for (const size of sizes) {
		if (x(size) - previous < 24)	/* the numbers would touch each other */
			continue;
		previous = x(size);
		chart.append(text(previous, height - bottom + 18, "middle", String(Math.round(size))));
	}
	chart.append(text((left + width - right) / 2, height - 8, "middle", "threads of all ranks"));
	for (const mark of axis.marks)
		chart.append(svgElement("path", { class: "axis faint", d: `M${left} ${y(mark)} H${width - right}` }), text(left - 8, y(mark) + 4, "end", axis.text(mark)));
	if (axis.limit)
		chart.append(svgElement("path", { class: "limit", d: `M${left} ${y(axis.limit)} H${width - right}` }));
	lines.forEach((line, i) => {
		const stroke = SCALING_COLOURS[i % SCALING_COLOURS.length];
		chart.append(svgElement("path", { d: path(line.curve), fill: "none", stroke, "stroke-width": 2 }),
			svgElement("path", { d: path(line.dashed || []), fill: "none", stroke, "stroke-width": 2, "stroke-dasharray": "5 4" }),
			...line.points.map(([size, value]) => svgElement("circle", { cx: x(size), cy: y(value), r: 3.5, fill: stroke },
				svgElement("title", {}, line.name + ": " + axis.text(value) + " at " + size))));
	});
	return element("div", {}, chart, element("p", { class: "scale legend" }, ...lines.map((line, i) =>
		element("span", {}, element("i", { style: "width:1.4em;height:.25em;background:" + SCALING_COLOURS[i % SCALING_COLOURS.length] }), " " + line.name))));
}

class ScalingView {
	constructor(page) {
		this.page = page;
	}

	get data() {
		return this.page.profile.scaling;
	}

	draw(view) {
		const { data } = this, { sizes } = data, shared = sizes.filter(size => size.shares_processors);

		view.append(element("p", {}, sizes.length + " sizes; expected scaling: " + data.expectation + (data.recognised_by ? " (recognised by the " + data.recognised_by + ")" : "") +
			". The other views show the largest run; its scaling losses are metrics of the call tree."));
		if (shared.length)
			view.append(element("p", { class: "warn" }, "In the runs of " + shared.map(size => size.ranks).join(", ") +
				" ranks, ranks or threads shared processors: their times tell little about how the program scales."));
		view.append(element("h2", {}, "Efficiency"), this.factorChart(), this.factorTable(), this.broken(),
			element("h2", {}, "Scaling losses"), this.losses());
		if (data.model)
			view.append(element("h2", {}, "Growth with the number of threads, p"), ...this.growth());
	}

	/* The sizes of the charts: those of the runs, and the one for which values are predicted. */
	axisSizes() {
		return [...this.data.sizes.map(size => size.threads), this.data.target];
	}

	isNumber(value) {
		return typeof value === "number";
	}

	factorChart() {
		const { sizes, projected, target } = this.data, last = sizes.at(-1);
		const lines = SCALING_CHARTED.flatMap(key => {
			const points = sizes.filter(size => this.isNumber(size.efficiency[key])).map(size => [size.threads, size.efficiency[key]]);
			const dashed = this.isNumber(projected[key]) && this.isNumber(last.efficiency[key]) ? [[last.threads, last.efficiency[key]], [target, projected[key]]] : [];
			return points.length ? [{ name: SCALING_FACTORS.find(([name]) => name === key)[1], points, curve: points, dashed }] : [];
		});
		/* Larger factors are drawn at the upper edge; the table has their values. */
		const most = Math.min(1.2, Math.max(1, ...lines.flatMap(line => line.points.map(([, value]) => value))));

		return scalingChart(this.axisSizes(), lines, { least: 0, most, marks: [0, .2, .4, .6, .8, 1], limit: SCALING_LIMIT, text: value => value.toFixed(2) }, "Efficiencies by size");
	}

	factorTable() {
		const { sizes, projected, target } = this.data, number = text => element("td", { class: "number" }, text);
		const cell = value => this.isNumber(value) ? element("td", { class: "number" + (value < SCALING_LIMIT ? " warn" : "") }, value.toFixed(3)) : number("-");
		const isProjected = Object.values(projected).some(value => this.isNumber(value));
		const rows = SCALING_FACTORS.filter(([key]) => sizes.some(size => this.isNumber(size.efficiency[key])));

		return element("div", { class: "wide" }, element("table", { id: "efficiencies" },
			element("thead", {}, element("tr", {}, element("th", {}, "ranks x threads"), ...sizes.map(size => element("th", { class: "number" }, size.ranks + " x " + size.threads / size.ranks)),
				isProjected ? element("th", { class: "number" }, Math.round(target) + ", projected") : null)),
			element("tbody", {}, element("tr", {}, element("td", {}, "Speed-up"), ...sizes.map(size => number(this.isNumber(size.speed_up) ? size.speed_up.toFixed(2) : "-")), isProjected ? number("") : null),
				element("tr", {}, element("td", {}, "Run time"), ...sizes.map(size => number(this.isNumber(size.run_time) ? formatSeconds(size.run_time) : "-")), isProjected ? number("") : null),
				...rows.map(([key, title, level]) => element("tr", {}, element("td", {}, "\u00a0".repeat(3 * level) + title), ...sizes.map(size => cell(size.efficiency[key])),
					isProjected ? cell(projected[key]) : null)))));
	}

	broken() {
		const { first_broken: broken } = this.data;

		if (!broken)
			return element("p", { id: "broken" }, "No factor is below " + SCALING_LIMIT.toFixed(2) + ".");
		return element("p", { id: "broken" }, "The first factor to break: ", element("b", {}, SCALING_FACTORS.find(([key]) => key === broken.factor)[1]),
			", " + broken.value.toFixed(3) + " with " + broken.ranks + " ranks and " + broken.threads + " threads (below " + SCALING_LIMIT.toFixed(2) + ").");
	}

	/* Shows the loss of a call path in the call tree. A path that the tree does not have under that name is not shown. */
	showLoss(path) {
		const { profile } = this.page, metric = profile.metricNumber("scaling_loss"), scopes = new Set(profile.regions.scopes);
		const pathOf = c => { const parent = profile.cnodes.parent[c]; return scopes.has(profile.cnodes.region[c]) ? pathOf(parent) : (parent < 0 ? "" : pathOf(parent) + " > ") + profile.name(c); };
		const callPath = profile.cnodes.region.findIndex((region, c) => !scopes.has(region) && pathOf(c) === path);

		if (metric >= 0)
			this.page.selection.set({ metric });
		if (callPath >= 0)
			this.page.showCallPath(callPath);
	}

	losses() {
		const { sizes, losses, unit } = this.data, last = sizes.at(-1);

		if (!losses.length)
			return element("p", { class: "dim" }, "No call path loses anything.");
		return element("div", {}, element("p", {}, "Own values per thread, from " + sizes[0].threads + " to " + last.threads + " threads. The whole run loses " + last.loss_percent.toFixed(1) + "%. A click shows the loss in the call tree."),
			sortableTable([
				{ title: "loss", number: true, value: row => row.loss_percent, text: row => row.loss_percent.toFixed(1) + "%" },
				...sizes.map((size, i) => ({ title: String(size.threads), number: true, value: row => row.values[i], text: row => formatValue(row.values[i], unit) })),
				{ title: "call path", number: false, value: row => row.path, text: row => row.path.replaceAll(" > ", " › ") }
			], [...losses], row => this.showLoss(row.path), 0, 100));
	}

	growth() {
		const { sizes, growing, unit, target } = this.data, last = sizes.at(-1), shown = growing.filter(row => row.model && row.model.predicted > row.values.at(-1));
		const value = (model, p) => model.constant + model.coefficient * p ** model.exponent * Math.log2(p) ** model.log_exponent;
		const top = shown.slice(0, SCALING_COLOURS.length), all = top.flatMap(row => [...row.values, row.model.predicted]).filter(size => size > 0);
		const table = sortableTable([
			{ title: "model", number: true, value: row => row.model.term, text: row => row.model.term },
			{ title: "error", number: true, value: row => row.model.error, text: row => (100 * row.model.error).toFixed(1) + "%" },
			{ title: String(last.threads), number: true, value: row => row.values.at(-1), text: row => formatValue(row.values.at(-1), unit) },
			{ title: Math.round(target) + ", predicted", number: true, value: row => row.model.predicted - row.values.at(-1), text: row => formatValue(row.model.predicted, unit) },
			{ title: "least", number: true, value: row => row.model.low, text: row => formatValue(row.model.low, unit) },
			{ title: "most", number: true, value: row => row.model.high, text: row => formatValue(row.model.high, unit) },
			{ title: "call path", number: false, value: row => row.path, text: row => row.path.replaceAll(" > ", " › ") }
		], [...shown], row => this.showLoss(row.path), 3, 50);

		if (!shown.length || !all.length)
			return [element("p", { class: "dim" }, "No call path grows.")];
		const most = 10 ** Math.ceil(Math.log10(Math.max(...all))), least = 10 ** Math.floor(Math.log10(Math.max(Math.min(...all), most * 1e-6)));
		const marks = Array.from({ length: Math.round(Math.log10(most / least)) + 1 }, (unused, i) => least * 10 ** i);
		const steps = Array.from({ length: 61 }, (unused, i) => sizes[0].threads * (target / sizes[0].threads) ** (i / 60));
		const lines = top.map(row => ({ name: row.name, points: row.values.map((size, i) => [sizes[i].threads, size]).filter(([, size]) => size >= least),
			curve: steps.map(p => [p, value(row.model, p)]).filter(([, size]) => size >= least) }));

		return [element("p", {}, "Own values per thread; the worst first. Points are measured, lines are models."),
			most > least ? scalingChart(this.axisSizes(), lines, { least, most, isLog: true, marks, text: size => formatValue(size, unit) }, "Growth of call paths") : null, table].filter(part => part !== null);
	}
}
