/*
 * system_path: where in the system this process runs: the path of nodes of the system tree from the machine to it.
 *
 * Each level has a class (machine, rack, node, socket, ...) and a name that is unique among the nodes below the same
 * parent; the path down to a level is therefore unique in the system, and two processes are under one node if and
 * only if their paths to it are the same bytes. The innermost level holds processes. Processes may differ in the
 * number of their levels and in their classes.
 */
#ifndef FATHOM_SYSTEM_SYSTEM_PATH_H
#define FATHOM_SYSTEM_SYSTEM_PATH_H

#include <sched.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/compiler.h"

enum {
	FATHOM_PATH_LEVELS = 12,	/* at most: machine, racks, switches, node, socket, NUMA node */
	FATHOM_PATH_BYTES = 1024,	/* of the whole path, at most */
};

struct fathom_system_path {
	const char *text;	/* class NUL name NUL, machine first; never longer than FATHOM_PATH_BYTES */
	uint32_t bytes;
	uint32_t levels;	/* 1 to FATHOM_PATH_LEVELS */
};

/* What a place is made from. */
struct fathom_system_path_source {
	const char *host;	/* of this process */
	const char *tree;	/* FATHOM_SYSTEM_TREE; NULL: what the system tells */
	uint32_t rank;		/* in the world */
	const char *sys;	/* where the kernel tells of itself; NULL: /sys */
	const cpu_set_t *processors;	/* that the process may use; NULL: those that were remembered */
};

/* Remember which processors the process may use, before threads are tied to some of them. Context: start. */
FATHOM_API void fathom_system_path_remember(void);

/* The processors that were remembered; empty: none were. */
const cpu_set_t *fathom_system_path_processors(void);

/* The same for a process that has ended, which might use these. Context: finish. */
void fathom_system_path_recall(const cpu_set_t *those);

/*
 * Find out this process's place; its text stands in room. Never fails: what cannot be found out is left out, and what
 * is too long is cut. Without source->tree: machine; the levels of SLURM_TOPOLOGY_ADDR where there are; node, named
 * by the host; socket and NUMA node where all processors that the process may use are in one.
 * Context: finish, signal.
 */
FATHOM_API void fathom_system_path_find(struct fathom_system_path *place, char room[FATHOM_PATH_BYTES],
				  const struct fathom_system_path_source *source);

/* Class and name of a level, 0: the machine. */
const char *fathom_system_path_class(const struct fathom_system_path *place, uint32_t level);
const char *fathom_system_path_name(const struct fathom_system_path *place, uint32_t level);

/* The bytes of the path down to and with a level: its unique name. */
uint32_t fathom_system_path_bytes(const struct fathom_system_path *place, uint32_t level);

#endif
