"""What a file is by its first bytes, whatever its name says."""

from __future__ import annotations

# Spark decompresses a file by the end of its name, in small or capital letters.
FIRST_BYTES = {".gz": b"\x1f\x8b", ".bz2": b"BZh", ".zst": b"\x28\xb5\x2f\xfd"}
# Spark reads only Hadoop's own framing of these, and a truncated or foreign file as a short one.
UNSAFE = (".lz4", ".snappy")
DECOMPRESSED = (*FIRST_BYTES, ".deflate", *UNSAFE)
NEEDED = 8  # bytes

OTHERS = {
    b"\x1f\x8b\x08": ("a gzip file", "give its name the end .gz"),
    b"BZh": ("a bzip2 file", "give its name the end .bz2"),
    b"\x28\xb5\x2f\xfd": ("a Zstandard file", "give its name the end .zst"),
    b"PK\x03\x04": ("a zip file", "take out the files in it"),
    b"PK\x05\x06": ("an empty zip file", "take it out of the folder"),
    b"\xfd7zXZ\x00": ("an xz file", "compress it as .gz or .zst"),
    b"7z\xbc\xaf\x27\x1c": ("a 7z file", "take out the files in it"),
    b"\x04\x22\x4d\x18": ("an lz4 file", "compress it as .gz or .zst"),
    b"PAR1": ("a Parquet file", "land it with the format parquet"),
    b"\xff\xfe\x00\x00": ("text in UTF-32", "write it in UTF-8"),
    b"\xff\xfe": ("text in UTF-16", "write it in UTF-8"),
    b"\xfe\xff": ("text in UTF-16", "write it in UTF-8"),
}


def not_text(first: bytes) -> str | None:
    """Why a file that begins so holds no lines of UTF-8, and what to do; None if it may."""
    for start, (kind, remedy) in OTHERS.items():
        # "BZh" may begin a text; a digit and the number pi follow it in a bzip2 file.
        if first.startswith(start) and (start != b"BZh" or first[4:8] == b"1AY&"):
            return f"it is {kind}; {remedy}"
    # Latin text in two bytes a character has a zero in each second byte, and in no other.
    zeros = [byte == 0 for byte in first[:4]]
    if zeros in ([False, True, False, True], [True, False, True, False]):
        return "it is text in UTF-16; write it in UTF-8"
    return None


def not_compressed(suffix: str, first: bytes) -> str | None:
    """Why a file with this end of its name is not compressed as it says; None when it may be.

    Spark reads a file without these first bytes as empty, or fails in the middle.
    """
    if suffix in UNSAFE:
        return f"{suffix} files cannot be checked for being whole; take .gz or .zst"
    expected = FIRST_BYTES.get(suffix)
    if expected is None or not first or first.startswith(expected):
        return None
    return f"it is not a {suffix} file"
