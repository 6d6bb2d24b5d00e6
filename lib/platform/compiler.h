/*
 * compiler: macros for attributes and builtins of the C compiler.
 */
#ifndef FATHOM_PLATFORM_COMPILER_H
#define FATHOM_PLATFORM_COMPILER_H

/* Exported by the library: the public API, the interposed names, and functions for sibling libraries only.
 * lib/libfathom.map lists them. */
#define FATHOM_API __attribute__((visibility("default")))

/* For declarations of data that no other library uses; the code reaches them without the global offset table. */
#define FATHOM_HIDDEN __attribute__((visibility("hidden")))

#define FATHOM_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define FATHOM_COLD __attribute__((cold, noinline))
#define FATHOM_CACHE_LINE 64

/* Must be on both declaration and definition: with the declaration only, GCC calls __tls_get_addr at each event,
 * without a warning. */
#define FATHOM_TLS __thread __attribute__((tls_model("initial-exec")))

#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

/* Access to data that one thread writes while other threads may read them: a plain load or store in machine code,
 * without tearing and without ordering. */
#define fathom_peek(place) __atomic_load_n((place), __ATOMIC_RELAXED)
#define fathom_poke(place, value) __atomic_store_n((place), (value), __ATOMIC_RELAXED)

/* Defined in a build for ThreadSanitizer, which does not see what asm statements read and write. */
#if defined(__SANITIZE_THREAD__)
#define FATHOM_FOR_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FATHOM_FOR_THREAD_SANITIZER 1
#endif
#endif

/*
 * Accesses of this kind as one instruction: adding to a uint64_t, and testing whether a word is zero. The compiler
 * itself uses three instructions for the first, and an additional register for the second.
 */
#if defined(__x86_64__) && !defined(FATHOM_FOR_THREAD_SANITIZER)
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

/* Checks an invariant, if fathom was configured with --enable-assert; a violation is a bug in fathom. */
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
