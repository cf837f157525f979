"""The commands of the documentation are run as those of the tests of the command line are."""

from tests.cli.conftest import balance, elsewhere

__all__ = ["balance", "elsewhere"]
