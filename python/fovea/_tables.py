# SPDX-License-Identifier: MIT
"""Tables as columns."""
import numpy as np

from . import _fovea


def column(values, whole):
    """A list of texts or the bytes of doubles as an array; whole numbers are such unless one is missing."""
    if isinstance(values, list):
        return np.array(values, dtype=object)
    numbers = np.frombuffer(values)
    return numbers.astype(np.int64) if whole and np.isfinite(numbers).all() else numbers


class Table(dict):
    """The columns of a table by their names, as NumPy arrays; missing numbers are NaN, missing texts None. `units` and `help` say what they are."""

    def __init__(self, handle):
        self._handle = handle
        columns = _fovea.table_columns(handle)
        super().__init__((name, column(values, whole)) for name, _, _, whole, values in columns)
        self.units = {name: unit for name, unit, *_ in columns}
        self.help = {name: text for name, _, text, *_ in columns}

    @property
    def rows(self):
        """How many rows there are."""
        return len(next(iter(self.values()), ()))

    def to_pandas(self):
        """As a DataFrame of pandas, which has to be installed."""
        import pandas

        return pandas.DataFrame(dict(self))

    def save(self, path, separator=",", raw=False):
        """Saves the table, as it was made, as the ending says: .csv, .tsv, .jsonl, .fits, .vot or .parquet. The file appears whole or not at all. separator, of .csv: ',' or
        ';', which makes decimal commas, too. Text cells that a
        spreadsheet would run as a formula get an apostrophe in front, and control characters become their pictures, unless raw is True."""
        _fovea.table_save(self._handle, path, separator, raw)

    def __repr__(self):
        return f"<fovea.Table {self.rows} rows: {', '.join(self)}>"
