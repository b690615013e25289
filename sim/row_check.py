"""Check the rows of an SQLite file that anybody may have edited, and name the first that is wrong."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

# Tables that keep to their types; before SQLite 3.37 only our check does.
STRICT = "STRICT" if sqlite3.sqlite_version_info >= (3, 37) else ""

# What reading a damaged file may raise: SQLite's words quote names from it, which need not be text.
DAMAGED = (sqlite3.Error, UnicodeDecodeError)

# What a column may hold, as SQL; {} is the column.
_PLAIN = (
    "{} NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*' AND instr({}, char(0)) = 0"
)
NAME = "typeof({}) = 'text' AND length({}) BETWEEN 1 AND 200 AND " + _PLAIN
TEXT = "typeof({}) = 'text' AND length({}) <= 10000 AND " + _PLAIN
TIME = "typeof({}) = 'text' AND datetime({}, '+0 days') IS {}"
DAY = "typeof({}) = 'text' AND date({}, '+0 days') IS {}"
WHOLE = "typeof({}) = 'integer' AND {} BETWEEN 0 AND 1 << 62"
NULL_OR_WHOLE = "({} IS NULL OR " + WHOLE + ")"


def between(least: int, most: int) -> str:
    return f"typeof({{}}) = 'integer' AND {{}} BETWEEN {least} AND {most}"


def find_damage(connection: sqlite3.Connection, table: str, form: Mapping[str, str]) -> str:
    """Return what is wrong with the columns or the first bad row of a table, in one line, or "".

    form: what each column may hold.
    """
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    if columns != [*form]:
        return f"table {table} has other columns"
    cases = " ".join(f"WHEN ({rule.replace('{}', name)}) IS NOT 1 THEN '{name}'" for name, rule in form.items())
    question = f"SELECT rowid, CASE {cases} END AS bad FROM {table} WHERE bad IS NOT NULL LIMIT 1"
    for number, name in connection.execute(question):
        (value,) = connection.execute(
            f"SELECT substr({name}, 1, 40) FROM {table} WHERE rowid = ?", (number,)
        ).fetchone()
        return f"row {number} of {table}: {name} is {value!a}"
    return ""
