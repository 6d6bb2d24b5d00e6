#include "event/nesting.h"

#include <string.h>

#include "define/region.h"
#include "platform/lock.h"
#include "platform/log.h"

enum { MOST_NOTES = 16, NAME_BYTES = 128, LINE_BYTES = 512, PLACE_BYTES = NAME_BYTES + 256 };

struct note {
	const struct fathom_region *inner;	/* NULL: the program ended a region that was not active, with the name
						 * below */
	const struct fathom_region *outer;
	char name[NAME_BYTES];
	char file[NAME_BYTES];		/* file name of the call; a copy, because the library with the text may have
					 * been unloaded */
	unsigned line;
	char text[LINE_BYTES];		/* if not empty, the note consists of this text only */
	unsigned long count;
};

static struct {
	struct fathom_lock lock;	/* held while a note is made; no lock is taken inside */
	struct note notes[MOST_NOTES];
	unsigned count;
	unsigned long others;		/* number of notes that there was no room for */
	bool is_said;
} nesting;

static void note(const struct note *wanted)
{
	unsigned i;

	fathom_lock_take(&nesting.lock);
	for (i = 0; i < nesting.count; i++) {
		struct note *known = &nesting.notes[i];

		if (known->inner == wanted->inner && known->outer == wanted->outer && known->line == wanted->line &&
		    !strcmp(known->name, wanted->name) && !strcmp(known->text, wanted->text))
			break;
	}
	if (i < nesting.count) {
		nesting.notes[i].count++;
	} else if (i < MOST_NOTES) {
		nesting.notes[i] = *wanted;
		nesting.notes[i].count = 1;
		nesting.count++;
	} else {
		nesting.others++;
	}
	fathom_lock_give(&nesting.lock);
}

void fathom_nesting_note(const struct fathom_region *inner, const struct fathom_region *outer)
{
	const struct note wanted = { .inner = inner, .outer = outer };

	note(&wanted);
}

void fathom_nesting_note_end(const char *name, size_t length, const char *file, size_t file_length,
			     unsigned line, const struct fathom_region *innermost)
{
	struct note wanted = { .outer = innermost, .line = line };
	size_t slash = file ? file_length : 0;

	fathom_format(wanted.name, sizeof(wanted.name), "%.*s", (int)length, name);
	while (slash && file[slash - 1] != '/')
		slash--;
	if (file)
		fathom_format(wanted.file, sizeof(wanted.file), "%.*s", (int)(file_length - slash), file + slash);
	note(&wanted);
}

void fathom_nesting_note_line(const char *line)
{
	struct note wanted = { .line = 0 };

	fathom_format(wanted.text, sizeof(wanted.text), "%s", line);
	note(&wanted);
}

/* Writes the name of region, and its file and line if known, to text; returns text. */
static const char *place(const struct fathom_region *region, char *text,
			 void (*resolve)(struct fathom_region *region, bool may_allocate))
{
	struct fathom_region named;
	const char *slash;

	if (!region || !region->name) {
		named = region ? *region : (struct fathom_region){ .name = "the thread" };
		if (region && resolve)
			resolve(&named, true);
		region = &named;
	}
	slash = region->file ? strrchr(region->file, '/') : NULL;
	if (region->file && region->begin_line)
		fathom_format(text, PLACE_BYTES, "%s (%s:%u)", region->name ? region->name : "a function",
			      slash ? slash + 1 : region->file, region->begin_line);
	else
		fathom_format(text, PLACE_BYTES, "%s", region->name ? region->name : "a function");
	return text;
}

static void say(const struct note *note, void (*resolve)(struct fathom_region *region, bool may_allocate),
		const char *who)
{
	char inner[PLACE_BYTES], outer[PLACE_BYTES];
	const char *times = note->count == 1 ? "once" : "times";
	char count[32] = "";

	if (note->count > 1)
		fathom_format(count, sizeof(count), "%lu ", note->count);
	if (note->text[0])
		fathom_log(FATHOM_LOG_SAY, "%s%s (%s%s)", who, note->text, count, times);
	else if (note->inner)
		fathom_log(FATHOM_LOG_SAY, "%sregion %s was still active at the end of %s, which ended it (%s%s)", who,
			   place(note->inner, inner, resolve), place(note->outer, outer, resolve), count, times);
	else if (note->file[0])
		fathom_log(FATHOM_LOG_SAY, "%sregion %s was ended at %s:%u, inside %s, but was not active (%s%s)",
			   who, note->name, note->file, note->line, place(note->outer, outer, resolve),
			   count, times);
	else
		fathom_log(FATHOM_LOG_SAY, "%sregion %s was ended inside %s, but was not active (%s%s)", who,
			   note->name, place(note->outer, outer, resolve), count, times);
}

void fathom_nesting_say(void (*resolve)(struct fathom_region *region, bool may_allocate), int rank)
{
	char who[32] = "";

	if (nesting.is_said)
		return;
	nesting.is_said = true;
	if (rank >= 0)
		fathom_format(who, sizeof(who), "rank %d: ", rank);
	for (unsigned i = 0; i < nesting.count; i++)
		say(&nesting.notes[i], resolve, who);
	if (nesting.others)
		fathom_log(FATHOM_LOG_SAY, "%s%lu more errors of this kind", who, nesting.others);
}
