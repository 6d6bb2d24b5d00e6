/*
 * tree: a tree of rows, of which only the visible ones are elements of the page, so that ten thousand rows are no
 * burden. Keys: arrows, Home and End move; right and left open and close; Enter chooses.
 */
const ROW_HEIGHT = 24;

class Tree {
	/*
	 * model: {roots(), children(id), value(id, isOpen), total(), unit(), label(id) -> element or text, tip(id), isFound(id),
	 * isChosen(id), choose(id, isOpen)}. If values are changes, also {before(id, isOpen), scale(), only(id), showsBefore, hidesValue}:
	 * the value is then that of the second run, and scale is the largest change. For differences of one profile: {scale()}.
	 */
	constructor(model, name) {
		this.model = model;
		this.open = new Set();
		this.rows = [];
		this.element = element("div", { class: "tree", tabindex: "0", role: "tree", "aria-label": name,
			onscroll: () => this.draw(), onkeydown: event => this.key(event) });
		this.body = element("div", { class: "rows" });
		this.element.append(this.body);
	}

	/* Finds the rows again, after values or the open rows have changed. */
	update() {
		this.rows = [];
		const add = (id, depth) => {
			this.rows.push({ id, depth });
			if (this.open.has(id))
				for (const child of this.model.children(id))
					add(child, depth + 1);
		};
		for (const root of this.model.roots())
			add(root, 0);
		this.body.style.height = this.rows.length * ROW_HEIGHT + "px";
		this.draw();
	}

	draw() {
		const first = Math.max(0, Math.floor(this.element.scrollTop / ROW_HEIGHT) - 5);
		const last = Math.min(this.rows.length, first + Math.ceil((this.element.clientHeight || 600) / ROW_HEIGHT) + 10);
		const total = this.model.total();

		this.body.replaceChildren(...this.rows.slice(first, last).map((row, i) => this.rowElement(row, first + i, total)));
	}

	rowElement(row, number, total) {
		const { model } = this, { id } = row;
		const hasChildren = model.children(id).length > 0, isOpen = this.open.has(id);
		const value = model.value(id, isOpen && hasChildren);
		const before = model.before ? model.before(id, isOpen && hasChildren) : 0;
		const share = model.scale ? (value - before) / (model.scale() || 1) : total ? Math.abs(value / total) : 0;
		const colour = model.scale ? changeColour(share) : scaleColour(share);
		const unit = model.unit(id);
		const made = element("div", {
			class: "row" + (model.isChosen(id) ? " chosen" : "") + (model.isFound(id) ? " found" : ""),
			style: "top:" + number * ROW_HEIGHT + "px", role: "treeitem", "aria-level": row.depth + 1,
			"aria-expanded": hasChildren ? String(isOpen) : null, "data-id": id,
			onclick: () => this.choose(id),
			ondblclick: () => this.toggle(id),
			onmousemove: event => showTip(event, model.tip(id)), onmouseleave: hideTip
		});

		made.append(...[
			model.showsBefore ? element("span", { class: "value before" }, formatValue(before, unit)) : null,
			model.hidesValue ? null : element("span", { class: "value" }, formatValue(value, unit)),
			model.before ? element("span", { class: "value change" }, formatChange(value - before, unit)) : null,
			element("span", { class: "percent" }, model.before ? formatRelativeChange(before, value) :
				model.isShare(id) && Number.isFinite(value) ? formatPercent(value, total) : ""),
			element("span", { class: "box", style: model.isShare(id) && Math.abs(share) >= 0.0005 ? "background:" + colour : "" }),
			element("span", { style: "flex:0 0 " + row.depth * 14 + "px" }),
			element("span", { class: "twist", onclick: event => { event.stopPropagation(); this.toggle(id); } },
				hasChildren ? isOpen ? "▾" : "▸" : ""),
			element("span", { class: "name" }, model.label(id),
				model.only && model.only(id) ? element("span", { class: "only" }, " only in " + model.only(id)) : null)
		].filter(part => part !== null));
		return made;
	}

	toggle(id) {
		if (!this.model.children(id).length)
			return;
		if (!this.open.delete(id))
			this.open.add(id);
		if (this.model.isChosen(id))
			this.choose(id);
		this.update();
	}

	choose(id) {
		this.model.choose(id, this.open.has(id) && this.model.children(id).length > 0);
	}

	/* Opens all rows above one, and scrolls to it. */
	reveal(ids, id) {
		for (const above of ids)
			this.open.add(above);
		this.update();
		const row = this.rows.findIndex(candidate => candidate.id === id);
		if (row < 0)
			return;
		const top = row * ROW_HEIGHT, height = this.element.clientHeight;
		if (top < this.element.scrollTop || top + ROW_HEIGHT > this.element.scrollTop + height)
			this.element.scrollTop = top - height / 3;
		this.draw();
	}

	key(event) {
		const at = this.rows.findIndex(row => this.model.isChosen(row.id)), row = this.rows[at];
		const go = next => { this.choose(this.rows[Math.min(Math.max(next, 0), this.rows.length - 1)].id); this.show(); };

		switch (event.key) {
		case "ArrowDown": go(at + 1); break;
		case "ArrowUp": go(at - 1); break;
		case "Home": go(0); break;
		case "End": go(this.rows.length - 1); break;
		case "ArrowRight":
			if (row && !this.open.has(row.id) && this.model.children(row.id).length)
				this.toggle(row.id);
			else
				go(at + 1);
			break;
		case "ArrowLeft":
			if (row && this.open.has(row.id) && this.model.children(row.id).length)
				this.toggle(row.id);
			else
				go(this.rows.slice(0, at).findLastIndex(above => above.depth < (row ? row.depth : 0)));
			break;
		case "Enter": if (row) this.choose(row.id); break;
		default: return;
		}
		event.preventDefault();
	}

	/* Scrolls to the chosen row. */
	show() {
		const chosen = this.rows.find(row => this.model.isChosen(row.id));
		if (chosen)
			this.reveal([], chosen.id);
	}
}
