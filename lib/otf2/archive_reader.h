/*
 * archive_reader: reads a trace: the facts of its anchor file, its definitions, and its events.
 *
 * A trace is an OTF2 archive, which this file reads by OTF2's library, or it comes from another source, such as a file
 * of call graphs (callgraphs/graph_trace.h). The functions are the same for both, except for those that open a trace.
 *
 * Events are read in the order of time over all locations, so that related events are close to each other and a program
 * need not remember them for long. One chunk of each location's file is in memory, whatever the size of the file.
 * Context of all functions: tool.
 */
#ifndef FATHOM_OTF2_ARCHIVE_READER_H
#define FATHOM_OTF2_ARCHIVE_READER_H

#include <limits.h>

#include "otf2/definition_index.h"
#include "otf2/event_reader.h"
#include "otf2/translation.h"

struct fathom_otf2_property {
	char *name, *value;
};

struct fathom_definition_list;
struct fathom_otf2_archive;

/* The functions that read a trace that is no OTF2 archive. The errors that they return have a line in trace->error. */
struct fathom_otf2_source {
	int (*read_definitions)(struct fathom_otf2_archive *trace, struct fathom_faults *faults);
	int (*read_events)(struct fathom_otf2_archive *trace, fathom_otf2_take *take, void *taker);
	/* Returns the global definitions; they live as long as the trace is open. */
	const struct fathom_definition_list *(*definitions)(const struct fathom_otf2_archive *trace);
	/* Stands in front of the event with that number of the location with that index. 0, or -errno. */
	int (*seek)(struct fathom_otf2_archive *trace, uint32_t location, uint64_t number);
	/* Sets *event to the next event of the location; its index is in event->location. It lives until the next call
	 * for the location. 1: an event, 0: there are no more; -errno. */
	int (*next_event)(struct fathom_otf2_archive *trace, uint32_t location, const struct fathom_otf2_event **event);
	void (*close)(struct fathom_otf2_archive *trace);	/* frees source_data */
};

struct fathom_otf2_archive {
	char anchor[PATH_MAX];		/* or the path of the file of another source */
	char folder[PATH_MAX];		/* of the files of locations: the anchor's path without ".otf2". Empty if the
					 * trace is no archive */
	OTF2_Reader *reader;		/* NULL: the trace is no archive */
	const struct fathom_otf2_source *source;	/* NULL: the trace is an archive */
	void *source_data;
	char *creator, *description;	/* never NULL while open */
	uint8_t version[3];		/* of the library that wrote it */
	uint64_t location_count, definition_count;	/* the numbers in the anchor */
	struct fathom_otf2_property *properties;
	uint32_t property_count;
	uint64_t definition_bytes, event_bytes;	/* on disk; the anchor file is included in definition_bytes */
	struct fathom_otf2_defs defs;
	uint32_t part, part_count;	/* only processes whose index modulo part_count is part are read; part_count 0:
					 * all. To be set before the definitions are read */
	bool keeps_translations;	/* to be set before the definitions are read: they fill in translations */
	bool has_few_files;	/* the process may not open the event files of all locations at a time */
	struct fathom_otf2_translation *translations;	/* by location; NULL: they are not kept */
	char error[2048];		/* the reason why the last call failed, as a line for people */
};

/* Opens an anchor file. 0, or -errno with a line in error: the file is no trace. fathom_trace_open
 * (callgraphs/graph_trace.h) opens traces of all sources. */
int fathom_otf2_open(struct fathom_otf2_archive *trace, const char *anchor);

/* Closes a trace of any source. */
void fathom_otf2_close(struct fathom_otf2_archive *trace);

/* Returns the value of a property. NULL: the trace does not have it. */
const char *fathom_otf2_property(const struct fathom_otf2_archive *trace, const char *name);

/* Reads the global definitions and the sizes of all files. Faults in files, definitions, mapping tables and clock
 * offsets go to faults, which may be NULL. 0, or -errno with a line in error. */
int fathom_otf2_read_definitions(struct fathom_otf2_archive *trace, struct fathom_faults *faults);

/* Returns whether the events of a location are read. */
bool fathom_otf2_is_read(const struct fathom_otf2_archive *trace, const struct fathom_otf2_location *location);

/* Returns the number of events that are read, according to the definitions. */
uint64_t fathom_otf2_event_count(const struct fathom_otf2_archive *trace);

/* Reads all events and calls take with each. If the library cannot read an event, the fault goes to faults and the
 * result is 0; with faults NULL the result is -EIO with a line in error. */
int fathom_otf2_read_events(struct fathom_otf2_archive *trace, struct fathom_faults *faults, fathom_otf2_take *take,
			    void *taker);

/* Returns the last error message of the library and forgets it; "" if there is none. */
const char *fathom_otf2_complaint(void);

#endif
