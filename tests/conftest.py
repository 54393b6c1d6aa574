"""Settings for all tests."""

import os
import tempfile

collect_ignore = ["toys"]  # imported by the tests; not a test itself

# People's own games are nobody's test data: everything a test plays is kept somewhere else.
os.environ["STAMMTISCH_DATA"] = tempfile.mkdtemp(prefix="stammtisch-test-")
