# SPDX-License-Identifier: MIT
"""blackhat: the cases of tophat.py."""
from tophat import cases_of


def cases():
    yield from cases_of("blackhat")
