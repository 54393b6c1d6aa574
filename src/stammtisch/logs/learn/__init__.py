"""Learning: decisions of logs as data for training."""
