"""The command, run in this process."""

from tests.cli.conftest import balance as balance
from tests.cli.conftest import plain_surroundings as plain_surroundings
