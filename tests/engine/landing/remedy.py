"""What a landing names to be done when a table has lost commits."""

from __future__ import annotations

import re
import shlex
import subprocess


def follow(said: str) -> None:
    """Runs the commands of a refusal, each once."""
    for command in set(re.findall(r"`(rm .+?)` and land again", said)):
        subprocess.run(shlex.split(command), check=True)
