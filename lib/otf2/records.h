/*
 * records: what OTF2's event records are: their numbers, names and fields, and how many bytes they take.
 *
 * This is the one table of records. fathom's own writer (lib/trace/buffer.c), the reader, and the estimate of a trace's
 * size (tools/common/score/score_size.c) all use it. The encoding is that of OTF2 3.0, which is written down in its
 * source alone (src/OTF2_Buffer.c):
 *
 *	file	chunks, all of one size but the last, which ends with 2, 1 behind its records
 *	chunk	3, endianness (0x42: little), number of the first and of the last event in it (8 bytes each,
 *		from 1), records, zeros
 *	record	in front, if the time has changed: 5, time (8 bytes); if it has attributes: 6, length, their
 *		count, and for each its number, its type and its value; then its number, length of the fields, fields
 *	length	one byte; from 255 on: 255, 8 bytes; none for some records of one field
 *	number	0; or how many bytes it has, and those, the lowest first; all bits set: 255
 *
 * Nothing here needs OTF2's library. Context of all: any.
 */
#ifndef FATHOM_OTF2_RECORDS_H
#define FATHOM_OTF2_RECORDS_H

#include <stdint.h>

/* The bytes of the encoding above that are not part of a record. */
enum {
	FATHOM_RECORD_END_OF_BUFFER = 1,
	FATHOM_RECORD_END_OF_FILE = 2,
	FATHOM_RECORD_CHUNK_MARK = 3,
	FATHOM_RECORD_LITTLE_ENDIAN_MARK = 0x42,
	FATHOM_RECORD_TIME_MARK = 5,
	FATHOM_RECORD_ATTRIBUTES_MARK = 6,
	FATHOM_RECORD_LONG_LENGTH = 255,	/* the length follows in 8 bytes */
};

