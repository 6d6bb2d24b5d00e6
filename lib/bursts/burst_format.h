/*
 * burst_format: the layout of bursts.bin, the bursts of a run (FATHOM_BURSTS). doc/reference/files.md describes it.
 *
 * The file is a head and blocks. Numbers are in the byte order of the machine that wrote the file. Each block has a
 * head with a checksum, and a payload whose size is a multiple of 8. The blocks of a process follow one another: its
 * bursts, then its definitions, to which the bursts refer. The last block is FATHOM_BURST_BLOCK_END: a file without it
 * is cut. The files of several runs or ranks are put together by copying their other blocks one behind the other.
 */
#ifndef FATHOM_BURSTS_BURST_FORMAT_H
#define FATHOM_BURSTS_BURST_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#define FATHOM_BURST_FILE_MAGIC "FATHOMBU"	/* without the NUL */

enum { FATHOM_BURST_FILE_VERSION = 1, FATHOM_BURST_FILE_ORDER = 0x01020304 };

struct fathom_burst_file_head {
	char magic[8];
	uint32_t order;			/* FATHOM_BURST_FILE_ORDER: shows the byte order */
	uint32_t version;
};

enum fathom_burst_block {
	FATHOM_BURST_BLOCK_BURSTS = 1,	/* bursts of a location: struct fathom_burst_file_bursts */
	FATHOM_BURST_BLOCK_PROCESS,	/* definitions of a process: struct fathom_burst_file_process */
	FATHOM_BURST_BLOCK_END,		/* without payload; its number is that of the blocks before it */
};

enum { FATHOM_BURST_BLOCK_MOST_BYTES = 1 << 30 };	/* of a payload */

struct fathom_burst_file_block {
	uint32_t kind;			/* enum fathom_burst_block */
	uint32_t number;		/* rank of the process */
	uint64_t bytes;			/* of the payload */
	uint64_t checksum;		/* of the payload, see fathom_burst_file_checksum */
};

/* The payload of FATHOM_BURST_BLOCK_BURSTS. count records follow: struct fathom_burst_file_record and, as 64-bit
 * numbers, the growth of the first counter_count counters of the process. They are in the order of time. */
struct fathom_burst_file_bursts {
	uint32_t location;		/* index in the definitions of the process */
	uint32_t counter_count;
	uint64_t count;
};

struct fathom_burst_file_record {
	uint64_t begin, end;		/* ticks of the process */
	uint32_t before, after;		/* call paths of the process: the calls or constructs that end at begin and
					 * begin at end; FATHOM_BURST_FILE_NO_PATH: the program begins or ends there */
};

#define FATHOM_BURST_FILE_NO_PATH UINT32_MAX

/* The payload of FATHOM_BURST_BLOCK_PROCESS. After it come the locations, counters, regions, and call paths, and then
 * text_bytes bytes: the texts, each with a NUL. Texts are named by their place there. */
struct fathom_burst_file_process {
	uint64_t zero_ticks;		/* the time of the process at which it was realtime_ns, */
	uint64_t realtime_ns;		/* nanoseconds since 1970 */
	double ticks_per_second;
	uint32_t process_count;		/* of the run */
	uint32_t host;			/* text: name of the machine */
	uint32_t location_count, counter_count, region_count, path_count;
	uint64_t text_bytes;		/* a multiple of 8 */
};

struct fathom_burst_file_location {
	uint32_t name;			/* text: "Master thread" */
	uint32_t counter_count;		/* it has the counters with the lowest numbers */
	uint64_t bursts;		/* in the file */
	uint64_t dropped;		/* bursts that were left out because there was no room */
	uint64_t interrupted;		/* bursts that were left out because of a pause */
};

struct fathom_burst_file_counter {
	uint32_t name, unit;		/* texts */
};

struct fathom_burst_file_region {
	uint32_t name, file;		/* texts */
	uint32_t begin_line, end_line;	/* 0 where unknown */
	uint32_t paradigm, role;	/* texts: the spelling of profiles */
};

/* Parents come before their children. */
struct fathom_burst_file_path {
	uint32_t region;
	uint32_t parent;		/* FATHOM_BURST_FILE_NO_PATH: none */
};

/* Returns the checksum of words 64-bit numbers, which begin at data. Any context. */
static inline uint64_t fathom_burst_file_checksum(const uint64_t *data, size_t words)
{
	uint64_t sum = 0x9e3779b97f4a7c15u ^ words;

	for (size_t i = 0; i < words; i++) {
		sum = (sum ^ data[i]) * 0xff51afd7ed558ccdu;
		sum ^= sum >> 32;
	}
	return sum;
}

#endif
