/*
 * tail_calls: which tail calls of functions with sleds stay jumps.
 *
 * A jump leaves its function before the other is entered, so what a function calls at its end would not be found
 * below it: with sleds these are calls. But functions that go round in a ring by such jumps, for as long as the program
 * likes, need the jumps: as calls they would use up the stack.
 *
 * Only read after gcc-plugin.h and tree.h.
 */
#ifndef FATHOM_PLUGIN_TAIL_CALLS_H
#define FATHOM_PLUGIN_TAIL_CALLS_H

/* Make the pass known to GCC. From plugin_init. */
void fathom_tail_calls_init(const char *plugin_name);

#endif
