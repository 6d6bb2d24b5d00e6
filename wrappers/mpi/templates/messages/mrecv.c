/* sees: message status */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	struct fathom_mpi_request *matched = fathom_mpi_message_take(@*message@);
	MPI_Status own;
	int err;

	@status@ = fathom_mpi_status(scope, @status@, &own);
	@then@;
	fathom_mpi_message_received(scope, matched, err, @status@);
	fathom_mpi_exit(scope);
	@return@;
}
