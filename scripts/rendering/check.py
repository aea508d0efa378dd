"""Parses the SQL that the macros render, and fails with what it finds.

    python -m scripts.rendering.check

sqlfluff needs minutes for this much nested SQL, so sqlglot parses it. Each text must be one
statement of Spark SQL; every CTE is used, no select names a column twice, and keywords are in lower
case. Every public macro must be among the calls. The texts are in target/rendered.
"""

from __future__ import annotations

import logging
import re
import shutil
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import sqlglot
import yaml
from scripts.rendering.arguments import EXPRESSIONS, NO_SQL, QUERIES
from scripts.rendering.run import Run
from scripts.rendering.tables import Texts, aggregations, anomalies, points
from scripts.rendering.windows import correlations, windows
from sqlglot import exp
from sqlglot.tokens import TokenType

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "target" / "rendered"
# Statements of the session and of properties: sqlglot knows their first word only.
UNPARSED = re.compile(
    r"(set|reset) spark\.[\w.]+( = [\w.-]+)?|show tblproperties [\w.]+"
    r"|describe history [\w.]+ limit 1"
)
# Texts between quotes, names and numbers have a case of their own.
FREE = {
    TokenType.STRING,
    TokenType.IDENTIFIER,
    TokenType.NUMBER,
    TokenType.VAR,
    TokenType.HEX_STRING,
}


# Aliases that the user writes: those of a join are public, the other is of the call here.
WRITTEN = ("a", "b", "visit")


def calls() -> Texts:
    """Expressions and queries."""
    macros = Run().macros
    for name, cases in EXPRESSIONS.items():
        for case in cases:
            yield name, f"select {getattr(macros, name)(**case)} as value\nfrom shop.summaries"
    for name, cases in QUERIES.items():
        for case in cases:
            text = getattr(macros, name)(**case).strip()
            if text.startswith("lateral "):
                text = f"(select visit.cycle from shop.visits as visit cross join {text})"
            yield name, f"select * from {text}" if text.startswith("(") else text


def rendered() -> dict[str, str]:
    """Each different text, by the name of its macro and a number."""
    found: dict[str, str] = {}
    for source in (calls, points, aggregations, anomalies, windows, correlations):
        for name, texts in source():
            for text in [texts] if isinstance(texts, str) else texts:
                text = text.strip()
                if text not in found:
                    found[text] = f"{name}_{len(found):03}"
    return {name: text for text, name in found.items()}


def faults_of(text: str) -> list[str]:
    """What is wrong with one text."""
    if UNPARSED.fullmatch(text):
        return []
    try:
        statements = sqlglot.parse(text, dialect="spark")
        tokens = sqlglot.tokenize(text, dialect="spark")
    except sqlglot.errors.SqlglotError as error:
        return [f"does not parse: {error}"]
    if len(statements) != 1 or statements[0] is None or isinstance(statements[0], exp.Command):
        return ["is not one statement that can be parsed"]
    found = []
    for token in tokens:
        word = text[token.start : token.end + 1]
        if token.token_type not in FREE and word[0].isalpha() and word != word.lower():
            found.append(f"line {token.line}: {word} is not in lower case")
    for select in statements[0].find_all(exp.Select):
        names = Counter(each for each in select.named_selects if each and each != "*")
        found += [f"a select names {name} twice" for name, count in names.items() if count > 1]
    tables = Counter(table.name for table in statements[0].find_all(exp.Table) if not table.db)
    aliases = {node.alias for node in statements[0].find_all(exp.CTE, exp.Subquery, exp.Table)}
    for alias in sorted(aliases - {"", *WRITTEN}):
        if not alias.startswith("__"):
            found.append(f"the alias {alias} lacks the reserved prefix __")
    for cte in statements[0].find_all(exp.CTE):
        if not tables[cte.alias]:
            found.append(f"the CTE {cte.alias} is not used")
    return found


def main() -> int:
    # The parser's remark that it does not know a statement is a fault here, and is reported once.
    logging.getLogger("sqlglot").setLevel(logging.ERROR)
    texts = rendered()
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    for name, text in texts.items():
        (FOLDER / f"{name}.sql").write_text(text + "\n")
    public = {
        macro["name"]
        for path in (ROOT / "macros").rglob("_macros.yml")
        for macro in yaml.safe_load(path.read_text())["macros"]
    }
    called = {re.sub(r"(-\w+)?_\d{3}$", "", name) for name in texts}
    faults = [
        f"{name}: scripts/rendering has no call" for name in sorted(public - called - set(NO_SQL))
    ]
    with ProcessPoolExecutor(2) as pool:
        for name, found in zip(
            texts, pool.map(faults_of, texts.values(), chunksize=8), strict=True
        ):
            faults += [f"target/rendered/{name}.sql: {fault}" for fault in found]
    for fault in faults:
        print(f"rendering: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
