"""Counts vector cases, and says how many passed in the very last line."""

import pytest

COUNTS = pytest.StashKey[dict[str, int]]()


def pytest_configure(config):
    config.stash[COUNTS] = {"passed": 0, "failed": 0}


@pytest.fixture
def counts(pytestconfig):
    return pytestconfig.stash[COUNTS]


def pytest_unconfigure(config):
    counts = config.stash[COUNTS]
    print(f"Python: {counts['passed']:,} vector cases passed, {counts['failed']:,} failed")
