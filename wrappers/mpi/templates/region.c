/* sees: */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	@real@;

	fathom_mpi_exit(scope);
	@return@;
}
