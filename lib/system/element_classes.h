/*
 * element_classes: the table of the classes of elements in the system tree, with the same numbers on all ranks.
 *
 * The table is a piece of a byte stack: for each class a letter for its kind (nodes first), its text, and a NUL. It is
 * sorted and contains each class once. Its size does not depend on the number of processes.
 */
#ifndef FATHOM_SYSTEM_ELEMENT_CLASSES_H
#define FATHOM_SYSTEM_ELEMENT_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"
#include "system/byte_stack.h"
#include "system/name_pattern.h"
#include "system/sequence.h"
#include "system/system_path.h"

struct fathom_classes {
	size_t at;		/* offset in the stack, on top of which the table is */
	size_t bytes;
};

/* Makes the table of this process. 0 or -ENOMEM. Context: finish, signal; as of all below. */
int fathom_classes_init(struct fathom_classes *classes, struct fathom_byte_stack *stack,
			const struct fathom_system_path *place,
			const struct fathom_location_label *locations, uint32_t count);

/*
 * Merges the tables of all ranks and gives all of them the result. *err is this rank's error before the call, and an
 * error that is the same on all ranks afterwards: 0 if there is a merged table. *most becomes the largest value of all
 * ranks. If this rank has no memory for the merged table, classes->at is SIZE_MAX. Returns 0, or -errno if comm is
 * broken.
 */
int fathom_classes_unite(struct fathom_classes *classes, struct fathom_byte_stack *stack, struct fathom_comm *comm,
			 int *err, uint32_t *most);

/* Returns the number of a class, which must be in the table. */
uint32_t fathom_classes_number(const struct fathom_classes *classes, const struct fathom_byte_stack *stack,
			       enum fathom_element kind, const char *text);

/* Returns the number of classes, and fills list, which must have room, with their texts. NULL: only returns the
 * number. */
uint32_t fathom_classes_list(const struct fathom_classes *classes, const struct fathom_byte_stack *stack,
			     const char **list);

#endif
