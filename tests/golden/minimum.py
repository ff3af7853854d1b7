# SPDX-License-Identifier: MIT
"""minimum: the cases of median.py."""
from median import cases_of


def cases():
    yield from cases_of("minimum")
