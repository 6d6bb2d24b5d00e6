#include "tools/clusters/kind_colours.h"

enum { COLOURS = 10 };	/* of kinds; all further ones are grey */

const char fathom_kind_style[] =
	"<style>\n"
	":root{color-scheme:light dark;--text:#1a1a1a;--page:#fff;--line:#bbb}\n"
	"@media(prefers-color-scheme:dark){:root{--text:#e6e6e6;--page:#161616;--line:#555}}\n"
	"body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:62rem;padding:0 1rem;"
	"color:var(--text);background:var(--page)}\n"
	"table{border-collapse:collapse;margin:1rem 0;font-variant-numeric:tabular-nums}\n"
	"th,td{padding:.15rem .7rem;text-align:right;border-bottom:1px solid var(--line)}\n"
	".path{text-align:left;font-family:ui-monospace,monospace;font-size:13px}\n"
	"svg{max-width:100%;height:auto}svg text{fill:var(--text);font-size:12px}\n"
	".axis{stroke:var(--line);stroke-width:1}\n"
	".k1{fill:#0072b2}.k2{fill:#d55e00}.k3{fill:#009e73}.k4{fill:#cc79a7}.k5{fill:#e69f00}.k6{fill:#56b4e9}\n"
	".k7{fill:#8c6d31}.k8{fill:#7570b3}.k9{fill:#66a61e}.k10{fill:#e7298a}.more{fill:#888}.k0{fill:#bbb}\n"
	"circle{fill-opacity:.6}\n"
	"</style>\n";

const char *fathom_kind_class(uint32_t number)
{
	static const char *const classes[COLOURS + 1] = {
		"k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9", "k10",
	};

	return number <= COLOURS ? classes[number] : "more";
}
