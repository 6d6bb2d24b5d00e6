/*
 * system_path: the path of nodes of the system tree from the machine down to this process.
 *
 * Each level has a class (machine, rack, node, socket, ...) and a name that is unique among the nodes below the same
 * parent. The path down to a level is therefore unique in the system, and two processes are below the same node if and
 * only if their paths to the node consist of the same bytes. The innermost node contains the process. Processes may
 * differ in the number and the classes of their levels.
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

/* The facts that a path is made from. */
struct fathom_system_path_source {
	const char *host;	/* of this process */
	const char *tree;	/* FATHOM_SYSTEM_TREE; NULL: ask the system */
	uint32_t rank;		/* in the world */
	const char *sys;	/* mount point of sysfs; NULL: /sys */
	const cpu_set_t *processors;	/* that the process may use; NULL: the remembered ones */
};

/* Remembers the processors that the process may use, before threads are bound to some of them. Context: start. */
FATHOM_API void fathom_system_path_remember(void);

/* Returns the remembered processors; the set is empty if none were remembered. Context: finish, signal. */
const cpu_set_t *fathom_system_path_processors(void);

/* Sets the remembered processors, for a process that has ended. Context: finish. */
void fathom_system_path_recall(const cpu_set_t *those);

/*
 * Finds the path of this process, whose text is stored in room. Never fails: unknown levels are left out, and a path
 * that is too long is cut. Without source->tree, the levels are: machine; those of SLURM_TOPOLOGY_ADDR if it is set;
 * node, named by the host; socket and NUMA node, if all processors that the process may use are in one. Context:
 * finish, signal.
 */
FATHOM_API void fathom_system_path_find(struct fathom_system_path *place, char room[FATHOM_PATH_BYTES],
				  const struct fathom_system_path_source *source);

/* Return the class and the name of a level; level 0 is the machine. Context: finish, signal. */
const char *fathom_system_path_class(const struct fathom_system_path *place, uint32_t level);
const char *fathom_system_path_name(const struct fathom_system_path *place, uint32_t level);

/* Returns the number of bytes of the path down to the end of a level; these bytes are its unique name.
 * Context: finish, signal. */
uint32_t fathom_system_path_bytes(const struct fathom_system_path *place, uint32_t level);

#endif