/* The numbers that OTF2 gives its event records. fathom writes all but the old Omp records. */
enum fathom_record {
	FATHOM_RECORD_UNKNOWN = 0,	/* the reader's kind for records that are newer than this table */
	FATHOM_RECORD_RAW = 8,		/* fathom's own, in event files that are not part of a trace yet, see
					 * trace/samples/raw_samples.h. OTF2's numbers of events begin with 10 */
	FATHOM_RECORD_BUFFER_FLUSH = 10,
	FATHOM_RECORD_MEASUREMENT_ON_OFF = 11,
	FATHOM_RECORD_ENTER = 12,
	FATHOM_RECORD_LEAVE = 13,
	FATHOM_RECORD_MPI_SEND = 14,
	FATHOM_RECORD_MPI_ISEND = 15,
	FATHOM_RECORD_MPI_ISEND_COMPLETE = 16,
	FATHOM_RECORD_MPI_IRECV_REQUEST = 17,
	FATHOM_RECORD_MPI_RECV = 18,
	FATHOM_RECORD_MPI_IRECV = 19,
	FATHOM_RECORD_MPI_REQUEST_TEST = 20,
	FATHOM_RECORD_MPI_REQUEST_CANCELLED = 21,
	FATHOM_RECORD_MPI_COLLECTIVE_BEGIN = 22,
	FATHOM_RECORD_MPI_COLLECTIVE_END = 23,
	FATHOM_RECORD_OMP_FORK = 24,
	FATHOM_RECORD_OMP_JOIN = 25,
	FATHOM_RECORD_OMP_ACQUIRE_LOCK = 26,
	FATHOM_RECORD_OMP_RELEASE_LOCK = 27,
	FATHOM_RECORD_OMP_TASK_CREATE = 28,
	FATHOM_RECORD_OMP_TASK_SWITCH = 29,
	FATHOM_RECORD_OMP_TASK_COMPLETE = 30,
	FATHOM_RECORD_METRIC = 31,
	FATHOM_RECORD_PARAMETER_STRING = 32,
	FATHOM_RECORD_PARAMETER_INT = 33,
	FATHOM_RECORD_PARAMETER_UNSIGNED_INT = 34,
	FATHOM_RECORD_RMA_WIN_CREATE = 35,
	FATHOM_RECORD_RMA_WIN_DESTROY = 36,
	FATHOM_RECORD_RMA_COLLECTIVE_BEGIN = 37,
	FATHOM_RECORD_RMA_COLLECTIVE_END = 38,
	FATHOM_RECORD_RMA_GROUP_SYNC = 39,
	FATHOM_RECORD_RMA_REQUEST_LOCK = 40,
	FATHOM_RECORD_RMA_ACQUIRE_LOCK = 41,
	FATHOM_RECORD_RMA_TRY_LOCK = 42,
	FATHOM_RECORD_RMA_RELEASE_LOCK = 43,
	FATHOM_RECORD_RMA_SYNC = 44,
	FATHOM_RECORD_RMA_WAIT_CHANGE = 45,
	FATHOM_RECORD_RMA_PUT = 46,
	FATHOM_RECORD_RMA_GET = 47,
	FATHOM_RECORD_RMA_ATOMIC = 48,
	FATHOM_RECORD_RMA_OP_COMPLETE_BLOCKING = 49,
	FATHOM_RECORD_RMA_OP_COMPLETE_NON_BLOCKING = 50,
	FATHOM_RECORD_RMA_OP_TEST = 51,
	FATHOM_RECORD_RMA_OP_COMPLETE_REMOTE = 52,
	FATHOM_RECORD_THREAD_FORK = 53,
	FATHOM_RECORD_THREAD_JOIN = 54,
	FATHOM_RECORD_THREAD_TEAM_BEGIN = 55,
	FATHOM_RECORD_THREAD_TEAM_END = 56,
	FATHOM_RECORD_THREAD_ACQUIRE_LOCK = 57,
	FATHOM_RECORD_THREAD_RELEASE_LOCK = 58,
	FATHOM_RECORD_THREAD_TASK_CREATE = 59,
	FATHOM_RECORD_THREAD_TASK_SWITCH = 60,
	FATHOM_RECORD_THREAD_TASK_COMPLETE = 61,
	FATHOM_RECORD_THREAD_CREATE = 62,
	FATHOM_RECORD_THREAD_BEGIN = 63,
	FATHOM_RECORD_THREAD_WAIT = 64,
	FATHOM_RECORD_THREAD_END = 65,
	FATHOM_RECORD_CALLING_CONTEXT_ENTER = 66,
	FATHOM_RECORD_CALLING_CONTEXT_LEAVE = 67,
	FATHOM_RECORD_CALLING_CONTEXT_SAMPLE = 68,
	FATHOM_RECORD_IO_CREATE_HANDLE = 69,
	FATHOM_RECORD_IO_DESTROY_HANDLE = 70,
	FATHOM_RECORD_IO_DUPLICATE_HANDLE = 71,
	FATHOM_RECORD_IO_SEEK = 72,
	FATHOM_RECORD_IO_CHANGE_STATUS_FLAGS = 73,
	FATHOM_RECORD_IO_DELETE_FILE = 74,
	FATHOM_RECORD_IO_OPERATION_BEGIN = 75,
	FATHOM_RECORD_IO_OPERATION_TEST = 76,
	FATHOM_RECORD_IO_OPERATION_ISSUED = 77,
	FATHOM_RECORD_IO_OPERATION_COMPLETE = 78,
	FATHOM_RECORD_IO_OPERATION_CANCELLED = 79,
	FATHOM_RECORD_IO_ACQUIRE_LOCK = 80,
	FATHOM_RECORD_IO_RELEASE_LOCK = 81,
	FATHOM_RECORD_IO_TRY_LOCK = 82,
	FATHOM_RECORD_PROGRAM_BEGIN = 83,
	FATHOM_RECORD_PROGRAM_END = 84,
	FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_REQUEST = 85,
	FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE = 86,
	FATHOM_RECORD_COMM_CREATE = 87,
	FATHOM_RECORD_COMM_DESTROY = 88,
	FATHOM_RECORD_COUNT
};

