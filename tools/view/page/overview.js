/* overview: what the run was, what was found, and where the time went. */
class Overview {
	constructor(page) {
		this.page = page;
	}

	draw(view) {
		const { profile } = this.page, { report } = profile;

		if (profile.first) {
			this.drawComparison(view);
			return;
		}
		if (profile.isSigned) {
			view.append(element("section", {}, element("h2", {}, "Differences"), element("p", {}, "The values are those of fathom " +
				report.attributes["fathom::algebra"] + " of " + report.attributes["fathom::algebra_inputs"] + "."), this.facts(report)),
				element("h2", {}, "Largest differences"), this.changes());
			return;
		}
		view.append(element("div", { class: "columns" },
			element("section", {}, element("h2", {}, "The run"), this.facts(report)),
			element("section", {}, element("h2", {}, "Findings"), this.findings(report.findings || []),
				...(report.efficiency && Number.isFinite(report.efficiency.parallel) && !this.sharesProcessors(report.summary.sharing) ?
					[element("h2", {}, "Efficiency, without MPI's start and end"), this.efficiency(report.efficiency)] : []))),
			element("h2", {}, "Where the time goes"), this.activities(report),
			element("h2", {}, "Most expensive regions"), this.regions(),
			element("h2", {}, "Balance"), this.balance(report));
	}

	/* Two runs: what they were, and what changed most. */
	drawComparison(view) {
		const { profile } = this.page, { report, comparison } = profile, only = side => comparison.only.filter(which => which === side).length;
		const metric = new Selection(profile).metric, unit = profile.metrics[metric].unit;
		const before = profile.first.values(metric, null).total, after = profile.values(metric, null).total;
		const remarks = [[1, "A", "gone"], [2, "B", "new"]].filter(([side]) => only(side)).map(([side, name, what]) =>
			element("li", {}, only(side) + (only(side) === 1 ? " call path is" : " call paths are") + " only in " + name + ": " + what + "."));

		view.append(element("div", { class: "columns" },
			element("section", {}, element("h2", {}, "A: before"), this.facts({ summary: comparison.first, attributes: {} })),
			element("section", {}, element("h2", {}, "B: after"), this.facts(report))),
			element("h2", {}, profile.metrics[metric].title + " over all ranks and threads"),
			element("p", { id: "compared" }, formatValue(before, unit) + " → " + formatValue(after, unit) + " (" + formatChange(after - before, unit) +
				(before ? ", " + formatRelativeChange(before, after) : "") + ")"),
			element("ul", {}, ...remarks),
			element("h2", {}, "What changed most ", scaleLegend(profile)), this.changes(),
			element("p", { class: "dim" }, "Single runs differ by chance: fathom diff A1 A2 A3 -- B1 B2 B3 says which differences are more than that."));
	}

	/* The functions whose own values changed most. */
	changes() {
		const { profile } = this.page, metric = new Selection(profile).metric, unit = profile.metrics[metric].unit;
		const values = profile.values(metric, null), first = profile.first ? profile.first.values(metric, null) : null, rows = new Map();

		for (let c = 0; c < profile.callPathCount; c++) {
			const region = profile.functionOf(c);
			if (!profile.cnodes.counted[c])
				continue;
			const row = rows.get(region) || { region, before: 0, after: 0 };
			row.before += first ? first.own[c] || 0 : 0;
			row.after += values.own[c] || 0;
			rows.set(region, row);
		}
		const change = row => row.after - row.before;
		const top = [...rows.values()].sort((a, b) => Math.abs(change(b)) - Math.abs(change(a))).slice(0, 15).filter(row => change(row) !== 0);
		const most = top.length ? Math.abs(change(top[0])) : 1;
		if (!top.length)
			return element("p", { class: "dim" }, "There is no difference.");
		return element("table", { id: "top" }, element("thead", {}, element("tr", {}, ...["change", ...first ? ["A", "B", ""] : [], "region", ""].map((title, i) =>
			element("th", { class: i < (first ? 4 : 1) ? "number" : "" }, title)))), ...top.map(row => element("tr", { class: "link", onclick: () => this.page.showRegion(row.region) },
			element("td", { class: "number" }, changeCell(change(row), unit, most)),
			...first ? [element("td", { class: "number" }, formatValue(row.before, unit)), element("td", { class: "number" }, formatValue(row.after, unit)),
				element("td", { class: "number" }, formatRelativeChange(row.before, row.after))] : [],
			element("td", { class: "name" }, profile.regions.name[row.region]), element("td", { class: "dim" }, profile.place(row.region)))));
	}

	facts(report) {
		const { summary, attributes } = report;
		const facts = [
			["Command", summary.command], ["File", summary.file],
			["Ran on", summary.ranks + (summary.ranks === 1 ? " rank, " : " ranks, ") + summary.threads + (summary.threads === 1 ? " thread" : " threads")],
			["Started", attributes["fathom::start"]], ["Wall time", summary.wall_time === null ? null : formatSeconds(summary.wall_time)],
			["CPU time", summary.processor_time === null ? null : formatSeconds(summary.processor_time)],
			["Overhead", summary.overhead === null || !summary.time ? null : formatPercent(summary.overhead, summary.time) + " of the time (estimate)"],
			["Samples", attributes["fathom::samples"]], ["Made by", attributes.Creator]
		];

		return element("table", { class: "facts" }, ...facts.filter(fact => fact[1]).map(([name, value]) =>
			element("tr", {}, element("td", {}, name), element("td", {}, String(value)))));
	}

