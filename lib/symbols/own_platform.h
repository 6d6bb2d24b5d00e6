/*
 * own_platform: other names for the parts of lib/platform that libfathom-symbols contains itself (local.mk says why).
 *
 * The compiler includes this before every source of libfathom-symbols. Static programs link libfathom-symbols and
 * libfathom, and a function of the same name in both would be an error.
 */
#ifndef FATHOM_SYMBOLS_OWN_PLATFORM_H
#define FATHOM_SYMBOLS_OWN_PLATFORM_H

#define fathom_arena_alloc fathom_symbols_arena_alloc
#define fathom_arena_copy fathom_symbols_arena_copy
#define fathom_arena_fini fathom_symbols_arena_fini
#define fathom_arena_grow fathom_symbols_arena_grow
#define fathom_arena_map fathom_symbols_arena_map
#define fathom_number_table_reserve fathom_symbols_number_table_reserve

#endif
