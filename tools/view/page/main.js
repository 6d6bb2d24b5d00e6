/* main: the tabs of the page, and what connects its views. */
class Page {
	constructor(profile) {
		this.profile = profile;
		this.selection = new Selection(profile);
		this.panes = new Panes(this);
		this.flat = new FlatView(this);
		this.callers = new CallersView(this);
		this.views = {
			overview: ["Overview", new Overview(this)],
			...profile.scaling ? { scaling: ["Scaling", new ScalingView(this)] } : {},
			tree: ["Call tree", this.panes],
			flame: ["Flame graph", new Flame(this)],
			flat: ["Regions", this.flat],
			callers: ["Callers", this.callers],
			ranks: ["Ranks", new RanksView(this)],
			messages: ["Messages", new MessagesView(this)],
			time: ["Time", new TimeView(this)],
			source: ["Source", new SourceView(this)],
			metrics: ["Metrics", new MetricsView(this)]
		};
		this.selection.listeners.push(() => this.update());
		document.getElementById("title").textContent = profile.report.summary.command || profile.report.summary.file;
		document.title = document.getElementById("title").textContent + " - fathom";
		document.getElementById("tabs").append(...Object.entries(this.views).map(([key, [title]]) =>
			element("button", { role: "tab", id: "tab-" + key, onclick: () => this.show(key) }, title)));
		document.body.classList.toggle("comparison", profile.first !== null);
		this.listen();
		this.show(profile.scaling ? "scaling" : "overview");
	}

	listen() {
		const search = document.getElementById("search"), root = document.documentElement;

		search.addEventListener("input", () => this.selection.set({ search: search.value.toLowerCase() }));
		search.addEventListener("keydown", event => { if (event.key === "Enter") this.showFound(); });
		document.getElementById("hot").addEventListener("click", () => this.showHotPath());
		document.getElementById("theme").addEventListener("click", () => { root.classList.toggle("dark"); this.redraw(); });
		root.classList.toggle("dark", matchMedia("(prefers-color-scheme: dark)").matches);
		addEventListener("keydown", event => {
			if (event.target.matches("input, select") || event.ctrlKey || event.metaKey || event.altKey)
				return;
			if (event.key === "/") {
				event.preventDefault();
				search.focus();
			} else if (event.key === "h") {
				this.showHotPath();
			} else if (/^[0-9]$/.test(event.key)) {
				this.show(Object.keys(this.views)[(Number(event.key) + 9) % 10]);
			}
		});
		addEventListener("resize", () => this.redraw());
	}

	show(key) {
		this.shown = key;
		for (const tab of document.querySelectorAll("[role=tab]"))
			tab.setAttribute("aria-selected", String(tab.id === "tab-" + key));
		this.redraw();
	}

	redraw() {
		const view = document.getElementById("view");

		hideTip();
		view.replaceChildren();
		this.views[this.shown][1].draw(view);
		this.updateChosen();
	}

	update() {
		const view = this.views[this.shown][1];

		if (view.update)
			view.update();
		this.updateChosen();
	}

	/* The line that says what is chosen. */
	updateChosen() {
		const { profile, selection } = this, { metric, callPath, system } = selection;
		const parts = [element("b", {}, profile.metrics[metric].title), ": " + this.formatChosen(metric), " in ",
			element("b", {}, callPath < 0 ? "the whole run" : profile.path(callPath).join(" › ") + (selection.isOwn ? " (own)" : "")),
			" on ", element("b", {}, system === "all" ? "all ranks and threads" : systemName(profile, system))];

		if (callPath >= 0 || system !== "all")
			parts.push(element("button", { onclick: () => selection.set({ callPath: -1, isOwn: false, system: "all" }) }, "Whole run"));
		document.getElementById("chosen").replaceChildren(...parts);
	}

	/* Returns the value of a metric of what is chosen; of two compared runs, both and the change. */
	formatChosen(metric) {
		const { profile, selection } = this, value = selection.valueOf(metric), unit = profile.metrics[metric].unit;

		if (!profile.first)
			return formatValue(value, unit);
		const before = selection.firstValueOf(metric);
		return formatValue(before, unit) + " → " + formatValue(value, unit) + " (" + formatChange(value - before, unit) +
			(before ? ", " + formatRelativeChange(before, value) : "") + ")";
	}

