# The system tree and its distributed builder.
system_sources = \
	lib/system/builder.c lib/system/builder.h \
	lib/system/capacity.c lib/system/capacity.h \
	lib/system/rank_chain.c lib/system/rank_chain.h \
	lib/system/element_classes.c lib/system/element_classes.h \
	lib/system/name_group.c lib/system/name_group.h \
	lib/system/tree_labels.c lib/system/tree_labels.h \
	lib/system/inorder_tree.c lib/system/inorder_tree.h \
	lib/system/subtree_merge.c lib/system/subtree_merge.h \
	lib/system/system_path.c lib/system/system_path.h \
	lib/system/text_file.c lib/system/text_file.h \
	lib/system/definition_pool.c lib/system/definition_pool.h \
	lib/system/processors.c lib/system/processors.h \
	lib/system/sequence.c lib/system/sequence.h \
	lib/system/byte_stack.c lib/system/byte_stack.h \
	lib/system/transfer.c lib/system/transfer.h \
	lib/system/name_pattern.c lib/system/name_pattern.h

# configure --without-topologies
grid_sources = \
	lib/system/grid_positions.c lib/system/grid_positions.h \
	lib/system/grid_runs.c lib/system/grid_runs.h
if WITH_TOPOLOGIES
system_sources += $(grid_sources)
else
EXTRA_DIST += $(grid_sources)
endif
