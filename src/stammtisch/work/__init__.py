"""Work side by side: in this process, in processes beside it, on the machines of a Ray cluster."""
