/*
 * What all unit tests of the core share: cmocka with what it needs before it, and chance that is
 * the same in every run.
 */
#ifndef FATHOM_TEST_UNIT_TEST_H
#define FATHOM_TEST_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#if defined(__has_feature)
#define HAS_SANITIZER (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define HAS_SANITIZER 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || HAS_SANITIZER
#define UNDER_SANITIZER 1
#else
#define UNDER_SANITIZER 0
#endif

/* The next number of a sequence; state is its seed and place. */
static inline uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* A number below limit. */
static inline uint32_t random_below(uint64_t *state, uint32_t limit)
{
	return (uint32_t)(next_random(state) % limit);
}

#endif
