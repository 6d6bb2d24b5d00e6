# fathom view: a profile as a page for a browser.
view_page = \
	tools/view/page/page.html tools/view/page/style.css \
	tools/view/page/format.js tools/view/page/profile.js tools/view/page/formula.js tools/view/page/colours.js \
	tools/view/page/selection.js tools/view/page/tree.js tools/view/page/panes.js tools/view/page/flame.js \
	tools/view/page/tables.js tools/view/page/lines.js tools/view/page/ranks.js tools/view/page/messages.js \
	tools/view/page/timeline.js tools/view/page/time.js tools/view/page/source.js tools/view/page/scaling.js tools/view/page/overview.js \
	tools/view/page/main.js
EXTRA_DIST += $(view_page) tools/view/page/assemble.py
CLEANFILES += tools/view/page_text.c

tools/view/page_text.c: $(view_page) tools/view/page/assemble.py
	$(AM_V_GEN)$(MKDIR_P) tools/view && $(PYTHON3) $(srcdir)/tools/view/page/assemble.py \
		$(srcdir)/tools/view/page $(view_page) > $@.part && mv $@.part $@

pkglibexec_PROGRAMS += fathom-view
fathom_view_SOURCES = \
	$(json_sources) \
	$(sample_place_sources) \
	tools/view/combined_profile.c tools/view/combined_profile.h \
	tools/view/command_output.c tools/view/command_output.h \
	tools/view/main.c \
	tools/view/packed_text.c tools/view/packed_text.h \
	tools/view/page_definitions.c tools/view/page_definitions.h \
	tools/view/page_file.c tools/view/page_file.h \
	tools/view/page_messages.c tools/view/page_messages.h \
	tools/view/page_profiles.c tools/view/page_profiles.h \
	tools/view/page_samples.c tools/view/page_samples.h \
	tools/view/page_scaling.c tools/view/page_scaling.h \
	tools/view/page_sources.c tools/view/page_sources.h \
	tools/view/page_text.h \
	tools/view/value_table.c tools/view/value_table.h
nodist_fathom_view_SOURCES = tools/view/page_text.c
fathom_view_CPPFLAGS = $(tools_cppflags)
fathom_view_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
fathom_view_LDADD = libcodestructure.la libalgebra.la $(JANSSON_LIBS) $(Z_LIBS) -lm

trace_view_sources = \
	$(trace_detail_sources) \
	tools/common/trace/detail_json.c tools/common/trace/detail_json.h \
	tools/common/trace/mark_json.c tools/common/trace/mark_json.h \
	tools/common/trace/trace_frames.c tools/common/trace/trace_frames.h \
	tools/common/trace/trace_picture.c tools/common/trace/trace_picture.h \
	tools/common/trace/wait_intervals.c tools/common/trace/wait_intervals.h \
	tools/common/trace/trace_region.c tools/common/trace/trace_region.h \
	tools/view/page_trace.c tools/view/page_trace.h
EXTRA_DIST += $(trace_view_sources) tools/view/page_trace_absent.c
if HAVE_OTF2
fathom_view_SOURCES += $(trace_view_sources)
fathom_view_CFLAGS += $(OTF2_CFLAGS)
fathom_view_LDADD += libframes.la libcallgraphs.la
else
fathom_view_SOURCES += tools/view/page_trace_absent.c tools/view/page_trace.h
endif
