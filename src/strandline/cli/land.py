"""`strandline land`: files, messages of Kafka, or the commits of a table, exactly once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from strandline.cli.terminal import one_line, say
from strandline.landing.formats import FORMATS

if TYPE_CHECKING:
    from strandline.landing import LandingResult

# Of a source: its value, its options, and those of them that it needs.
Given = tuple[object, Mapping[str, object], Sequence[str]]
NAMES_SHOWN = 5
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
    source: Path | None,
    file_format: str | None,
    kafka: str | None,
    from_table: str | None,
    order_by: tuple[str, ...],
    changes: str | None,
    grows_by: str | None,
    topic: str | None,
    client: dict[str, str],
    allow_lost: bool,
    schema: str | None,
    schema_file: Path | None,
    table: str,
    quarantine: str | None,
    options: dict[str, str],
    new_checkpoint: bool,
    as_json: bool,
    target: str | None,
    project_dir: str,
    profiles_dir: str | None,
) -> None:
    """Read the arguments, land, and show the result."""
    of_files = {"--format": file_format, "--option": options}
    of_kafka = {"--topic": topic, "--kafka-option": client, "--option": options}
    of_table = {"--order-by": order_by, "--changes": changes, "--grows-by": grows_by}
    sources: dict[str, Given] = {
        "--source": (source, of_files, ("--format",)),
        "--kafka": (kafka, {**of_kafka, "--allow-lost": allow_lost}, ("--topic",)),
        "--from": (from_table, {**of_table, "--allow-lost": allow_lost}, ()),
    }
    if fault := _fault_of_source(sources):
        raise click.UsageError(fault)
    has_schema = (schema is None, schema_file is None).count(False)
    if has_schema > 1 or (source and not has_schema):
        raise click.UsageError("Give either --schema or --schema-file.")
    ddl = schema_file.read_text(encoding="utf-8").strip() if schema_file else schema

    # Spark is loaded only now: --help and wrong use answer at once.
    from dbt_common.exceptions import DbtBaseException

    from strandline.landing import (
        LandingError,
        WrongUse,
        check_request,
        land_kafka,
        land_table,
    )
    from strandline.landing import land as land_files
    from strandline.spark import StrandlineSparkError, credentials_for, home_for, open_session

    try:
        if source and file_format:
            check_request(source, table, file_format, quarantine=quarantine, options=options)
        credentials = credentials_for(project_dir, target, profiles_dir)
        folder = home_for(credentials, project_dir) / "landing" / table.lower()
        if source and file_format:
            result = land_files(
                open_session(credentials),
                source,
                table,
                str(ddl),
                file_format,
                folder,
                quarantine=quarantine,
                options=options,
                new_checkpoint=new_checkpoint,
                lock_timeout=credentials.lock_timeout,
            )
        elif from_table:
            result = land_table(
                open_session(credentials),
                from_table,
                table,
                folder,
                schema=ddl,
                quarantine=quarantine,
                order_by=order_by,
                changes=changes or "refuse",
                grows_by=grows_by,
                allow_lost=allow_lost,
                new_checkpoint=new_checkpoint,
                lock_timeout=credentials.lock_timeout,
            )
        else:
            result = land_kafka(
                open_session(credentials),
                str(kafka),
                str(topic),
                table,
                folder,
                schema=ddl,
                quarantine=quarantine,
                options=options,
                client=client,
                allow_lost=allow_lost,
                new_checkpoint=new_checkpoint,
                lock_timeout=credentials.lock_timeout,
            )
    except WrongUse as error:
        raise click.UsageError(str(error)) from error
    except (LandingError, StrandlineSparkError, DbtBaseException) as error:
        raise click.ClickException(str(error)) from error
    rejected = quarantine or f"{table}_quarantine"
    if as_json:
        found = {"table": table, "quarantine": rejected, **asdict(result)}
        click.echo(json.dumps(found, indent=2))
    else:
        for line in landed_lines(table, rejected, result):
            say(line)
    if result.unreadable or result.denied:
        click.get_current_context().exit(LEFT_OUT)


def _fault_of_source(
    sources: Mapping[str, Given],
) -> str | None:
    """What is wrong with the choice of a source."""
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


def landed_lines(table: str, quarantine: str, result: LandingResult) -> list[str]:
    """The result in one line, and one more for everything that was not landed."""
    arrivals = ""
    if result.landed:
        arrivals = f" (arrival {result.arrival_from:,} to {result.arrival_to:,})"
    lines = [
        f"{result.landed:,} rows landed in {table}{arrivals}, "
        f"{result.quarantined:,} quarantined, {result.batches} batches"
    ]
    if result.quarantined:
        lines.append(f"The reasons: select reason, landed_from, line, raw from {quarantine}")
    lines += [
        f"In quarantine whole: {one_line(name)}: {one_line(why)}"
        for name, why in result.unreadable.items()
    ]
    if result.denied:
        lines.append(
            f"Not readable: {_named(result.denied)}; give this user the permission to read, and "
            "the next landing reads them"
        )
    if result.changed:
        lines.append(
            f"Changed after it was landed: {_named(result.changed)}; new rows there were not read, "
            "land them under a new name"
        )
    if result.ignored:
        lines.append(f"Left out, since the schema lacks them: {_named(result.ignored)}")
    lines += [
        f"Lost: {count:,} messages of {one_line(name)}, which Kafka had deleted before they landed"
        for name, count in result.lost.items()
    ]
    if result.links:
        lines.append(
            f"Not followed: {_named(result.links)}; links, special files and names that "
            "are not UTF-8 are not read: copy what they lead to into the folder, or rename them"
        )
    return lines


def _named(names: Sequence[str]) -> str:
    shown = ", ".join(map(one_line, names[:NAMES_SHOWN]))
    more = len(names) - NAMES_SHOWN
    return f"{shown} and {more:,} more" if more > 0 else shown
