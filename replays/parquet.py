"""Tables of hands as Parquet files, written by DuckDB (the extra ``parquet``).

The rows go into files of text first, and DuckDB turns each into Parquet as it reads it, so that the memory does not
grow with the number of hands.
"""

import json
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from replays.tables import TABLES, Row, Table

MISSING = "Parquet needs DuckDB, which is not installed: pip install 'rollyourown[parquet]'"
_TIMES = "TIMESTAMP"


def can_write() -> bool:
    """Whether DuckDB is installed; looking does not load it."""
    return find_spec("duckdb") is not None


def paths_of(output: Path) -> dict[Table, Path]:
    """The file of each table: ``evening.hands.parquet`` for ``evening.parquet``."""
    stem = output.name.removesuffix(".parquet")
    return {table: output.with_name(f"{stem}.{table}.parquet") for table in TABLES}


def write_tables(output: Path, rows: Iterable[tuple[Table, Row]]) -> list[Path]:
    """Writes the three files, each whole or not at all. Returns their paths. Raises OSError."""
    paths = paths_of(output)
    with TemporaryDirectory(prefix=".ryo-", dir=output.parent) as folder:
        texts: dict[Table, Path] = {table: Path(folder) / f"{table}.json" for table in TABLES}
        with ExitStack() as files:
            opened = {table: files.enter_context(text.open("w", encoding="utf-8")) for table, text in texts.items()}
            for table, row in rows:
                fields = dict(zip(TABLES[table], row, strict=True))
                opened[table].write(f"{json.dumps(fields)}\n")
        made = {table: Path(folder) / f"{table}.parquet" for table in TABLES}
        _convert(texts, made)
        for table, path in paths.items():
            made[table].replace(path)
    return [*paths.values()]


def _convert(texts: Mapping[Table, Path], made: Mapping[Table, Path]) -> None:
    """Makes the Parquet file of each table of its lines of JSON."""
    import duckdb

    with duckdb.connect(config={"threads": 1, "preserve_insertion_order": True}) as connection:
        for table, columns in TABLES.items():
            read = {name: "BIGINT" if kind == _TIMES else kind for name, kind in columns.items()}
            chosen = ", ".join(
                f"make_timestamp({name} * 1000) AS {name}" if kind == _TIMES else name for name, kind in columns.items()
            )
            connection.execute(
                f"COPY (SELECT {chosen} FROM read_json(?, format = 'newline_delimited', columns = {read!r})) "
                f"TO '{_quoted(made[table])}' (FORMAT parquet, COMPRESSION zstd)",
                [str(texts[table])],
            )


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")
