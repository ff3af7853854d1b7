# SPDX-License-Identifier: MIT
"""dilation: the cases of erosion.py."""
from erosion import cases_of


def cases():
    yield from cases_of("dilation")
