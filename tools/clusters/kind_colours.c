#include "tools/clusters/kind_colours.h"

#include "tools/common/trace/kind_palette.h"

enum { COLOURS = FATHOM_COLOURED_KINDS };

#define RULE(number, colour) ".k" #number "{fill:#" #colour "}"
#define TEXT(colour) WORD(colour)
#define WORD(colour) #colour

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
	FATHOM_KIND_COLOURS(RULE) "\n"
	".more{fill:#" TEXT(FATHOM_KIND_COLOUR_OTHERS) "}.k0{fill:#" TEXT(FATHOM_KIND_COLOUR_NONE) "}\n"
	"circle{fill-opacity:.6}\n"
	"</style>\n";

const char *fathom_kind_class(uint32_t number)
{
	static const char *const classes[COLOURS + 1] = {
		"k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9", "k10",
	};

	return number <= COLOURS ? classes[number] : "more";
}
