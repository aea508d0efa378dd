"""A plant: the project, the files that are landed, and a tick of its schedule, which can be killed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT
from tests.e2e.crash.project import COLUMNS, MODELS, PROFILES, TICK

from strandline.spark.jars import cache_dir


@dataclass(frozen=True)
class Plant:
    folder: Path
    home: Path
    schema: str
    url: str

    def make(self) -> None:
        files = MODELS | {
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

    def tick(self, target: str = "connect") -> subprocess.Popen[str]:
        """A tick of the schedule, in a process group of its own."""
        return subprocess.Popen(
            [sys.executable, "tick.py", target, self.schema, COLUMNS], cwd=self.folder, env=self.env,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
        )  # fmt: skip

    def done(self, target: str = "connect", *, fails: bool = False) -> str:
        """What a tick says that ends by itself, and must go well, or must fail."""
        process = self.tick(target)
        said, _ = process.communicate(timeout=600)
        assert bool(process.returncode) == fails, said
        return said

    def killed(self, after: float, target: str = "connect") -> list[str]:
        """What a tick was at when it was killed with SIGKILL, after some seconds.

        A step, or the models that it was executing; nothing if it had ended by itself.
        """
        logged = self._logged()
        process = self.tick(target)
        try:
            said, _ = process.communicate(timeout=after)
            assert process.returncode == 0, said
            return []
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            said, _ = process.communicate()
        steps = [it.removeprefix("step ") for it in said.splitlines() if it.startswith("step ")]
        text = self._log(logged)
        begun, done = (
            set(re.findall(rf"{what} node model\.plant\.(\w+)", text))
            for what in ("Began executing", "Finished running")
        )
        return sorted(begun - done) or steps[-1:] or ["start"]

    def killed_in(self, model: str) -> bool:
        """Whether a tick executed a model, and was killed with SIGKILL in it."""
        logged, process = self._logged(), self.tick()
        while process.poll() is None:
            if f"Began executing node model.plant.{model}" in self._log(logged):
                os.killpg(process.pid, signal.SIGKILL)
            time.sleep(0.05)
        process.communicate()
        return f"Finished running node model.plant.{model}" not in self._log(logged)

    def killed_at(self, step: str) -> bool:
        """Whether a tick was killed with SIGKILL in a step, half a second after it began."""
        process, begun = self.tick(), ""
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("step ") or line == "done\n":
                begun = line.split()[-1]
            if line == f"step {step}\n":
                time.sleep(0.5)
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return begun == step

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
        return {**os.environ, **own, "STRANDLINE_HOME": str(self.home)}
