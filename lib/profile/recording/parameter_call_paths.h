/*
 * parameter_call_paths: parameters, which split call paths by their values.
 *
 * A region with a value of a parameter is a region of its own (define/parameter.h). Its call path is a sibling of the
 * call path without the value. When the program gives a value, the active visit continues at the sibling.
 */
#ifndef FATHOM_PROFILE_PARAMETER_CALL_PATHS_H
#define FATHOM_PROFILE_PARAMETER_CALL_PATHS_H

#include "define/parameter.h"
#include "profile/recording/callpath.h"

/* The function parameter of the substrate's table: the innermost region has this value of the parameter from now on.
 * If there are too many call paths, the visit stays at its call path. Context: hook; birth for the first use of a
 * value. */
void fathom_callpath_parameter(struct fathom_location *self, const struct fathom_parameter *parameter,
			       const struct fathom_parameter_value *value);

#endif
