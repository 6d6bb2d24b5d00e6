/* sees: target request */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	@real@;

	if (fathom_mpi_records(scope, err) && @target@ != MPI_PROC_NULL)
		fathom_event_rma(0, @bytes@);
	if (err == MPI_SUCCESS)
		fathom_mpi_request_of_nothing(@*request@);
	fathom_mpi_exit(scope);
	@return@;
}
