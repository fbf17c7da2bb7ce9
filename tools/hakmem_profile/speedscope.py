"""Profiles as speedscope's JSON, for https://www.speedscope.app or its program."""

import json

from hakmem_pages import flame

from .stacks import values


def encode(profile, name):
    """The text of a .speedscope.json file: one profile for each value, the bytes that live first."""
    return json.dumps(flame.speedscope(values(profile), name), separators=(",", ":"))
