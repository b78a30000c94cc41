"""The variables that point clients to a Freehold."""

import json
import os


def variables(origin, key):
    file = os.path.join(os.path.dirname(__file__), "variables.json")
    with open(file, encoding="utf-8") as text:
        values = json.load(text)
    return {name: value.format(origin=origin, key=key) for name, value in values.items()}
