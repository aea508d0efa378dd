"""A small report with something of each kind, and hostile texts among it."""

from __future__ import annotations

from typing import Any

HOSTILE = "<img src=x onerror=alert(1)></script><script>alert(2)</script>"
HOUR, START = 3_600_000, 1_357_016_400_000  # the new year 2013 in New York
DAY = 24 * HOUR


def table(duration: str, step: int, number: int, total: int) -> dict[str, Any]:
    """Each bucket has a row of AA and one of UA."""
    times = [START + step * n for n in range(number) for _ in "AU"]
    return {
        "duration": duration,
        "total": total,
        "keys": [{"carrier": "AA"}, {"carrier": HOSTILE}],
        "key": [0, 1] * number,
        "t": times,
        "measures": [
            {"name": "flights", "text": "count(*)", "v": [*range(2 * number)], "known": None},
            {
                "name": "wind",
                "text": "time_weight(wind, 'locf', '90 minutes')",
                "v": [None if n % 7 == 0 else n / 2 for n in range(2 * number)],
                "known": [None if n % 7 == 0 else 0.5 + n % 2 / 2 for n in range(2 * number)],
            },
        ],
    }


def one_series(duration: str, step: int, number: int) -> dict[str, Any]:
    """A series without keys: a row in each bucket, wholly known."""
    values = [n % 24 for n in range(number)]
    measure = {"name": "load", "text": "average of load, locf", "v": values, "known": [1] * number}
    return {
        "duration": duration,
        "total": number,
        "keys": [{}],
        "key": [0] * number,
        "t": [START + step * n for n in range(number)],
        "measures": [measure],
    }


def evaluation(
    name: str, model: str, kind: str, keys: list[dict[str, Any]], **own: Any
) -> dict[str, Any]:
    """Forty days of each key: 90 flights but for 44 on the 38th, expected 90, found below 60."""
    days, number = 40, len(keys)
    values = [44 if day == 38 else 90 for day in range(days) for _ in keys]
    measure = {
        "name": "flights",
        "text": "what the detector evaluates",
        "v": values,
        "known": None,
        "base": [None if day < 7 else 90 for day in range(days) for _ in keys],
        "lower": [None if day < 7 else 60 for day in range(days) for _ in keys],
        "upper": [None if day < 7 else 120 for day in range(days) for _ in keys],
        "found": [n for n, value in enumerate(values) if value < 60],
    }
    table = {
        "duration": "P1D",
        "total": days * number,
        "keys": keys,
        "key": [*range(number)] * days,
        "t": [START + DAY * day for day in range(days) for _ in keys],
        "measures": [measure],
        "forecast": None,
    }
    return {
        "name": name,
        "model": model,
        "kind": kind,
        "zone": "America/New_York",
        "number_of_keys": number,
        "anomalies": [],
        "tables": [table | own],
    }


def anomaly(day: int, status: str, carrier: str) -> dict[str, Any]:
    return keyed_anomaly(day, status, {"detector": "carrier_day", "carrier": carrier})


def keyed_anomaly(day: int, status: str, key: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": f"anomaly{day}",
        "incident": f"incident{day}",
        "key": key,
        "starts": START + day * DAY,
        "ends": START + (day + 1) * DAY,
        "current_value": 40 + day,
        "baseline_value": 90.25,
        "severity": None,
        "rank": 0,
        "status": status,
        "generation": 0,
        "notified": None,
        "changed": START + 40 * DAY,
    }


def notification(carrier: str, kind: str, accepted: list[str]) -> dict[str, Any]:
    return {
        "incident": "incident38",
        "key": {"detector": "carrier_day", "carrier": carrier},
        "kind": kind,
        "notified": START + 40 * DAY,
        "starts": START,
        "ends": START + DAY,
        "current_value": 44,
        "baseline_value": 90.25,
        "unit": "departures",
        "severity": None,
        "members": 1,
        "accepted": accepted,
    }


def run(day: int) -> dict[str, Any]:
    """A run of a day; a model fails in the last one, and a test in every tenth."""
    failed = [f"flight_windows {HOSTILE}"] if day == 42 else []
    failed_tests = ["carriers_are_known"] if day % 10 == 0 else []
    worst = "failed" if failed or failed_tests else "warned" if day % 7 == 0 else "all passed"
    return {
        "at": START + day * DAY, "command": "dbt build", "seconds": 20.5 + day % 5, "models": 3,
        "failed": failed, "tests": 5, "failed_tests": failed_tests,
        "warned": ["late_rows"] if worst == "warned" else [], "worst": worst,
    }  # fmt: skip


