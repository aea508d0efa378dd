"""Receivers come from the environment by name; what is wrong is refused without a URL in it."""

from __future__ import annotations

import pytest
from tests.engine.notify.receiver import TOKEN

from strandline.notify import WrongReceiver, receivers_in
from strandline.notify.channel import UNKNOWN, reason_in

ONE = f"json://127.0.0.1/{TOKEN}"


def named(**urls: str) -> dict[str, str]:
    """An environment: `_OPS="…"` is STRANDLINE_NOTIFY_URL_OPS."""
    return {"HOME": "/", **{f"STRANDLINE_NOTIFY_URL{name}": url for name, url in urls.items()}}


def test_one_without_a_name_and_others_with_theirs():
    found = receivers_in({**named(_OPS=ONE, _NIGHT_DESK=f" {ONE} "), "STRANDLINE_NOTIFY_URL": ONE})
    assert [(each.name, each.variable, each.url) for each in found] == [
        ("default", "STRANDLINE_NOTIFY_URL", ONE),
        ("night_desk", "STRANDLINE_NOTIFY_URL_NIGHT_DESK", ONE),
        ("ops", "STRANDLINE_NOTIFY_URL_OPS", ONE),
    ]
    assert TOKEN not in repr(found)
    assert TOKEN not in f"{found[0]}"


def test_only_some_of_them_and_the_rest_is_not_looked_at():
    environment = named(_A=ONE, _B=ONE, _C="nonsense")
    assert [each.name for each in receivers_in(environment, ["b", "a", "b"])] == ["b", "a"]


@pytest.mark.parametrize("url", ["mailto://u:p@example.com", "slack://TAAAAAAAA/BBBBBBBBB/cccccccccccccccccccccccc/#ops", "xml://127.0.0.1/x"])  # fmt: skip
def test_any_service_of_apprise(url):
    assert len(receivers_in(named(_X=url))) == 1


WRONG = [
    ({}, "No receiver: set $STRANDLINE_NOTIFY_URL to an Apprise URL, or one $STRANDLINE_NOTIFY_URL_<NAME> for each of several."),
    (named(_OPS=""), "$STRANDLINE_NOTIFY_URL_OPS is empty: give it a URL, or unset it."),
    (named(_OPS=TOKEN), "$STRANDLINE_NOTIFY_URL_OPS holds no URL that Apprise can use. An Apprise URL is, say, jsons://host/path"),
    (named(_OPS=f"https://example.com/{TOKEN}"), "$STRANDLINE_NOTIFY_URL_OPS holds no URL that Apprise can use."),
    (named(_OPS=f"slack://{TOKEN}"), "$STRANDLINE_NOTIFY_URL_OPS holds no URL that Apprise can use."),
    (named(_OPS=f"json://x/?method={TOKEN}"), "$STRANDLINE_NOTIFY_URL_OPS holds no URL that Apprise can use."),
    (named(_OPS=f"{ONE}, {ONE}"), "$STRANDLINE_NOTIFY_URL_OPS holds more than one URL: give each a $STRANDLINE_NOTIFY_URL_<NAME>"),
    (named(_OPS=ONE, _ops=ONE), "$STRANDLINE_NOTIFY_URL_ops and $STRANDLINE_NOTIFY_URL_OPS are both named `ops`."),
    ({**named(_DEFAULT=ONE), "STRANDLINE_NOTIFY_URL": ONE}, "are both named `default`."),
    (named(**{"_A-B": ONE}), "$STRANDLINE_NOTIFY_URL_A-B gives no name: write letters, digits and _ behind URL_."),
    (named(_=ONE), "$STRANDLINE_NOTIFY_URL_ gives no name"),
]  # fmt: skip


@pytest.mark.parametrize(("environment", "said"), WRONG)
def test_what_is_wrong_is_refused_and_its_url_not_shown(environment, said, caplog):
    caplog.set_level(0)
    with pytest.raises(WrongReceiver) as refused:
        receivers_in(environment)
    assert said in str(refused.value)
    assert TOKEN not in str(refused.value)
    assert TOKEN not in caplog.text


def test_every_fault_is_named_at_once():
    with pytest.raises(WrongReceiver) as refused:
        receivers_in(named(_A="", _B=TOKEN, _C=ONE), ["a", "b", "d"])
    assert [line.split(" ")[0] for line in str(refused.value).splitlines()] == [
        "--receiver", "$STRANDLINE_NOTIFY_URL_A", "$STRANDLINE_NOTIFY_URL_B",
    ]  # fmt: skip
    assert "--receiver d is none of the environment's: a, b, c." in str(refused.value)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (["Failed to send JSON POST notification: Page not found., error=404.", "Response Details:\r\nb'error=777'"], "answered HTTP 404"),
        (["Socket Exception: (535, b'5.7.8 Authentication failed')"], "refused the user or the password"),
        (["Socket Exception: {'a@b.c': (550, b'relay denied')}"], "refused the mail"),
        (["Socket Exception: [Errno 111] Connection refused"], "refused the connection"),
        (["Socket Exception: timed out"], "did not answer in time"),
        (["Socket Exception: HTTPSConnectionPool(host='refused.example', port=443): Max retries exceeded with url: /timeout (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]')))"], "has a TLS certificate, or a TLS version, that is not trusted"),
        (["Socket Exception: [Errno 101] Network is unreachable"], "cannot be reached: there is no route to its host"),
        (["Notification Exception: 'NoneType' object is not callable"], UNKNOWN),
        (["JSON Payload: {'message': 'Connection refused, error=500'}"], UNKNOWN),
        ([], UNKNOWN),
    ],
)  # fmt: skip
def test_what_happened_is_said_in_our_own_words(said, reason):
    assert reason_in(said) == reason
