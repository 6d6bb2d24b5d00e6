# Programs with threads of their own.
