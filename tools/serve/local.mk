# fathom serve: a local server for the time line of a trace of any length. Its page shares the time line with that of fathom view.
served_page = \
	tools/serve/page/page.html tools/view/page/style.css \
	tools/view/page/format.js tools/view/page/colours.js tools/view/page/timeline.js tools/view/page/time.js \
	tools/serve/page/serve.js
EXTRA_DIST += $(served_page) tools/serve/page/assemble_page.py
CLEANFILES += tools/serve/served_page.c

tools/serve/served_page.c: $(served_page) tools/serve/page/assemble_page.py
	$(AM_V_GEN)$(MKDIR_P) tools/serve && (cd $(srcdir) && $(PYTHON3) tools/serve/page/assemble_page.py \
		$(served_page)) > $@.part && mv $@.part $@

pkglibexec_PROGRAMS += fathom-serve
serve_sources = \
	$(json_sources) \
	$(trace_detail_sources) \
	tools/common/trace/detail_json.c tools/common/trace/detail_json.h \
	tools/common/trace/mark_json.c tools/common/trace/mark_json.h \
	tools/common/trace/trace_frames.c tools/common/trace/trace_frames.h \
	tools/common/trace/trace_picture.c tools/common/trace/trace_picture.h \
	tools/common/trace/trace_region.c tools/common/trace/trace_region.h \
	tools/common/trace/wait_intervals.c tools/common/trace/wait_intervals.h \
	tools/serve/answers.c tools/serve/answers.h \
	tools/common/hosts.c tools/common/hosts.h \
	tools/serve/main.c \
	tools/serve/parts.c tools/serve/parts.h \
	tools/serve/served_page.h \
	tools/serve/server.c tools/serve/server.h \
	tools/serve/workers.c tools/serve/workers.h
fathom_serve_CPPFLAGS = $(tools_cppflags)
EXTRA_DIST += $(serve_sources) tools/serve/absent.c
if HAVE_SERVER
fathom_serve_SOURCES = $(serve_sources)
nodist_fathom_serve_SOURCES = tools/serve/served_page.c
fathom_serve_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(OTF2_CFLAGS) $(MICROHTTPD_CFLAGS)
fathom_serve_LDADD = libframes.la libcallgraphs.la libcomm.la libtools.la $(JANSSON_LIBS) $(MICROHTTPD_LIBS) -lm -ldl
else
fathom_serve_SOURCES = tools/serve/absent.c
fathom_serve_LDADD = libtools.la
endif
