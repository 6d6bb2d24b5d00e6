# OpenMP sources, rewritten by OPARI2 on their way to the compiler.
