"""The Spark side: sessions, settings, jars, the lock and the warm server."""

from strandline.spark.errors import StrandlineSparkError
from strandline.spark.profile import (
    Needs,
    check_profile,
    connection_for,
    credentials_for,
    outputs_of,
    profiles_dir_for,
    session_for,
)
from strandline.spark.session import close, close_session, home_for, open_session

__all__ = [
    "Needs",
    "StrandlineSparkError",
    "check_profile",
    "close",
    "close_session",
    "connection_for",
    "credentials_for",
    "home_for",
    "open_session",
    "outputs_of",
    "profiles_dir_for",
    "session_for",
]
