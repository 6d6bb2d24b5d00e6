/* sees: request */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	struct fathom_mpi_request *freed = fathom_mpi_request_free_begin(@*request@);
	@real@;

	fathom_mpi_request_free_end(scope, freed, err);
	fathom_mpi_exit(scope);
	@return@;
}
