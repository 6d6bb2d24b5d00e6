/*
 * calling_contexts: the calling contexts of this process, which are the nodes of a tree. Each is a region, or a
 * function that samples found, below the context that called it.
 *
 * Contexts are numbered from 0 in the order in which they are made, so a parent has a smaller number than its
 * children. A sampled context also has a place in the code: where its function was interrupted, or called the next
 * one. Two places in a function are two contexts here; they become one in the trace if they are in the same line
 * (context_definitions.h). Context of all functions: finish.
 */
#ifndef FATHOM_TRACE_SAMPLES_CALLING_CONTEXTS_H
#define FATHOM_TRACE_SAMPLES_CALLING_CONTEXTS_H

#include <stdbool.h>
#include <stdint.h>

#include "define/region.h"
#include "event/sampled_frames.h"

#define FATHOM_NO_CONTEXT UINT32_MAX

/* A place in the code. */
struct fathom_code_place {
	uint32_t module;	/* 1 + number of the module; 0: there is no place */
	uint64_t offset;	/* as the module's own symbols count */
};

/* A calling context; as a key, it has no undefined bytes. */
struct fathom_calling_context {
	uint32_t parent;	/* FATHOM_NO_CONTEXT: none */
	uint32_t region;	/* id */
	uint32_t module;	/* as in struct fathom_code_place */
	uint32_t depth;		/* 1: it has no parent */
	uint64_t offset;
};

/* A source of samples in the trace. The name follows, with its NUL. */
struct fathom_trace_generator {
	uint64_t period;	/* ns, or counts of the event */
	uint32_t is_time;
	uint32_t pad;
};

/* The numbers of contexts and generators in the trace, by number in this process. */
struct fathom_context_numbers {
	uint32_t *contexts;
	uint32_t context_count;
	uint32_t *generators;
};

/* Returns the number of the context of region below parent, at a place. FATHOM_NO_CONTEXT: no memory. */
uint32_t fathom_calling_context_find(uint32_t parent, uint32_t region, struct fathom_code_place place);

/* Returns a context by its number, and the number of contexts. */
const struct fathom_calling_context *fathom_calling_context_at(uint32_t number);
uint32_t fathom_calling_context_count(void);

/* Returns the unwind distance of OTF2 for a context after the previous one on the same thread: one more than the number
 * of its frames that the previous context does not have. Contexts are the same if their numbers in names are. */
uint32_t fathom_calling_context_distance(uint32_t previous, uint32_t context, const uint32_t *names);

/* Returns whether a context refers to the region with that id. */
bool fathom_calling_context_uses(uint32_t region);

/* Returns the number of a module with this path, which has length bytes. UINT32_MAX: no memory. */
uint32_t fathom_code_module_number(const char *path, size_t length);
const char *fathom_code_module_path(uint32_t number);

/* Returns the id of the region of a function, whose first instruction is at an offset in a module. */
uint32_t fathom_code_function_region(uint32_t module, uint64_t offset);

/* Return the ids of the regions for code of no known function, and for frames that the unwinder did not find.
 * UINT32_MAX: no memory. */
uint32_t fathom_code_unknown_region(void);
uint32_t fathom_code_partial_region(void);

/* Returns the number of the generator of an event of samples. UINT32_MAX: no memory. */
uint32_t fathom_trace_generator_find(bool is_time, uint64_t period, const char *name, size_t length);

/* Returns the bytes of a generator, with its name, and the number of generators. */
const struct fathom_trace_generator *fathom_trace_generator_at(uint32_t number, uint32_t *bytes);
uint32_t fathom_trace_generator_count(void);

/* Forgets all contexts and the rest. */
void fathom_calling_contexts_fini(void);

#endif
