/*
 * A random walk through functions that keep a list of themselves, the known chain, to compare the unwinder with.
 *
 * Each unit (call_graph_unit.cc, compiled with flags of its own) has one function of each kind, node_UNIT_KIND.
 */
#ifndef FATHOM_TEST_CALL_GRAPH_H
#define FATHOM_TEST_CALL_GRAPH_H

#include <stdint.h>

/* TAIL_KIND: functions that take themselves off the list before their last call. */
enum { KINDS = 20, TAIL_KIND = 5, MOST_UNITS = 24, MOST_ACTIVE = 4096 };

typedef long node_function(int left);

/* The units and the functions in them that a walk may call by a pointer. */
extern "C" {
extern node_function *callable[MOST_UNITS * KINDS];
extern unsigned callable_count;
struct active_node {
	int node;		/* UNIT * KINDS + KIND */
	uintptr_t place;	/* an address inside of its frame */
};
extern struct active_node chain[MOST_ACTIVE];
extern volatile unsigned chain_length;
extern volatile unsigned chain_base;	/* of the coroutine stack that the walk is on: its first entry; otherwise 0 */
extern volatile int nodes_left;		/* functions that this walk still visits */
extern volatile bool is_stepping;	/* a trap follows each instruction */
extern volatile int until_steps;	/* nodes until the next instructions are stepped through */
extern volatile long walk_sink;
extern struct random_state { uint64_t value; } walk_random;
void begin_steps(void);
unsigned random_number(unsigned limit);
long call_any(int left);
long call_in_coroutine(int left, node_function *function);
void call_in_handler(int left, void (*handler)(int), bool on_alternate_stack);
extern int handler_left;
}

/* An exception of the program's own. */
struct walk_exception {
	int from;
};

/* Lists the function that it is a local variable of for as long as that lives. */
struct active {
	__attribute__((always_inline)) active(int node)
	{
		unsigned length = chain_length;

		chain[length].node = node;
		chain[length].place = (uintptr_t)this;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		chain_length = length + 1;
		nodes_left = nodes_left - 1;
		if (!is_stepping && --until_steps <= 0)
			begin_steps();
	}
	__attribute__((always_inline)) ~active()
	{
		chain_length = chain_length - 1;
	}
	char place;
};

#endif
