# OpenMP programs, built plain and measured: same output, exact visits.
