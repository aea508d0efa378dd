"""Small CSV files of the kinds that people have, and what `strandline init` makes of each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Odd:
    """A file.

    Attributes:
        text: of the file; a character such as \\udce9 is the byte e9, which is not UTF-8.
        columns: the names and types that the project has.
        rows: `time value` of each row, as the aggregation reads them; a dot is no value.
        says: options of `strandline init`.
        refusal: what it says instead, with the exit code `code`.
        quarantined: how many rows do not land.
    """

    text: str
    columns: str = ""
    rows: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    refusal: str = ""
    code: int = 1
    quarantined: int = 0


TWO = ("2026-01-05 06:00:00 61.5", "2026-01-05 06:05:00 62.25")
PLAIN = "ts TIMESTAMP, key STRING, v DOUBLE"
CHOOSE = "--day-first or --month-first"
# fmt: off
FILES = {
    "plain": Odd("ts,key,v\n2026-01-05T06:00:00Z,a,61.5\n2026-01-05 06:05:00,a,62.25\n", PLAIN, TWO),
    "offsets": Odd("ts,key,v\n2026-01-05T07:00:00+01:00,a,61.5\n2026-01-05T06:05:00Z,a,62.25\n", PLAIN, TWO),
    "semicolons": Odd("ts;key;v\n2026-01-05 06:00:00;a;61,5\n2026-01-05 06:05:00;a;62,25\n", PLAIN, TWO),
    "tabs": Odd("ts\tkey\tv\n2026-01-05 06:00:00\ta\t61.5\n2026-01-05 06:05:00\ta\t62.25\n", PLAIN, TWO),
    "pipes": Odd("ts|key|v\n2026-01-05 06:00:00|a|61.5\n2026-01-05 06:05:00|a|62.25\n", PLAIN, TWO),
    "byte order mark and CRLF": Odd("\ufeffts,key,v\r\n2026-01-05 06:00:00,a,61.5\r\n2026-01-05 06:05:00,a,62.25\r\n", PLAIN, TWO),
    "blank lines at the end": Odd("ts,key,v\n2026-01-05 06:00:00,a,61.5\n2026-01-05 06:05:00,a,62.25\n\n\n", PLAIN, TWO),
    "German dates": Odd("ts;key;v\n05.01.2026 06:00:00;a;61,5\n05.01.2026 06:05:00;a;62,25\n", PLAIN, TWO),
    "day first, as one date shows": Odd("ts,key,v\n5/1/2026 6:00,a,61.5\n13/1/2026 6:05,a,62.25\n", PLAIN, (TWO[0], "2026-01-13 06:05:00 62.25")),
    "month first, as one date shows": Odd("ts,key,v\n1/5/2026 6:00,a,61.5\n1/13/2026 6:05,a,62.25\n", PLAIN, (TWO[0], "2026-01-13 06:05:00 62.25")),
    "day or month first": Odd("ts,key,v\n5/1/2026 6:00,a,61.5\n", refusal=f"5/1/2026 6:00 has the day first, or the month: say {CHOOSE}"),
    "day first, as is said": Odd("ts,key,v\n5/1/2026 6:00,a,61.5\n5/1/2026 6:05,a,62.25\n", PLAIN, TWO, ("--day-first",)),
    "month first, as is said": Odd("ts,key,v\n1-5-2026 6:00,a,61.5\n1-5-2026 6:05,a,62.25\n", PLAIN, TWO, ("--month-first",)),
    "year first": Odd("ts,key,v\n2026/01/05 06:00:00,a,61.5\n2026/01/05 06:05:00,a,62.25\n", PLAIN, TWO),
    "years of two digits": Odd("ts,key,v\n05.01.26 06:00,a,61.5\n05.01.26 06:05,a,62.25\n", PLAIN, TWO),
    "twelve hours": Odd("ts,key,v\n1/15/2026 06:00 AM,a,61.5\n1/15/2026 06:05 PM,a,62.25\n", PLAIN, ("2026-01-15 06:00:00 61.5", "2026-01-15 18:05:00 62.25")),
    "seconds at times": Odd("ts,key,v\n5.1.2026 06:00:30,a,61.5\n5.1.2026 06:05,a,62.25\n", PLAIN, ("2026-01-05 06:00:30 61.5", TWO[1])),
    "epoch seconds": Odd("ts,key,v\n1767592800,a,61.5\n1767593100,a,62.25\n", PLAIN, TWO),
    "epoch milliseconds": Odd("read_at,key,v\n1767592800000,a,61.5\n1767593100000,a,62.25\n", "read_at TIMESTAMP, key STRING, v DOUBLE", TWO),
    "epoch microseconds": Odd("timestamp,key,v\n1767592800000000,a,61.5\n1767593100000000,a,62.25\n", "timestamp TIMESTAMP, key STRING, v DOUBLE", TWO),
    "epoch seconds with a fraction": Odd("time,key,v\n1767592800.5,a,61.5\n1767593100.25,a,62.25\n", "time TIMESTAMP, key STRING, v DOUBLE", ("2026-01-05 06:00:00.5 61.5", "2026-01-05 06:05:00.25 62.25")),
    "date and time in two columns": Odd("date,time,v\n2026-01-05,06:00,61.5\n2026-01-05,06:05,62.25\n", "date STRING, time STRING, v DOUBLE, ts TIMESTAMP", TWO),
    "date and time, day first, twelve hours": Odd("Date;Time;v\n13.1.2026;6:00 AM;61,5\n13.1.2026;6:05 PM;62,25\n", "Date STRING, Time STRING, v DOUBLE, ts TIMESTAMP", ("2026-01-13 06:00:00 61.5", "2026-01-13 18:05:00 62.25")),
    "year, month, day and hour": Odd("No,year,month,day,hour,v\n7,2026,1,5,6,61.5\n8,2026,1,5,7,62.25\n", "No BIGINT, year BIGINT, month BIGINT, day BIGINT, hour BIGINT, v DOUBLE, ts TIMESTAMP", (TWO[0], "2026-01-05 07:00:00 62.25")),
    "year, month and day, local": Odd("v;Year;Month;Day\n61,5;2026;7;5\n62,25;2026;7;6\n", "v DOUBLE, Year BIGINT, Month BIGINT, Day BIGINT, ts TIMESTAMP", ("2026-07-04 22:00:00 61.5", "2026-07-05 22:00:00 62.25"), ("--time-zone", "Europe/Berlin")),
    "local times": Odd("ts,key,v\n2026-07-05 08:00:00,a,61.5\n2026-07-05 08:05:00,a,62.25\n", PLAIN, ("2026-07-05 06:00:00 61.5", "2026-07-05 06:05:00 62.25"), ("--time-zone", "Europe/Berlin")),
    "local times in two columns": Odd("date,time,v\n2026-07-05,08:00,61.5\n2026-07-05,08:05,62.25\n", "date STRING, time STRING, v DOUBLE, ts TIMESTAMP", ("2026-07-05 06:00:00 61.5", "2026-07-05 06:05:00 62.25"), ("--time-zone", "Europe/Berlin")),
    "no such zone": Odd("ts,v\n2026-07-05 08:00:00,61.5\n", says=("--time-zone", "Berlin"), refusal="'Berlin' is no time zone: write a name such as America/New_York or UTC; did you mean Europe/Berlin?", code=2),
    "commas between thousands": Odd('ts,key,v\n2026-01-05 06:00:00,a,"1,061.5"\n2026-01-05 06:05:00,a,62.25\n', PLAIN, ("2026-01-05 06:00:00 1061.5", TWO[1])),
    "points between thousands": Odd("ts;key;v\n2026-01-05 06:00:00;a;1.061,5\n2026-01-05 06:05:00;a;62,25\n", PLAIN, ("2026-01-05 06:00:00 1061.5", TWO[1])),
    "blanks between thousands": Odd("ts;key;v\n2026-01-05 06:00:00;a;1\u202f061,5\n2026-01-05 06:05:00;a;62,25\n", PLAIN, ("2026-01-05 06:00:00 1061.5", TWO[1])),
    "apostrophes between thousands": Odd("ts;key;v\n2026-01-05 06:00:00;a;1'061.5\n2026-01-05 06:05:00;a;-62.25\n", PLAIN, ("2026-01-05 06:00:00 1061.5", "2026-01-05 06:05:00 -62.25")),
    "a fraction or thousands": Odd('ts,v\n2026-01-05 06:00:00,"1,061"\n', refusal="1,061 has thousands, or a fraction: say --decimal comma or --decimal point"),
    "thousands, as is said": Odd('ts,key,v\n2026-01-05 06:00:00,a,"1,061"\n2026-01-05 06:05:00,a,"2,062"\n', PLAIN, ("2026-01-05 06:00:00 1061.0", "2026-01-05 06:05:00 2062.0"), ("--decimal", "point")),
    "thousands, as another column shows": Odd("ts;w;v\n2026-01-05 06:00:00;1,5;1.061\n2026-01-05 06:05:00;2,5;2.062\n", "ts TIMESTAMP, w DOUBLE, v DOUBLE", ("2026-01-05 06:00:00 1061.0", "2026-01-05 06:05:00 2062.0")),
    "a unit at each number": Odd("ts,key,v\n2026-01-05 06:00:00,a,61.5 °C\n2026-01-05 06:05:00,a,62.25 °C\n", PLAIN, TWO),
    "per cent": Odd("ts,key,v\n2026-01-05 06:00:00,a,61.5%\n2026-01-05 06:05:00,a,62.25%\n", PLAIN, TWO),
    "a currency": Odd("ts,key,v\n2026-01-05 06:00:00,a,$61.5\n2026-01-05 06:05:00,a,$62.25\n", PLAIN, TWO),
    "units in the header": Odd("Zeit;Prüfstand Nr.;Temp (°C)\n2026-01-05 06:00:00;a;61,5\n2026-01-05 06:05:00;a;62,25\n", "Zeit TIMESTAMP, prufstand_nr STRING, temp_c DOUBLE", TWO),
    "odd names": Odd("read at,2nd key,v%\n2026-01-05 06:00:00,a,61.5\n2026-01-05 06:05:00,a,62.25\n", "read_at TIMESTAMP, n2nd_key STRING, v_percent DOUBLE", TWO),
    "a name twice": Odd("ts,v,v\n2026-01-05 06:00:00,a,61.5\n2026-01-05 06:05:00,a,62.25\n", "ts TIMESTAMP, v STRING, v_2 DOUBLE", TWO),
    "names of the landing": Odd("arrival,landed_from,v\n2026-01-05 06:00:00,a,61.5\n2026-01-05 06:05:00,a,62.25\n", "arrival_2 TIMESTAMP, landed_from_2 STRING, v DOUBLE", TWO),
    "empty columns at the end": Odd("ts,key,v,,\n2026-01-05 06:00:00,a,61.5,,\n2026-01-05 06:05:00,a,62.25,,\n", "ts TIMESTAMP, key STRING, v DOUBLE, column_4 STRING, column_5 STRING", TWO),
    "no header": Odd("2026-01-05 06:00:00,a,61.5\n2026-01-05 06:05:00,a,62.25\n", "column_1 TIMESTAMP, column_2 STRING, column_3 DOUBLE", TWO),
    "a marker for no value": Odd("ts,key,v\n2026-01-05 06:00:00,a,NA\n2026-01-05 06:05:00,a,62.25\n", PLAIN, ("2026-01-05 06:00:00 .", TWO[1])),
    "two markers": Odd("ts,key,v\n2026-01-05 06:00:00,a,NA\n2026-01-05 06:05:00,a,62.25\n2026-01-05 06:10:00,a,-\n", PLAIN, ("2026-01-05 06:00:00 .", TWO[1], "2026-01-05 06:10:00 .")),
    "a marker that is a text elsewhere": Odd("ts,key,v\n2026-01-05 06:00:00,-,-\n2026-01-05 06:05:00,a,62.25\n", PLAIN, ("2026-01-05 06:00:00 .", TWO[1])),
    "line breaks in values": Odd('ts,key,v\n2026-01-05 06:00:00,"a\nb",61.5\n2026-01-05 06:05:00,a,62.25\n', PLAIN, TWO),
    "a short row": Odd("ts,key,v\n2026-01-05 06:00:00,a,61.5\n2026-01-05 06:01:00\n2026-01-05 06:05:00,a,62.25\n", PLAIN, TWO, quarantined=1),
    "a title above the header": Odd("Export of 5 May\nts,v\n2026-01-05,1\n2026-01-06,2\n", refusal="its first line has 1 value, and most rows have 2; the first line must have the names of the columns, and nothing above it"),
    "Latin 1": Odd("ts,K\udcfche\n2026-01-05,1\n", refusal="it is not UTF-8, because of the byte fc; convert it: iconv -f WINDOWS-1252 -t UTF-8 events.csv > utf8.csv"),
    "leading zeros": Odd("ts,batch,v\n2026-01-05 06:00:00,007,61.5\n2026-01-05 06:05:00,008,62.25\n", "ts TIMESTAMP, batch STRING, v DOUBLE", TWO),
    "times in two forms": Odd("ts,printed,v\n2026-01-05 06:00:00,5.1.2026 07:00,61.5\n2026-01-05 06:05:00,5.1.2026 07:05,62.25\n", "ts TIMESTAMP, printed STRING, v DOUBLE", TWO),
    "no time": Odd("a,b\nx,1\n", refusal="No column has the time of an event"),
}
# fmt: on
