/*
 * parameter_call_paths: parameters that the program gives split call paths.
 *
 * A region with a parameter's value is a region of its own (define/parameter.h). Its call path is a sibling of the call
 * path without the value. When the program gives a value, the visit that is active goes on at the sibling.
 */
#ifndef FATHOM_PROFILE_PARAMETER_CALL_PATHS_H
#define FATHOM_PROFILE_PARAMETER_CALL_PATHS_H

#include "define/parameter.h"
#include "profile/callpath.h"

/* The function of the substrate's table: the innermost region has this value of the parameter from now on. Where there
 * are too many call paths the visit stays where it is. Context: hook; the first time of a value: birth. */
void fathom_callpath_parameter(struct fathom_location *self, const struct fathom_parameter *parameter,
			       const struct fathom_parameter_value *value);

#endif
