"""Numbers over files and their blocks, without Spark."""

from datetime import datetime

from strandline.landing.numbering import Block, line_shifts, shifts

EARLY, LATE = datetime(2013, 1, 1), datetime(2013, 1, 2)

# Positions are Spark's: unique and growing within a block, with gaps between blocks.
BLOCKS = [
    Block(LATE, "a.csv", 0, first=700, rows=2),
    Block(EARLY, "b.csv", 4096, first=100, rows=3),
    Block(EARLY, "b.csv", 0, first=900, rows=4),
    Block(EARLY, "a2.csv", 0, first=0, rows=1),
]


def numbers(
    blocks: list[Block], by: list[tuple[str, int, int]]
) -> dict[tuple[str, int], list[int]]:
    shift = {(file, start): value for file, start, value in by}
    return {
        (block.file, block.start): [
            block.first + nth + shift[block.file, block.start] for nth in range(block.rows)
        ]
        for block in blocks
    }


def test_files_follow_in_order_of_time_then_path_and_blocks_in_order_of_place() -> None:
    assert numbers(BLOCKS, shifts(BLOCKS, base=10)) == {
        ("a2.csv", 0): [11],
        ("b.csv", 0): [12, 13, 14, 15],
        ("b.csv", 4096): [16, 17, 18],
        ("a.csv", 0): [19, 20],
    }


def test_lines_begin_with_one_in_every_file() -> None:
    assert numbers(BLOCKS, line_shifts(BLOCKS)) == {
        ("a2.csv", 0): [1],
        ("b.csv", 0): [1, 2, 3, 4],
        ("b.csv", 4096): [5, 6, 7],
        ("a.csv", 0): [1, 2],
    }


def test_no_blocks_no_numbers() -> None:
    assert shifts([]) == line_shifts([]) == []
