# SPDX-License-Identifier: MIT
"""remove_large: see clear_border.py."""
from clear_border import cases_of


def cases():
    yield from cases_of("remove_large", (1, 9))
