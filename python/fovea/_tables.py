# SPDX-License-Identifier: MIT
"""Tables as columns."""
from __future__ import annotations

from typing import Any, Dict, Mapping

import numpy as np

from . import _display, _fovea
from ._errors import ArgumentError


def column(values: Any, whole: bool) -> np.ndarray:
    """A list of texts or the bytes of doubles as an array; integers stay integers unless one is missing."""
    if isinstance(values, list):
        return np.array(values, dtype=object)
    numbers = np.frombuffer(values)
    return numbers.astype(np.int64) if whole and np.isfinite(numbers).all() else numbers


def stored(name: str, values: Any) -> tuple[bool, Any]:
    """Whether the numbers of a column are whole, and a list of texts or the bytes of doubles."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise ArgumentError(f"columns: '{name}' has {array.ndim} dimensions; a column has one.", "columns")
    if array.dtype.kind in "biuf":
        return array.dtype.kind != "f", np.ascontiguousarray(array, np.float64).tobytes()
    return False, [None if value is None else str(value).encode() for value in array.tolist()]


class Table(Dict[str, np.ndarray]):
    """The columns of a table by their names, as NumPy arrays; missing numbers are NaN, missing texts None. `units` and `help` say what they are.
    As in pandas, len() counts rows, and iteration gives the names of the columns. A table without rows is false.

    columns: names, and for each the values: numbers, or texts. units, help: of the columns that have some.
    """

    def __init__(self, columns: Mapping[str, Any], *, units: Mapping[str, str] = {}, help: Mapping[str, str] = {}) -> None:  # noqa: A002
        made = [(name.encode(), units.get(name, "").encode(), help.get(name, "").encode(), *stored(name, values)) for name, values in columns.items()]
        self._own(_fovea.table_new(made))

    @classmethod
    def _of(cls, handle: Any) -> Table:
        table = cls.__new__(cls)
        table._own(handle)
        return table

    def _own(self, handle: Any) -> None:
        self._handle = handle
        columns = _fovea.table_columns(handle)
        self.update((name, column(values, whole)) for name, _, _, whole, values in columns)
        self.units = {name: unit for name, unit, *_ in columns}
        self.help = {name: text for name, _, text, *_ in columns}

    def __reduce__(self) -> Any:
        """For pickle and copies."""
        return remade, (dict(self), self.units, self.help)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(next(iter(self.values()), ()))

    def __len__(self) -> int:
        return self.rows

    def to_pandas(self) -> Any:
        """As a DataFrame of pandas, which has to be installed."""
        import pandas

        return pandas.DataFrame(dict(self))

    def save(self, path: Any, separator: str = ",", raw: bool = False) -> None:
        """Saves the table, as it was made, as the ending says: .csv, .tsv, .jsonl, .fits, .vot or .parquet. The file appears whole or not at all.
        separator, of .csv: ',' or ';', which makes decimal commas, too. Text cells that a
        spreadsheet would run as a formula get an apostrophe in front, and control characters become their pictures, unless raw is True."""
        _fovea.table_save(self._handle, path, separator, raw)

    def __repr__(self) -> str:
        return f"<fovea.Table {self.rows} rows: {', '.join(self)}>"

    def _repr_html_(self) -> str:
        return _display.table_html(self)


def remade(columns: dict[str, np.ndarray], units: dict[str, str], help: dict[str, str]) -> Table:  # noqa: A002
    """A table that was pickled."""
    return Table(columns, units=units, help=help)
