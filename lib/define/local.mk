# Definitions: regions, metrics, parameters, topologies, communicators. (activity.c is in libcubewriter, for tools need it, too.)
define_sources = \
	lib/define/cart.c lib/define/cart.h \
	lib/define/communicator.h \
	lib/define/metric.c lib/define/metric.h \
	lib/define/parameter.c lib/define/parameter.h \
	lib/define/region.c lib/define/region.h \
	lib/define/role.c lib/define/role.h \
	lib/define/topology.c lib/define/topology.h
