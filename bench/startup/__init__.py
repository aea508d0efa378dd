"""How long a run takes until its first model starts, and from there to its end."""
