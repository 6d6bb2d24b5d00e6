/*
 * call_path_values: the values of a call path of the process tree on all locations.
 */
#ifndef FATHOM_PROFILE_CALL_PATH_VALUES_H
#define FATHOM_PROFILE_CALL_PATH_VALUES_H

#include <stdint.h>

#include "profile/process_tree/process_tree.h"

/*
 * Writes the values of a call path on all locations to values[value_count][location_count]. Returns, as bits by enum
 * fathom_value, which values differ from their neutral value on any location. Context: finish, signal.
 */
fathom_presence fathom_process_tree_values(const struct fathom_process_tree *process, uint32_t node, uint64_t *values);

#endif
