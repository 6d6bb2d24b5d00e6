/*
 * element_classes: what kinds of elements there are in the system, numbered the same everywhere.
 *
 * A table of classes is bytes in a stack: for each class a letter for its kind (nodes first), its text, and a NUL;
 * sorted, each once. Its size does not depend on the number of processes.
 */
#ifndef FATHOM_SYSTEM_ELEMENT_CLASSES_H
#define FATHOM_SYSTEM_ELEMENT_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"
#include "system/builder.h"

struct fathom_classes {
	size_t at;		/* in the stack, on top of it */
	size_t bytes;
};

/* The table of this process alone. 0 or -ENOMEM. Context: finish, signal; as of all below. */
int fathom_classes_init(struct fathom_classes *classes, struct fathom_byte_stack *stack,
			const struct fathom_system_path *place,
			const struct fathom_location_label *locations, uint32_t count);

/*
 * Make one of those of all, at all of them. *err: this process's, and afterwards, the same at all, whether there is a
 * table. *most becomes the largest of all. Where there is one, but no memory for it here, classes->at is SIZE_MAX.
 * 0 or -errno: comm is broken.
 */
int fathom_classes_unite(struct fathom_classes *classes, struct fathom_byte_stack *stack, struct fathom_comm *comm,
			 int *err, uint32_t *most);

/* The number of a class. It is there. */
uint32_t fathom_classes_number(const struct fathom_classes *classes, const struct fathom_byte_stack *stack,
			       enum fathom_element kind, const char *text);

/* How many classes there are, and, in classes of room for them, their texts. */
uint32_t fathom_classes_list(const struct fathom_classes *classes, const struct fathom_byte_stack *stack,
			     const char **list);

#endif
