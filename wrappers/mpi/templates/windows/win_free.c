/* sees: win */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	struct fathom_mpi_window *freed = fathom_mpi_window_detach(@*win@);
	@real@;

	fathom_mpi_window_freed(scope, freed, err);
	fathom_mpi_exit(scope);
	@return@;
}