REPORT: dict[str, Any] = {
    "project": f"plant {HOSTILE}",
    "target": "local",
    "read_at": "2013-02-12 12:00 UTC",
    "read": START + 42 * DAY + 7 * HOUR,
    "zone": "America/New_York",
    "run": {
        "command": "dbt build",
        "at": START + 42 * DAY,
        "models": 3,
        "errors": [{"name": "flight_windows", "message": f"no such column {HOSTILE}"}],
        "tests": 5,
        "failed": [
            {
                "name": "carriers_are_known",
                "message": "Got 2 results",
                "query": f"select '{HOSTILE}'",
            }
        ],
        "warned": [],
    },
    "runs": [run(day) for day in range(20, 43)],
    "evaluations": [
        evaluation(
            "carrier_day", "carrier_falls", "detector", [{"carrier": "AA"}, {"carrier": HOSTILE}]
        )
        | {"anomalies": [{"table": 0, "detectors": ["carrier_day"]}]},
        evaluation(
            "expected_flights",
            "expected_flights",
            "season",
            [{}],
            forecast={
                "key": [0] * 7,
                "t": [START + DAY * day for day in range(40, 47)],
                "base": [90] * 7,
                "lower": [80 - day for day in range(7)],
                "upper": [100 + day for day in range(7)],
            },
        ),
    ],
    "unread": [{"name": "wrong_zone", "message": "has a row at 2013-01-01, where no day begins"}],
    "series": [
        {
            "name": "flight_aggregation",
            "anomalies": [{"table": 0, "detectors": None}],
            "zone": "America/New_York",
            "number_of_keys": 35,
            "tables": [table("days", DAY, 90, 180), table("hours", HOUR, 200, 4_000)],
        },
        {
            "name": "weather",
            "anomalies": [],
            "zone": "UTC",
            "number_of_keys": 2,
            "tables": [table("days", DAY, 30, 60)],
        },
        {
            "name": "load_of_the_grid",
            "anomalies": [
                {"table": 0, "detectors": ["grid"]},
                {"table": 1, "detectors": None},
            ],
            "zone": "UTC",
            "number_of_keys": 1,
            "tables": [one_series("hours", HOUR, 215)],
        },
    ],
    "states": [
        {
            "name": "weather_states",
            "duration": "1 day",
            "length": DAY,
            "keys": [{"origin": "EWR"}, {"origin": "JFK"}],
            "key": [0, 1] * 30,
            "t": [START + DAY * n for n in range(30) for _ in "EJ"],
            "states": [[["dry", 20 - n % 5], ["rain", n % 5]] for n in range(60)],
        }
    ],
    "windows": [
        {
            "name": "recent_departures",
            "store": "the last 30 minutes",
            "keys": ["origin"],
            "columns": ["origin", "departures"],
            "rows": [["JFK", "12", START], [HOSTILE, "3", START]],
            "total": 2,
        }
    ],
    "anomalies": [
        {
            "name": "flight_anomalies",
            "counts": {"new": 3, "outdated": 1},
            "rows": [
                anomaly(38, "new", "AA"),
                anomaly(31, "outdated", "AA"),
                anomaly(30, "new", "B6"),
                anomaly(20, "new", HOSTILE),
            ],
        },
        {
            "name": "grid_anomalies",
            "counts": {"new": 2},
            "rows": [
                keyed_anomaly(2, "new", {"detector": "grid"}),
                keyed_anomaly(5, "new", {"detector": "grid"}),
            ],
        },
    ],
    "notifications": [
        {
            "name": "strandline.notifications",
            "total": 3,
            "rows": [
                notification("AA", "new", ["ops"]),
                notification("AA", "completed", []),
                notification(HOSTILE, "new", []),
            ],
        }
    ],
    "engines": [
        {
            "name": "flight_delays",
            "status": "ERROR",
            "last_error": HOSTILE,
            "groups": 35,
            "rows": 1_234_567,
            "metrics": ["departure_delay > 180"],
            "last_arrival": 77,
            "consumed_at": "2013-12-31 12:00:00+00:00",
            "rows_kept": 12,
            "bytes_held": 1_536,
        }
    ],
    "consolidations": [
        {
            "name": "flight_anomalies",
            "watermark": "2013-12-31 12:00:00+00:00",
            "active": 3,
            "outdated": 1,
            "ignored": 0,
        }
    ],
    "rejected": [
        {"table": "s.flights_late", "rows": 58, "reasons": [["older than the one before it", 58]]},
        {"table": "landing.weather_quarantine", "rows": 0, "reasons": []},
    ],
}
