# SPDX-License-Identifier: MIT
"""variance: the cases of mean.py."""
from mean import cases_of


def cases():
    yield from cases_of("variance")
