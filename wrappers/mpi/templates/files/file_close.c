/* sees: file */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	struct fathom_mpi_file *freed = fathom_mpi_file_detach(@*file@);
	@real@;

	fathom_mpi_file_closed(scope, freed, err);
	fathom_mpi_exit(scope);
	@return@;
}
