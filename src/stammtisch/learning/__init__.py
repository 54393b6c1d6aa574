"""One algorithm, one file; what every training run shares."""
