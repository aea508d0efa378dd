"""A plant: the project, the files that are landed, and a tick of its schedule, which can be killed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tests.conftest import ROOT
from tests.e2e.crash.project import COLUMNS, PROFILES, TICK, WHOLE, Part

from strandline.spark.jars import cache_dir
from strandline.spark.server import running_server


@dataclass(frozen=True)
class Plant:
    folder: Path
    home: Path
    schema: str
    url: str
    part: Part = WHOLE

    def make(self) -> None:
        files = self.part.files() | {
            "profiles.yml": PROFILES.format(schema=self.schema, home=self.home),
            "packages.yml": f"packages:\n  - local: {ROOT}\n",
            "dbt_project.yml": "name: plant\nversion: '1.0'\nprofile: plant\n",
            "tick.py": TICK,
        }
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        (self.folder / "incoming").mkdir()
        packages = self.folder / "dbt_packages"
        packages.mkdir()
        (packages / "strandline").symlink_to(ROOT)  # as `dbt deps` makes it

    def bring(self, name: str, text: str) -> None:
        """A file comes whole into the folder that is landed."""
        part = self.folder / "incoming" / f"_{name}"
        part.write_text(text)
        part.rename(self.folder / "incoming" / name)

    def command(self, program: str, *arguments: str, fails: bool = False) -> str:
        """What a command says, which must go well, or must fail."""
        done = subprocess.run(
            [Path(sys.executable).parent / program, *arguments], cwd=self.folder, env=self.env,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        assert bool(done.returncode) == fails, done.stdout
        return done.stdout

    def tick(
        self, target: str = "connect", output: IO[str] | int = subprocess.PIPE
    ) -> subprocess.Popen[str]:
        """A tick of the schedule, in a process group of its own."""
        return subprocess.Popen(
            [sys.executable, "tick.py", target, self.schema, COLUMNS, *self.part.steps], cwd=self.folder,
            env=self.env, stdout=output, stderr=subprocess.STDOUT, text=True, start_new_session=True,
        )  # fmt: skip

    def done(self, target: str = "connect", *, fails: bool = False) -> str:
        """What a tick says that ends by itself, and must go well, or must fail."""
        process = self.tick(target)
        said, _ = process.communicate(timeout=600)
        assert bool(process.returncode) == fails, said
        return said

    def killed(self, begun: str, after: float = 0) -> list[str]:
        """What a tick was at when it was killed with SIGKILL, some seconds after it wrote a text.

        The text is a pattern in its output or in dbt's log. Returned is a step, or the models that
        it was executing; nothing if it had ended by itself.
        """
        output, logged = self.folder / "tick.log", self._logged()

        def said() -> str:
            return self._log(logged) + output.read_text()

        with output.open("w") as file:
            process = self.tick(output=file)
        while process.poll() is None and not re.search(begun, said(), re.MULTILINE):
            time.sleep(0.05)
        with suppress(subprocess.TimeoutExpired):
            process.wait(after)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        assert process.wait() in (0, -signal.SIGKILL), said()
        if process.returncode == 0:
            return []
        executing, done = (
            set(re.findall(rf"{what} node model\.plant\.(\w+)", said()))
            for what in ("Began executing", "Finished running")
        )
        steps = re.findall("^step (.+)$", said(), re.MULTILINE)
        return sorted(executing - done) or steps[-1:] or ["start"]

    def _logged(self) -> int:
        log = self.folder / "logs" / "dbt.log"
        return log.stat().st_size if log.exists() else 0

    def _log(self, begin: int) -> str:
        """What dbt has logged since; the log may be a new file by now."""
        log = self.folder / "logs" / "dbt.log"
        if not log.exists():
            return ""
        with log.open() as lines:
            lines.seek(begin if self._logged() >= begin else 0)
            return lines.read()

    @property
    def env(self) -> dict[str, str]:
        own = {"STRANDLINE_NOTIFY_URL": self.url, "STRANDLINE_CACHE": str(cache_dir())}
        server = running_server(self.home)
        if server is not None:
            # Spark's client sends a token without TLS to this name only.
            own["PLANT_REMOTE"] = f"sc://localhost:{server.port}/;token={server.token}"
        return {**os.environ, **own, "STRANDLINE_HOME": str(self.home)}
