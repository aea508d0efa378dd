"""`strandline land`: files, messages of Kafka, or the commits of a table, exactly once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from strandline.cli.landed import Request, found, landed, landed_lines
from strandline.cli.terminal import say
from strandline.landing.formats import FORMATS

# Of a source: its value, its options, and those of them that it needs.
Given = tuple[object, Mapping[str, object], Sequence[str]]
LEFT_OUT = 3  # the exit code when all was landed but some files

EXAMPLES = """
\b
Examples:
  strandline land --source incoming/orders --format csv --table raw.orders \\
      --schema "order_id BIGINT NOT NULL, paid_at TIMESTAMP, amount DECIMAL(12,2)"
  strandline land --source incoming/clicks --format json --table raw.clicks \\
      --schema-file clicks.ddl --quarantine raw.clicks_bad
  strandline land --source incoming/old --format csv --table raw.old \\
      --schema-file old.ddl --option sep=";" --option date_format=dd.MM.yyyy --json
  strandline land --from lake.readings --table raw.readings --order-by measured_at
  strandline land --kafka broker:9092 --topic orders --table raw.orders \\
      --schema "order_id BIGINT NOT NULL, amount DECIMAL(12,2)"
"""


def _options(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """`key=value` pairs as a dict; a key twice, or without a value, is a wrong use."""
    options: dict[str, str] = {}
    for value in values:
        key, sign, text = value.partition("=")
        if not sign or not key:
            raise click.BadParameter(f"'{value}' is not key=value, such as sep=;")
        if key in options:
            raise click.BadParameter(f"'{key}' is given twice")
        options[key] = text
    return options


@click.command(
    name="land",
    short_help="Land files, messages or a table's commits, exactly once.",
    epilog=EXAMPLES,
    help="Land the new files of a folder, the new messages of a topic of Kafka, or what was "
    "committed to a table, in a table, each row once, with its arrival number. Rows that do not "
    "fit the schema, and files that cannot be read, go to the quarantine table with their reasons. "
    "Symbolic links are not followed. The exit code is 3 if a file went to quarantine whole or may "
    "not be read, and all others have landed.",
)
@click.option(
    "--source",
    type=click.Path(path_type=Path),
    help="Folder of the files; new ones are landed.",
)
@click.option(
    "--format",
    "file_format",
    type=click.Choice(FORMATS),
    help="How the files are written; json is one object a line, or one array.",
)
@click.option("--kafka", metavar="HOST:PORT", help="Brokers of Kafka, instead of --source.")
@click.option(
    "--from", "from_table", metavar="TABLE", help="Table to land from, instead of --source."
)
@click.option(
    "--order-by",
    multiple=True,
    metavar="COLUMN",
    help="With --from: number the rows of one commit by this column. Repeatable.",
)
@click.option(
    "--changes",
    type=click.Choice(("refuse", "land")),
    help="With --from: land updates and deletes, too, with the column change_type.  "
    "[default: refuse]",
)
@click.option(
    "--grows-by",
    metavar="COLUMN",
    help="With --from: a column that only grows, of a table or view that is not of Delta.",
)
@click.option("--topic", help="Topic of Kafka; new messages are landed, from its beginning on.")
@click.option(
    "--kafka-option",
    "client",
    multiple=True,
    callback=_options,
    metavar="KEY=VALUE",
    help="Setting of Kafka's client, such as security.protocol=SASL_SSL. env:NAME as the value "
    "takes it from the environment; a password must be given so. Repeatable.",
)
@click.option(
    "--allow-lost",
    is_flag=True,
    help="With --kafka or --from: land what is there although messages or versions are gone that "
    "had not landed.",
)
@click.option(
    "--schema",
    help='Columns as Spark DDL: "id BIGINT NOT NULL, name STRING". Messages of Kafka are JSON with '
    "it, and text without it; of a table all columns land without it.",
)
@click.option(
    "--schema-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File that holds the DDL, instead of --schema.",
)
@click.option("--table", required=True, help="Table of the events, schema.name.")
@click.option("--quarantine", help="Table of the faulty rows.  [default: <table>_quarantine]")
@click.option(
    "--option",
    "options",
    multiple=True,
    callback=_options,
    metavar="KEY=VALUE",
    help="Of the format: glob; for csv header, sep, quote, null_value, multi_line; for kafka key; "
    "for csv, json and kafka rest, timestamp_format, date_format, time_zone; unknown. Repeatable.",
)
@click.option(
    "--new-checkpoint",
    is_flag=True,
    help="Land although the table has rows and <table>_landings is missing: what is in the table "
    "would land again.",
)
@click.option("--json", "as_json", is_flag=True, help="The result as one object, for machines.")
@click.option("--target", help="Target of the profile.")
@click.option("--project-dir", default=".", show_default=True, help="Folder of dbt_project.yml.")
@click.option("--profiles-dir", help="Folder of profiles.yml.")
def land(
    as_json: bool,
    target: str | None,
    project_dir: str,
    profiles_dir: str | None,
    **given: Any,
) -> None:
    """Read the arguments, land, and show the result."""
    request = requested(**given)
    result = landed(request, project_dir, target, profiles_dir)
    if as_json:
        click.echo(json.dumps(found(request, result), indent=2))
    else:
        for line in landed_lines(request.table, request.rejected, result):
            say(line)
    if result.unreadable or result.denied:
        click.get_current_context().exit(LEFT_OUT)


def requested(
    *,
    schema: str | None,
    schema_file: Path | None,
    quarantine: str | None,
    **given: Any,
) -> Request:
    """The options of the command as one request.

    Raises click.UsageError: there is not one source, or an option does not fit it.
    """
    ddl = schema_file.read_text(encoding="utf-8").strip() if schema_file else schema
    request = Request(rejected=quarantine or f"{given['table']}_quarantine", ddl=ddl, **given)
    if fault := _fault_of_source(request):
        raise click.UsageError(fault)
    has_schema = (schema is None, schema_file is None).count(False)
    if has_schema > 1 or (request.source and not has_schema):
        raise click.UsageError("Give either --schema or --schema-file.")
    return request


def _fault_of_source(request: Request) -> str | None:
    """What is wrong with the choice of a source."""
    of_files = {"--format": request.file_format, "--option": request.options}
    of_kafka = {
        "--topic": request.topic,
        "--kafka-option": request.client,
        "--option": request.options,
        "--allow-lost": request.allow_lost,
    }
    of_table = {
        "--order-by": request.order_by,
        "--changes": request.changes,
        "--grows-by": request.grows_by,
        "--allow-lost": request.allow_lost,
    }
    sources: dict[str, Given] = {
        "--source": (request.source, of_files, ("--format",)),
        "--kafka": (request.kafka, of_kafka, ("--topic",)),
        "--from": (request.from_table, of_table, ()),
    }
    given = [name for name, (value, _, _) in sources.items() if value is not None]
    if len(given) != 1:
        return (
            "Give one of --source, a folder of files; --kafka, the brokers of a topic; and --from, "
            "a table."
        )
    [name] = given
    _, own, needed = sources[name]
    if missing := [option for option in needed if not own[option]]:
        return f"{name} needs {missing[0]}."
    for other, (_, options, _) in sources.items():
        foreign = [option for option, value in options.items() if value and option not in own]
        if foreign:
            return f"{', '.join(foreign)} goes with {other}, not with {name}."
    return None
