# SPDX-License-Identifier: MIT
"""maximum: the cases of median.py."""
from median import cases_of


def cases():
    yield from cases_of("maximum")
