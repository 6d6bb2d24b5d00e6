/* sees: target op win */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	@real@;

	/* With MPI_NO_OP nothing is sent, and what describes it has no meaning. */
	if (fathom_mpi_records(scope, err) && @target@ != MPI_PROC_NULL)
		fathom_mpi_operation(@win@, FATHOM_MPI_FETCH, @target@,
			@op@ == MPI_NO_OP ? 0 : @bytes@, @bytes2@);
	fathom_mpi_exit(scope);
	@return@;
}
