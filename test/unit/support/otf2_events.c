#include "otf2_events.h"

#include "unit_test.h"

#include <sys/stat.h>

#include "trace/buffer.h"

static OTF2_Archive *archive;
static OTF2_EvtWriter *writer;
static char event_path[128];

static OTF2_FlushType always_flush(void *user, OTF2_FileType type, OTF2_LocationRef of, void *caller, bool final)
{
	(void)user, (void)type, (void)of, (void)caller, (void)final;
	return OTF2_FLUSH;
}

OTF2_EvtWriter *otf2_events_open(const char *directory)
{
	static const OTF2_FlushCallbacks flush = { .otf2_pre_flush = always_flush };
	char folder[100];

	snprintf(folder, sizeof(folder), "%s/theirs", directory);
	snprintf(event_path, sizeof(event_path), "%s/traces/0.evt", folder);
	archive = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, FATHOM_TRACE_CHUNK_BYTES,
				    FATHOM_TRACE_CHUNK_BYTES, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	assert_non_null(archive);
	assert_int_equal(OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL), OTF2_SUCCESS);
	assert_int_equal(OTF2_Archive_SetSerialCollectiveCallbacks(archive), OTF2_SUCCESS);
	assert_int_equal(OTF2_Archive_OpenEvtFiles(archive), OTF2_SUCCESS);
	writer = OTF2_Archive_GetEvtWriter(archive, 0);
	assert_non_null(writer);
	return writer;
}

size_t otf2_events_equal(const char *ours)
{
	char *our_content, *their_content;
	size_t bytes;

	assert_int_equal(OTF2_Archive_CloseEvtWriter(archive, writer), OTF2_SUCCESS);
	assert_int_equal(OTF2_Archive_CloseEvtFiles(archive), OTF2_SUCCESS);
	bytes = content_of(event_path, &their_content);
	assert_int_equal(content_of(ours, &our_content), bytes);
	assert_memory_equal(our_content, their_content, bytes);
	free(our_content);
	free(their_content);
	return bytes;
}

void otf2_events_close(void)
{
	OTF2_Archive_Close(archive);
}

size_t content_of(const char *path, char **content)
{
	struct stat about;
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	assert_int_equal(fstat(fileno(file), &about), 0);
	*content = malloc((size_t)about.st_size + 1);
	assert_non_null(*content);
	assert_int_equal(fread(*content, 1, (size_t)about.st_size, file), about.st_size);
	fclose(file);
	return (size_t)about.st_size;
}
