"""How the files are written: the closed vocabulary of formats and their options."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import available_timezones

from strandline.landing.patterns import has_offset, pattern_faults

FORMATS = ("csv", "json", "parquet")
PATTERNS = ("timestamp_format", "date_format")
TEXT_OPTIONS = (*PATTERNS, "time_zone")
LINE_ENDS = "\r\n"
CHOICES = {"unknown": ("refuse", "ignore"), "key": ("text", "binary")}
HEADERS = ("true", "false", "skip")
OPTIONS = {
    "csv": (
        *("glob", "header", "sep", "quote", "null_value", "multi_line", "rest", "unknown"),
        *TEXT_OPTIONS,
    ),
    "json": ("glob", "rest", "unknown", *TEXT_OPTIONS),
    "parquet": ("glob", "unknown"),
    "kafka": ("key", "rest", "unknown", *TEXT_OPTIONS),
}


@dataclass(frozen=True)
class FileFormat:
    """A format with its options, all of them valid.

    Attributes:
        name: one of :data:`FORMATS`, or kafka.
        glob: only files whose name matches are landed.
        header: the first line of each CSV file is no row.
        is_positional: the columns of a CSV file are those of the schema, in its order, whatever its
            first line says.
        sep: one character between the values of a CSV line.
        quote: one character around a CSV value that holds `sep`; doubled inside the value.
        null_value: text that stands for "no value" in CSV, besides the empty one.
        multi_line: a quoted value of CSV may have line breaks.
        timestamp_format: Spark's datetime pattern; ISO 8601 when None.
        date_format: the same for dates.
        time_zone: the zone of times without an offset; UTC when None.
        rest: the STRING column that gets what the files have and the schema lacks, as a JSON
            object: fields of JSON, columns of a CSV file with a header.
        key: whether the key of a message of Kafka is text or bytes.
        unknown: what becomes of them without `rest`: ``refuse`` makes them a fault, ``ignore``
            leaves them out.
        columns: the names in the header of some CSV files, in their order; those of the schema
            when None.
        is_array: these JSON files are one array each, and not one object a line.
    """

    name: str
    glob: str = "*"
    header: bool = True
    is_positional: bool = False
    sep: str = ","
    quote: str = '"'
    null_value: str = ""
    multi_line: bool = False
    timestamp_format: str | None = None
    date_format: str | None = None
    time_zone: str | None = None
    rest: str | None = None
    unknown: str = "refuse"
    key: str = "text"
    columns: tuple[str, ...] | None = None
    is_array: bool = False

    @property
    def is_text(self) -> bool:
        """Whether a row is a line of text."""
        return self.name != "parquet"

    @property
    def has_header(self) -> bool:
        """Whether the first line of each file is no row."""
        return self.name == "csv" and self.header


def parse_format(name: str, options: Mapping[str, str], faults: list[str]) -> FileFormat | None:
    """Check a format and its options as a user gave them; add what is wrong to `faults`."""
    if name not in OPTIONS:
        faults.append(f"format '{name}' is unknown; allowed: {', '.join(FORMATS)}")
        return None
    before = len(faults)
    values: dict[str, Any] = {}
    for key, value in options.items():
        if key not in OPTIONS[name]:
            faults.append(
                f"option '{key}' is unknown for {name}; allowed: {', '.join(OPTIONS[name])}"
            )
        elif key == "header":
            if value.lower() not in HEADERS:
                faults.append(f"option header='{value}' must be true, false or skip")
            values["header"] = value.lower() != "false"
            values["is_positional"] = value.lower() != "true"
        elif key == "multi_line":
            if value.lower() not in ("true", "false"):
                faults.append(f"option {key}='{value}' must be true or false")
            values[key] = value.lower() == "true"
        elif key in CHOICES:
            if value not in CHOICES[key]:
                faults.append(f"option {key}='{value}' must be {' or '.join(CHOICES[key])}")
            values[key] = value
        elif key in ("sep", "quote"):
            char = value.replace(r"\t", "\t")
            if len(char) != 1:
                faults.append(rf"option {key}='{value}' must be one character (\t is a tab)")
            elif char in LINE_ENDS:
                faults.append(f"option {key} is a line break, which ends a row; name another")
            values[key] = char
        elif not value:
            if key != "null_value":
                faults.append(f"option {key} is empty; leave it out, or give a value")
        else:
            values[key] = value
            if key in PATTERNS:
                faults.extend(pattern_faults(key, value))
            elif key == "time_zone" and value not in available_timezones():
                faults.append(
                    f"option time_zone='{value}' is no IANA name, such as 'Europe/Berlin'"
                )
    if values.get("time_zone") and has_offset(values.get("timestamp_format", "")):
        faults.append(
            "option time_zone is for times without an offset, and timestamp_format has one"
        )
    if values.get("rest") and values.get("unknown"):
        faults.append("options rest and unknown are both given; rest keeps what unknown is about")
    if values.get("rest") and values.get("is_positional"):
        faults.append(
            "option rest needs the names of the columns; say header=true, or leave it out"
        )
    if values.get("sep", ",") == values.get("quote", '"'):
        faults.append("options sep and quote are the same character")
    return FileFormat(name, **values) if len(faults) == before else None
