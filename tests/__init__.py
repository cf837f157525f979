"""Every process of the tests uses one thread, as the command and its workers do; said before numpy is loaded.

Processes side by side that each use all cores wait for one another: sums of a hundredth of a second took up to a
second. And how many threads add up the numbers turns the last bits of what the tests keep.
"""

import os

from balance.base.limits import ONE_THREAD

os.environ.update(ONE_THREAD)
