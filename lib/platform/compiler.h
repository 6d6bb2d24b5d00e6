/*
 * compiler: the few words the rest of the code needs from the C compiler.
 */
#ifndef FATHOM_PLATFORM_COMPILER_H
#define FATHOM_PLATFORM_COMPILER_H

/* Seen from outside the library: the public API, the interposed names, and what only
 * the sister libraries need. lib/libfathom.map says which is which. */
#define FATHOM_API __attribute__((visibility("default")))

/* On declarations of data that no other library uses: reached without a look into a table. */
#define FATHOM_HIDDEN __attribute__((visibility("hidden")))

#define FATHOM_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define FATHOM_COLD __attribute__((cold, noinline))
#define FATHOM_CACHE_LINE 64

/* Must stand on declaration and definition: on the declaration alone GCC quietly
 * returns to a call of __tls_get_addr per event. */
#define FATHOM_TLS __thread __attribute__((tls_model("initial-exec")))

#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

/* For what one thread writes and another may read while it does: a plain load or store
 * in machine code, no tearing, no ordering. */
#define fathom_peek(place) __atomic_load_n((place), __ATOMIC_RELAXED)
#define fathom_poke(place, value) __atomic_store_n((place), (value), __ATOMIC_RELAXED)

/*
 * Two of the same in one instruction: add to a uint64_t, and ask whether a word is zero. The compiler itself makes
 * three of the first, and keeps a register busy for the second.
 */
#if defined(__x86_64__)
#define fathom_add(place, amount) \
	__asm__ volatile("addq %1, %0" : "+m"(*(uint64_t *)(place)) : "er"((uint64_t)(amount)) : "cc")
#define fathom_is_zero(place) \
	__extension__({ \
		int is_zero; \
		__asm__ volatile("cmpq $0, %1" : "=@ccz"(is_zero) : "m"(*(place))); \
		is_zero; \
	})
#else
#define fathom_add(place, amount) fathom_poke((place), *(place) + (amount))
#define fathom_is_zero(place) (fathom_peek(place) == 0)
#endif

/* A broken invariant is a bug in fathom; ./configure --enable-assert looks for them. */
#ifdef FATHOM_ASSERT
#define fathom_assert(condition) \
	do { \
		if (!(condition)) \
			__builtin_trap(); \
	} while (0)
#else
#define fathom_assert(condition) ((void)0)
#endif

#endif