	/* Returns a text about a call path: its path, values and place. */
	describe(callPath) {
		const { profile, selection } = this, region = profile.cnodes.region[callPath];
		const values = profile.values(selection.metric, selection.columns), visits = profile.metricNumber("visits");
		const lines = [profile.path(callPath).join(" › "),
			profile.metrics[selection.metric].title + ": " + formatValue(values.inclusive[callPath], selection.unit) + ", own " + formatValue(values.own[callPath], selection.unit)];

		if (visits >= 0 && profile.own(visits, callPath, selection.columns))
			lines.push("visits: " + formatValue(profile.own(visits, callPath, selection.columns), "occ"));
		if (profile.first) {
			const before = profile.first.values(selection.metric, selection.columns);
			lines.splice(2, 0, "before: " + formatValue(before.inclusive[callPath], selection.unit) + ", own " + formatValue(before.own[callPath], selection.unit));
		}
		if (profile.onlyIn(callPath))
			lines.push("only in " + profile.onlyIn(callPath));
		if (profile.isSampled(callPath))
			lines.push("sampled: the time is an estimate");
		if (profile.regions.file[region] >= 0)
			lines.push(profile.files[profile.regions.file[region]] + (profile.regions.line[region] > 0 ? ":" + profile.regions.line[region] : ""));
		return lines.join("\n");
	}

	showMetric(name) {
		const metric = this.profile.metricNumber(name);

		if (metric >= 0)
			this.selection.set({ metric });
		this.show("tree");
	}

	showCallers(region) {
		this.callers.region = region;
		this.show("callers");
	}

	/* Shows the source text of a region; -1: the page has none of it, and nothing happens. */
	showSource(region) {
		if (region < 0)
			return;
		this.show("source");
		this.showRegion(region);
	}

	/* Shows the most expensive call path of a region in the call tree. */
	showRegion(region) {
		const { profile, selection } = this, values = profile.changes(selection.metric, selection.columns);
		const size = c => profile.isSigned ? Math.abs(values.own[c]) || 0 : values.own[c] || 0;
		let best = -1;

		for (let c = 0; c < profile.callPathCount; c++)
			if (profile.cnodes.region[c] === region && (best < 0 || size(c) > size(best)))
				best = c;
		if (best >= 0)
			this.showCallPath(best);
	}

	showCallPath(callPath) {
		const { profile } = this, above = [];

		for (let c = profile.cnodes.parent[callPath]; c >= 0; c = profile.cnodes.parent[c])
			above.push(c);
		if (this.shown !== "source")
			this.show("tree");
		this.selection.set({ callPath, isOwn: false });
		this.panes.callTree.reveal(above, callPath);
	}

	/* Follows the largest inclusive value, or change, as long as it is at least half of its caller's. */
	showHotPath() {
		const { profile, selection } = this, values = profile.changes(selection.metric, selection.columns);
		const size = c => profile.isSigned ? Math.abs(values.inclusive[c]) || 0 : values.inclusive[c] || 0;
		let at = profile.roots.reduce((best, c) => size(c) > size(best) ? c : best, profile.roots[0]);

		for (;;) {
			const next = this.panes.childrenByValue(at)[0];
			if (next === undefined || !(size(next) > 0 && size(next) >= size(at) / 2))
				break;
			at = next;
		}
		this.show("tree");
		this.showCallPath(at);
	}

	/* Shows the next call path whose region contains the searched text. */
	showFound() {
		const { profile, selection } = this, count = profile.callPathCount;

		for (let i = 1; i <= count; i++) {
			const c = (selection.callPath + i + count) % count;
			if (selection.isFound(c)) {
				this.showCallPath(c);
				return;
			}
		}
	}
}

Profile.read().then(profile => { window.fathom = new Page(profile); }, error => {
	document.getElementById("view").replaceChildren(element("p", { class: "warn" }, "The page cannot be shown: " + error +
		" (a browser from 2023 or later is needed)"));
});