/* Bytes of the encoding. */
enum {
	FATHOM_OTF2_TIME_BYTES = 9,	/* precedes a record whose time differs from that of the previous record */
	FATHOM_OTF2_CHUNK_HEAD_BYTES = 18,
	FATHOM_OTF2_NUMBER_MOST_BYTES = 9,	/* 64 bits and their length */
	FATHOM_OTF2_CHUNK_BYTES = 256 << 10,	/* of the traces that fathom writes */
};

/*
 * The fields of each record, in order; b: one byte; i, l: an unsigned number of at most 4 or 8 bytes; s: a signed
 * number of 8. A record whose first character is - has no length. fathom writes ProgramBegin with one argument. Metric
 * and the records that fathom does not write have no entry here.
 */
extern const char fathom_otf2_fields[FATHOM_RECORD_COUNT][8];

/* Returns the end of the record, or of the attributes of a record, that begins at at and that fathom has written. A
 * time is not part of a record. */
const uint8_t *fathom_otf2_record_end(const uint8_t *at);

/* Kinds of definitions; the ids of each kind are a numbering of their own. */
enum fathom_otf2_space {
	FATHOM_OTF2_STRING,
	FATHOM_OTF2_ATTRIBUTE,
	FATHOM_OTF2_NODE,
	FATHOM_OTF2_PROCESS,	/* OTF2 calls them location groups */
	FATHOM_OTF2_LOCATION,
	FATHOM_OTF2_REGION,
	FATHOM_OTF2_GROUP,
	FATHOM_OTF2_COMM,	/* communicators, also inter-communicators */
	FATHOM_OTF2_PARAMETER,
	FATHOM_OTF2_WINDOW,
	FATHOM_OTF2_METRIC,	/* metric classes and instances */
	FATHOM_OTF2_MEMBER,
	FATHOM_OTF2_CALLPATH,
	FATHOM_OTF2_CALLSITE,
	FATHOM_OTF2_DIMENSION,
	FATHOM_OTF2_TOPOLOGY,
	FATHOM_OTF2_SOURCE,
	FATHOM_OTF2_CONTEXT,
	FATHOM_OTF2_GENERATOR,
	FATHOM_OTF2_IO_PARADIGM,
	FATHOM_OTF2_FILE,
	FATHOM_OTF2_HANDLE,
	FATHOM_OTF2_PARADIGM,
	FATHOM_OTF2_SPACES,
	FATHOM_OTF2_NOTHING = FATHOM_OTF2_SPACES	/* of records that refer to no definition */
};

/* The subject of a record; `fathom check` has a source file for each part. */
enum fathom_otf2_part {
	FATHOM_OTF2_PART_GENERAL,
	FATHOM_OTF2_PART_MESSAGE,
	FATHOM_OTF2_PART_COLLECTIVE,
	FATHOM_OTF2_PART_TEAM,		/* threads, teams and tasks */
	FATHOM_OTF2_PART_LOCK,
	FATHOM_OTF2_PART_WINDOW,
	FATHOM_OTF2_PART_FILE
};

struct fathom_otf2_record_info {
	const char *name;		/* as OTF2 spells it; NULL: OTF2 has no record of that number */
	enum fathom_otf2_part part;
	enum fathom_otf2_space refers;	/* the kind of definition whose id is the event's ref */
};

/* By record number. */
extern const struct fathom_otf2_record_info fathom_otf2_records[FATHOM_RECORD_COUNT];

/* Returns the position of a record in listings: by number, but MPI records that OTF2 added late follow the other
 * MPI records. Context: tool. */
uint32_t fathom_otf2_record_order(enum fathom_record record);

#endif
