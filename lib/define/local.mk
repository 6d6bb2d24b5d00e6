# Definitions: regions, metrics, parameters, topologies, communicators. (activity.c is in libcubewriter, for tools need it, too.)
define_sources = \
	lib/define/burst_boundary.h \
	lib/define/cart.h \
	lib/define/collective.h \
	lib/define/communicator.h \
	lib/define/metric.c lib/define/metric.h \
	lib/define/parameter.c lib/define/parameter.h \
	lib/define/region.c lib/define/region.h \
	lib/define/role.c lib/define/role.h \
	lib/define/topology.h

# configure --without-topologies
define_topology_sources = lib/define/cart.c lib/define/topology.c
if WITH_TOPOLOGIES
define_sources += $(define_topology_sources)
else
EXTRA_DIST += $(define_topology_sources)
endif