	findings(findings) {
		if (!findings.length)
			return element("p", { class: "dim" }, "Nothing was found that would need attention.");
		return element("ol", { class: "findings" }, ...findings.map(finding => element("li", {}, finding.text, " ",
			Number.isInteger(finding.call_path) ? element("button", { onclick: () => this.page.showCallPath(this.page.profile.partOf(finding.call_path)) },
				"Show " + finding.name) : null)));
	}

	/* Returns whether ranks or threads had to wait for a processor: then efficiencies would mislead. */
	sharesProcessors(sharing) {
		return sharing !== null && sharing !== undefined && sharing.threads > sharing.processors;
	}

	/* The efficiencies of the run: each is a product of those after it. */
	efficiency(efficiency) {
		const rows = [["parallel", "Parallel efficiency"], ["mpi", "of MPI"], ["load_balance", "Load balance"], ["communication", "Communication"],
			["serialisation", "Serialisation"], ["transfer", "Transfer"], ["threads", "of threads"]]
			.filter(([key]) => Number.isFinite(efficiency[key]));

		return element("table", { class: "facts", id: "efficiency" }, ...rows.map(([key, title]) => element("tr", {},
			element("td", {}, title), element("td", { class: "number" }, formatPercent(efficiency[key], 1)),
			element("td", { style: "width:60%" }, element("span", { class: "bar", style: `width:${100 * Math.min(1, efficiency[key])}%` })))));
	}

	activities(report) {
		const shown = (report.activities || []).filter(activity => activity.seconds > 0 && activity.name !== "execution");
		const total = report.summary.time || shown.reduce((most, activity) => Math.max(most, activity.seconds), 0);
		const depth = activity => activity && activity.within && !["time", "execution"].includes(activity.within) ?
			1 + depth(shown.find(other => other.name === activity.within)) : 0;

		return element("table", { id: "activities" }, ...shown.map(activity => element("tr", { class: "link", onclick: () => this.page.showMetric(activity.name) },
			element("td", { class: "number" }, formatSeconds(activity.seconds)),
			element("td", { class: "number" }, formatPercent(activity.seconds, total)),
			element("td", { class: "name" }, "\u00a0".repeat(3 * depth(activity)) + activity.title),
			element("td", { class: "bars" }, element("span", { class: "bar", style: `width:${100 * activity.seconds / (total || 1)}%;background:${activityColour(activity.name)}` })))));
	}

	regions() {
		const { profile } = this.page, metric = new Selection(profile).metric, values = profile.values(metric, null), own = new Map();

		for (let c = 0; c < profile.callPathCount; c++)
			if (profile.cnodes.counted[c])
				own.set(profile.functionOf(c), (own.get(profile.functionOf(c)) || 0) + values.own[c]);
		const top = [...own].sort((a, b) => b[1] - a[1]).slice(0, 10).filter(([, value]) => value > 0);
		return element("table", { id: "top" }, ...top.map(([region, value]) => element("tr", { class: "link", onclick: () => this.page.showRegion(region) },
			element("td", { class: "number" }, formatValue(value, profile.metrics[metric].unit)),
			element("td", { class: "number" }, formatPercent(value, values.total)),
			element("td", { class: "name" }, profile.regions.name[region]),
			element("td", { class: "dim" }, profile.place(region)),
			element("td", { class: "bars" }, element("span", { class: "bar", style: `width:${100 * value / (values.total || 1)}%;background:${activityColour(profile.regions.activity[region])}` })))));
	}

	balance(report) {
		const units = report.balance || [], what = report.balance_of === "threads" ? "thread" : "rank";
		const most = Math.max(...units.map(unit => unit.time), 1e-300);
		const titleOf = kind => this.page.profile.metricNumber(kind) < 0 ? kind : this.page.profile.metrics[this.page.profile.metricNumber(kind)].title;
		const kinds = [...new Set(units.flatMap(unit => Object.keys(unit)))].filter(key => !["rank", "thread", "time"].includes(key));

		if (units.length > 256)
			return element("p", {}, element("button", { onclick: () => this.page.show("ranks") }, "Show " + units.length + " " + what + "s"));
		return element("div", {}, element("p", { class: "scale legend" }, ...kinds.map(kind => element("span", {},
			element("i", { style: "width:1em;background:" + activityColour(kind) }), " " + titleOf(kind)))),
			element("table", { id: "balance" }, ...units.map(unit => element("tr", {}, element("td", { class: "number", style: "width:6em" }, what + " " + unit[what]),
				element("td", {}, ...kinds.filter(kind => unit[kind] > 0).map(kind => element("span", { class: "bar",
					style: `width:${100 * unit[kind] / most}%;background:${activityColour(kind)};border-radius:0`, title: titleOf(kind) + ": " + formatSeconds(unit[kind]) })))))));
	}
}
