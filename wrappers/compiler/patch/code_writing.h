/*
 * code_writing: changes bytes of code that is running.
 *
 * The code is written through /proc/self/mem, so that its page never becomes writable. If the system refuses that, the
 * page is made writable for a moment. It stays executable all the time, because other threads may be executing its
 * code. One thread at a time may call these functions.
 */
#ifndef FATHOM_WRAPPERS_COMPILER_CODE_WRITING_H
#define FATHOM_WRAPPERS_COMPILER_CODE_WRITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes count bytes at at, all of which are in one page. Other threads may execute the code; a byte that does not
 * change stays valid for them meanwhile. Returns whether that worked. Context: birth. */
bool fathom_code_write(uint8_t *at, const uint8_t *bytes, size_t count);

/* Returns whether the system has refused all ways to write. Context: birth. */
bool fathom_code_is_refused(void);

/* Makes all processors that run threads of the process serialize: afterwards no thread executes the old instructions.
 * If the kernel cannot do that, each processor reads the new instructions some time later. Context: birth. */
void fathom_code_serialize(void);

#endif
