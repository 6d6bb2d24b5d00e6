# wrappers/compiler
