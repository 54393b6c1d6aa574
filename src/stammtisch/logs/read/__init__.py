"""Reading: where logs lie, and from their bytes to rounds."""
