/* sees: comm */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	struct fathom_mpi_communicator *freed = fathom_mpi_communicator_detach(@*comm@);
	@real@;

	fathom_mpi_comm_freed(scope, freed, err);
	fathom_mpi_exit(scope);
	@return@;
}
