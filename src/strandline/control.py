"""Characters that are obeyed instead of shown, by a terminal, a mail or a chat."""

# Control characters, those that turn the direction of a text, and the two line ends of Unicode:
# the inside of a class in a regular expression.
CONTROL = "\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
