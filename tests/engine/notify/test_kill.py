"""A process that is killed with SIGKILL while it sends: nothing is lost, all has its key."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.engine.notify.receiver import HttpReceiver, notifications

# Sends sixty rows; each batch that is noted is a line of a file.
SENDER = """
import json, sys
from pathlib import Path
from tests.engine.notify.receiver import MemoryOutbox, notifications
from strandline.notify import receivers_in, send
from strandline.notify.channel import Channel
import os

file = Path(sys.argv[1])

class FileOutbox(MemoryOutbox):
    def note(self, accepted):
        with file.open("a") as lines:
            lines.write(json.dumps([each.key for each in accepted]) + "\\n")
    def noted(self, receiver="default"):
        lines = file.read_text().splitlines() if file.exists() else []
        return {key for line in lines for key in json.loads(line)}

[receiver] = receivers_in(os.environ)
[sent] = send(FileOutbox(notifications(60)), [Channel(receiver)])
print(sent.waiting, sent.accepted)
"""


@pytest.mark.parametrize("at", [1, 37, 50, 51, 60])
def test_a_kill_between_acceptance_and_note(receiver: HttpReceiver, tmp_path: Path, at: int):
    def run() -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, "-c", SENDER, str(tmp_path / "noted")],
            env={**os.environ, "STRANDLINE_NOTIFY_URL": receiver.url(), "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            text=True,
        )

    path = os.pathsep.join(each for each in (str(Path(__file__).parents[3]), *sys.path) if each)
    sender = run()
    keys = [row.key for row in notifications(60)]
    receiver.on_accept = lambda key: key == keys[at - 1] and sender.send_signal(signal.SIGKILL)
    assert sender.wait(30) == -signal.SIGKILL
    sender.stdout.close()
    lines = (tmp_path / "noted").read_text().splitlines() if at > 50 else []
    noted = [key for line in lines for key in json.loads(line)]
    assert noted == keys[: (at - 1) // 50 * 50]  # never one that was not accepted

    receiver.on_accept = lambda _: None
    last = run()
    said, _ = last.communicate(timeout=30)
    left = 60 - len(noted)
    assert said.split() == [str(left), str(left)]
    assert receiver.keys() == keys[:at] + keys[len(noted) :]
