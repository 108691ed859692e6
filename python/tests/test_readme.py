"""The README's examples run as written."""

import doctest
import pathlib


def test_readme():
    readme = pathlib.Path(__file__).parents[1] / "README.md"
    result = doctest.testfile(str(readme), module_relative=False)
    assert result.attempted > 5 and result.failed == 0
