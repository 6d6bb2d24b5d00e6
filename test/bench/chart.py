"""Plots of benchmarks as SVG, drawn by hand: nothing needs to be installed for them."""
import html
import math

COLOURS = ["#1f6feb", "#d1242f", "#1a7f37", "#9a6700", "#8250df", "#0a7ea4", "#bf3989", "#57606a"]


def text_of(value):
    """A number as short as can be read."""
    for size, letter in ((1 << 20, "M"), (1 << 10, "k")):
        if value >= size and value % size == 0:
            return f"{value // size:g} {letter}"
    return f"{value:g}"


class Canvas:
    def __init__(self, width, height, title):
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                      'font-family="sans-serif" font-size="12">',
                      f'<rect width="{width}" height="{height}" fill="white"/>']
        self.title = title

    def text(self, x, y, text, anchor="", **more):
        also = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in more.items())
        where = f' text-anchor="{anchor}"' if anchor else ""
        self.parts.append(f'<text x="{x:.0f}" y="{y:.0f}"{where}{also}>{html.escape(text)}</text>')

    def line(self, x1, x2, y1, y2, stroke="#ddd", width=1):
        self.parts.append(f'<line x1="{x1:.1f}" x2="{x2:.1f}" y1="{y1:.1f}" y2="{y2:.1f}" stroke="{stroke}" '
                          f'stroke-width="{width}"/>')

    def write(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(self.parts + ["</svg>"]) + "\n")


def lines(path, title, unit, series, below, lowest=0):
    """Lines over what doubles from one mark to the next; below: what that is."""
    width, height, left, bottom, top = 640, 320, 64, 44, 30
    xs = sorted({x for line in series.values() for x, _ in line})
    most = max(y for line in series.values() for _, y in line) * 1.1
    low, high = math.log2(xs[0]), math.log2(xs[-1])
    canvas = Canvas(width, height, title)

    def place(x, y):
        return (left + (math.log2(x) - low) / (high - low) * (width - left - 150),
                height - bottom - (y - lowest) / (most - lowest) * (height - bottom - top))

    canvas.text(left, 18, title, font_weight="bold")
    for x in xs:
        px, py = place(x, lowest)
        canvas.text(px, py + 18, text_of(x), "middle")
    canvas.text(left, height - 8, below)
    for i in range(5):
        y = lowest + (most - lowest) * i / 4
        px, py = place(xs[0], y)
        canvas.line(px, width - 150, py, py)
        canvas.text(px - 6, py + 4, f"{y:.0f}", "end")
    canvas.text(width - 144, top, unit)
    for number, (name, line) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        points = " ".join("{:.1f},{:.1f}".format(*place(x, y)) for x, y in line)
        canvas.parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        canvas.text(width - 144, top + 20 + 18 * number, name, fill=colour)
    canvas.write(path)


def dots(path, title, rows, names):
    """
    Ratios on a logarithmic scale, a row for each piece of work: rows is a list of (label, {name: (low, middle, high)}),
    names the order of what stands beside one another. A line goes from low to high.
    """
    shapes = ("circle", "square", "diamond")
    left, right, top, step = 250, 150, 48, 22
    values = [value for _, row in rows for three in row.values() for value in three if value > 0]
    low = math.floor(math.log10(min(values + [1])) * 2) / 2
    high = max(math.ceil(math.log10(max(values + [1])) * 2) / 2, low + 0.5)
    width, height = 960, top + step * max(len(rows), len(names) + 1) + 30
    canvas = Canvas(width, height, title)

    def place(value):
        return left + (math.log10(value) - low) / (high - low) * (width - left - right)

    def mark(x, y, number, name):
        colour, shape = COLOURS[number % len(COLOURS)], shapes[number // len(COLOURS) % len(shapes)]
        tip = f"<title>{html.escape(name)}</title>"
        if shape == "circle":
            canvas.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}">{tip}</circle>')
        else:
            turned = f' transform="rotate(45 {x:.1f} {y:.1f})"' if shape == "diamond" else ""
            canvas.parts.append(f'<rect x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7" '
                                f'fill="{colour}"{turned}>{tip}</rect>')

    canvas.text(12, 18, title, font_weight="bold")
    bottom = top + step * len(rows)
    for i in range(int(low * 2), int(high * 2) + 1):
        value = (1 if i % 2 == 0 else 3) * 10 ** (i // 2)
        if place(value) <= width - right + 1:
            canvas.line(place(value), place(value), top - 12, bottom, "#999" if value == 1 else "#ddd")
            canvas.text(place(value), bottom + 14, f"{value:g}", "middle")
    for number, (label, row) in enumerate(rows):
        y = top + step * number
        canvas.line(left, width - right, y, y, "#eee")
        canvas.text(left - 8, y + 4, label, "end")
        for name, (least, middle, most) in row.items():
            if middle <= 0:
                continue
            colour = COLOURS[names.index(name) % len(COLOURS)]
            canvas.line(place(max(least, 10 ** low)), place(most), y, y, colour, 2)
            mark(place(middle), y, names.index(name), f"{name}: {middle:.3g}")
    for number, name in enumerate(names):
        mark(width - right + 20, top + step * number, number, name)
        canvas.text(width - right + 30, top + step * number + 4, name)
    canvas.write(path)
