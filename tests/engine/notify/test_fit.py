"""Messages as long as their service takes, shortened between characters."""

from __future__ import annotations

import unicodedata

import pytest
from tests.engine.notify.receiver import notification

from strandline.notify.channel import Channel
from strandline.notify.characters import begin, cut, units
from strandline.notify.fit import fitted
from strandline.notify.message import Message, message_of
from strandline.notify.receivers import Receiver, service_of

DISCORD = f"discord://{'1' * 18}/{'a' * 68}"
TELEGRAM = f"tgram://123456789:{'a' * 35}/12345/"
SMS = "bulksms://user:password@+41000000000"
PUSHOVER = f"pover://{'a' * 30}@{'b' * 30}"

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
FLAG = "\U0001f1e8\U0001f1ed"
WHOLE = ["e\u0301", FAMILY, FLAG, "\U0001f44b\U0001f3fd", "n\u0303\u0323", "\u1112\u1161\u11ab", "\r\n", "❤\ufe0f"]  # fmt: skip


def service(url: str):
    return service_of(Receiver("r", "STRANDLINE_NOTIFY_URL", url))


def shown(url: str, **given: object) -> tuple[str, str]:
    message = message_of(notification(1, **given))
    return fitted(service(url), url, message.title, message.body)


@pytest.mark.parametrize("character", WHOLE)
def test_no_character_is_cut(character):
    text = f"ab{character}{character}c"
    ends = {2, 2 + len(character), 2 + 2 * len(character)}
    for length in range(len(text)):
        assert len(begin(text, length)) in ends | {0, 1}
        assert len(begin(text, length)) <= length
    assert begin(text, len(text)) == cut(text, len(text)) == text


def test_surrogates_stay_together():
    pair = "\ud83d\ude00"  # as a text of Java may have them
    assert [begin(f"a{pair}", length) for length in (1, 2, 3)] == ["a", "a", f"a{pair}"]
    assert (units("a\U0001f600"), units("aé")) == (3, 2)


@pytest.mark.parametrize("url", [DISCORD, TELEGRAM, SMS, PUSHOVER])
@pytest.mark.parametrize(
    "given",
    [
        {"keys": {"page": "/search?q=" + "x" * 40_000}},
        {"keys": {"page": FAMILY * 9_000}},
        {"keys": {"page": "<&>" * 9_000}},
        {"labels": ",".join(f"runbook-{number:03}" for number in range(9_000))},
        {"keys": {f"key {number}": "x" * 100 for number in range(500)}},
    ],
)
def test_a_long_message_is_as_long_as_the_service_takes(url, given):
    made = service(url)
    title, body = shown(url, **given)
    calls = list(made._build_send_calls(body=body, title=title, body_format="text"))
    assert len(calls) == 1
    final = calls[0]["body"]
    together = made.title_maxlen <= 0 or made.overflow_amalgamate_title
    length = units(final) + (units(calls[0]["title"]) if together else 0)
    assert length <= made.body_maxlen
    whole = message_of(notification(1, **given)).title
    assert title == whole or (url == SMS and whole.startswith(title.rstrip("…")))
    assert not final.rstrip("…").endswith(("&", "&am", "&l", "\u200d"))


def test_the_time_the_value_and_the_key_stay():
    _, body = shown(DISCORD, labels=", ".join(f"runbook-{number:04}" for number in range(900)))
    lines = body.split("\n")
    assert "From 2013-02-08 00:00:00 to 2013-02-09 00:00:00 UTC" in lines
    assert "Value: 12, expected 48 (-75 %)" in lines
    assert lines[-1] == "Notification: k0001"
    [shortened] = [line for line in lines if line.endswith("…")]
    assert shortened.startswith("Labels: runbook-0000")
    assert len(body) > 1_800  # no more is cut than has to be


def test_with_too_many_keys_the_first_and_the_last_line_stay():
    _, body = shown(PUSHOVER, keys={f"key {number}": "x" * 100 for number in range(500)})
    lines = body.split("\n")
    assert lines[0].startswith("key 0: xxx")
    assert lines[-2:] == ["…", "Notification: k0001"]


def test_a_text_message_has_the_title_and_the_beginning():
    title, body = shown(SMS)
    assert title == "[high] UA: 12, expected 48 (mean, 8 Feb UTC)"
    assert body.startswith("…") or body.endswith("Notification: k0001")
    assert len(title) + len(body) <= 160


def test_a_title_that_is_too_long_for_its_place_is_whole_in_the_text():
    made = service(PUSHOVER)
    made.title_maxlen = 20
    title, body = fitted(made, PUSHOVER, "[high] UA: 12, expected 48 (mean)", "body")
    assert (title, body) == ("[high] UA: 12, expe…", "[high] UA: 12, expected 48 (mean)\n\nbody")


def test_a_service_with_less_room_than_the_title_gets_its_beginning():
    made = service(SMS)
    made.body_maxlen = 67
    title, body = fitted(made, SMS, "t" * 160, "body")
    assert (title, body) == ("t" * 33 + "…", "…")


@pytest.mark.parametrize("mode", ["split", "truncate", "upstream"])
def test_the_choice_of_the_url_wins(mode):
    url = f"{DISCORD}?overflow={mode}"
    assert fitted(service(url), url, "title", "x" * 5_000) == ("title", "x" * 5_000)


def test_what_fits_is_not_changed():
    message = message_of(notification(1))
    for url in (DISCORD, TELEGRAM, PUSHOVER):
        assert fitted(service(url), url, message.title, message.body) == (
            message.title,
            message.body,
        )


def test_words_of_a_title_are_cut_between_characters():
    title = message_of(notification(1, keys={"page": "x" * 28 + "e\u0301e\u0301e\u0301"})).title
    word = title.removeprefix("[high] ").partition(":")[0]
    assert word == "x" * 28 + "…"
    assert not any(unicodedata.combining(each) for each in word)


def test_a_channel_sends_what_fits(monkeypatch):
    """A fake of the network answers as Discord does: 400 above 2,000 characters."""
    lengths = []

    def post(*_: object, data: str, **__: object) -> object:
        import json

        given = json.loads(data)
        text = given.get("content", "") + "".join(
            each.get("title", "") + each.get("description", "") for each in given.get("embeds", [])
        )
        lengths.append(units(text))
        from requests import Response

        answer = Response()
        answer.status_code, answer._content = (400 if lengths[-1] > 2_000 else 204), b""
        return answer

    monkeypatch.setattr("requests.post", post)
    message = message_of(notification(1, keys={"page": "x" * 5_000}))
    assert isinstance(message, Message)
    assert Channel(Receiver("d", "V", DISCORD), 10).deliver(message) is None
    assert len(lengths) == 1
    assert 1_900 < lengths[0] <= 2_000
