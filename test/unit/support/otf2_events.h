/*
 * otf2_events: an event file that OTF2's own writer makes, which that of fathom must equal byte by byte. The functions
 * make the test fail if something goes wrong.
 */
#ifndef FATHOM_TEST_OTF2_EVENTS_H
#define FATHOM_TEST_OTF2_EVENTS_H

#include <otf2/otf2.h>
#include <stddef.h>

/* Opens an archive in a directory below this one; only one can be open. Returns the writer of its only location. */
OTF2_EvtWriter *otf2_events_open(const char *directory);

/* Completes the event file. The file ours must equal it. Returns the number of bytes. */
size_t otf2_events_equal(const char *ours);

void otf2_events_close(void);

/* Reads a file, and returns its number of bytes. The caller frees *content. */
size_t content_of(const char *path, char **content);

#endif
