/* source: the text of the chosen region's function, with the samples of each line where the profile has them. */
class SourceView {
	constructor(page) {
		this.page = page;
	}

	draw(view) {
		this.body = element("div");
		view.append(this.body);
		this.update();
	}

	update() {
		const { profile, selection } = this.page;
		const region = selection.callPath >= 0 ? profile.regionWithText(selection.callPath) : -1;
		const source = region >= 0 ? profile.sources[region] : undefined;
		const available = Object.keys(profile.sources).map(Number);

		if (!source) {
			this.body.replaceChildren(element("p", { class: "dim" }, region < 0 ? "Choose a region." :
				"The page has no source text of " + profile.regions.name[region] + (profile.place(region) ? " (" + profile.place(region) + ")." : ".")),
				element("h2", {}, "Functions with source text"),
				element("ul", {}, ...available.map(number => element("li", {}, element("button", { onclick: () => this.page.showRegion(number) },
					profile.regions.name[number]), " ", profile.place(number)))));
			return;
		}
		const most = source.own ? Math.max(...source.own, ...source.calls, 1e-300) : 1;
		const lines = source.lines.map((text, i) => element("tr", {},
			element("td", { class: "number" }, String(source.first + i)),
			...(source.own ? [source.own, source.calls].map(times => element("td", { class: "number",
				style: times[i] ? "background:linear-gradient(to left, var(--mark) " + Math.round(100 * times[i] / most) + "%, transparent 0)" : "" },
				times[i] ? formatSeconds(times[i]) : "")) : []),
			element("td", {}, text || " ")));
		this.body.replaceChildren(element("h2", {}, profile.regions.name[region] + " in " + source.path),
			element("p", { class: "dim" }, "As the file was on " + new Date(source.changed * 1000).toISOString().slice(0, 16).replace("T", " ") + " UTC."),
			element("div", { class: "source" }, element("table", {},
				source.own ? element("thead", {}, element("tr", {}, ...["line", "own", "calls", ""].map(title => element("th", { class: title ? "number" : "" }, title)))) : null,
				element("tbody", {}, ...lines))),
			source.own ? element("p", { class: "dim" }, "own: in the line and in what was inlined there; calls: in functions called from it that are not recorded themselves. Both are estimates from samples of all ranks and threads.") : null);
	}
}
