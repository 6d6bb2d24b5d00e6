/*
 * flame: the call tree as a flame graph that hangs from the top: the width of a box is the inclusive value of its call
 * path. A click shows the part below a box.
 */
class Flame {
	constructor(page) {
		this.page = page;
		this.top = -1;		/* the call path that fills the width; -1: the whole run */
	}

	draw(view) {
		const boxOf = event => event.target.dataset.id === undefined ? -1 : Number(event.target.dataset.id);

		this.body = element("div", { class: "flame",
			onclick: event => {
				if (boxOf(event) < 0)
					return;
				this.top = boxOf(event);
				this.page.selection.set({ callPath: this.top, isOwn: false });
			},
			onmousemove: event => boxOf(event) < 0 ? hideTip() : showTip(event, this.describe(boxOf(event))), onmouseleave: hideTip });
		view.append(element("p", { class: "controls" },
			element("button", { onclick: () => { this.top = -1; this.update(); } }, "Whole run"),
			element("button", { onclick: () => { this.top = Math.max(-1, this.top < 0 ? -1 : this.page.profile.cnodes.parent[this.top]); this.update(); } }, "One level up"),
			element("span", { class: "dim" }, this.page.profile.first ? "Width: the larger of both runs. A click shows the part below." :
				"Width: the chosen metric with all that is called. A click shows the part below." + (this.page.profile.isSigned ? "" : " Colours: computation, MPI, threads, files.")),
			scaleLegend(this.page.profile) || ""),
			this.body);
		this.update();
	}

	update() {
		const { profile, selection } = this.page;
		const metric = profile.isSum(selection.metric) ? selection.metric : new Selection(profile).metric;
		const values = profile.values(metric, selection.columns), boxes = [], widths = this.widths(metric, values);
		const width = this.width = this.body.clientWidth || 1200;
		this.largest = profile.isSigned ? profile.largestChange(metric, selection.columns) || 1 : 1;
		let deepest = 0;

		const place = (callPath, left, share, depth) => {
			if (share * width < 4)
				return;
			deepest = Math.max(deepest, depth);
			boxes.push(this.box(callPath, left, share, depth, values, metric));
			let at = left;
			for (const child of this.page.panes.childrenByValue(callPath)) {
				const part = widths[callPath] ? share * widths[child] / widths[callPath] : 0;
				if (!profile.isTasks[child]) {
					place(child, at, part, depth + 1);
					at += part;
				}
			}
		};
		if (this.top >= 0) {
			place(this.top, 0, 1, 0);
		} else {
			const tops = [...profile.roots, ...profile.cnodes.tasks], whole = tops.reduce((sum, c) => sum + widths[c], 0);
			let at = 0;
			for (const root of tops) {
				place(root, at, whole ? widths[root] / whole : 0, 0);
				at += whole ? widths[root] / whole : 0;
			}
		}
		this.body.style.height = (deepest + 1) * 22 + "px";
		this.body.replaceChildren(...boxes);
	}

	/* Returns the widths of boxes by call path: inclusive values; of differences, sums of absolute own values; of two compared
	 * runs, sums of the larger own values, so that call paths of either run are seen. */
	widths(metric, values) {
		const { profile, selection } = this.page;

		if (!profile.isSigned)
			return values.inclusive;
		const first = profile.first ? profile.first.values(metric, selection.columns).own : values.own.map(() => 0);
		const widths = values.own.map((own, c) => Math.max(Math.abs(own), Math.abs(first[c])));
		for (let c = profile.callPathCount - 1; c >= 0; c--)
			if (profile.cnodes.parent[c] >= 0 && !profile.isTasks[c])
				widths[profile.cnodes.parent[c]] += widths[c];
		return widths;
	}

	/* Returns a text about a call path. */
	describe(callPath) {
		const { profile, selection } = this.page, metric = profile.isSum(selection.metric) ? selection.metric : new Selection(profile).metric;
		const values = profile.values(metric, selection.columns), { title, unit } = profile.metrics[metric];

		if (profile.first)
			return this.page.describe(callPath);
		return profile.name(callPath) + "\n" + title + ": " + formatValue(values.inclusive[callPath], unit) + " (" +
			formatPercent(values.inclusive[callPath], values.total) + "), own " + formatValue(values.own[callPath], unit) + "\n" +
			profile.place(profile.cnodes.region[callPath]);
	}

	box(callPath, left, share, depth, values, metric) {
		const { profile, selection } = this.page, region = profile.cnodes.region[callPath];
		const change = profile.isSigned ? profile.changes(metric, selection.columns).inclusive[callPath] / this.largest : 0;
		const colour = profile.isSigned ? changeColour(change) + ";color:" + textOnChange(change) : activityColour(profile.regions.activity[region]);

		/* There may be thousands of boxes, so their listeners are those of the whole picture. */
		const made = document.createElement("div");
		made.className = selection.isFound(callPath) ? "found" : "";
		made.dataset.id = callPath;
		made.style.cssText = `left:${100 * left}%;width:${100 * share}%;top:${depth * 22}px;background:${colour}` + (profile.isSampled(callPath) ? ";opacity:.75" : "");
		made.textContent = share * this.width > 12 ? profile.name(callPath) : "";
		return made;
	}
}
