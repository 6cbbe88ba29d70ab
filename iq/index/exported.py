"""May other files use a definition? Each language has its rule: a keyword, a capital, an underscore."""

from __future__ import annotations

from iq.index.definition import CLASSLIKE, WRAPPERS, Found
from iq.index.languages import LANGUAGES

# Members of these are as visible as the whole, without a keyword of their own.
OPEN = frozenset({"interface", "trait", "enum"})
HIDDEN = frozenset({"private", "protected"})


def exported(language: str, source: bytes, item: Found, open_: bool = False, outer: str = "") -> bool:
    """Whether other files may use it; `open_` and `outer` are the visibility and the kind of what holds it."""
    rule = LANGUAGES[language].exported
    if rule == "all":
        return True
    if rule == "underscore":
        return not item.name.startswith("_") or item.name.startswith("__")
    if rule == "capital":
        return item.name[:1].isupper()
    node = item.node
    while (parent := node.parent) is not None and parent.type in WRAPPERS:
        node = parent
    words = source[node.start_byte : item.name_node.start_byte].decode("utf-8", "replace").replace("(", " ").split()
    if rule.startswith("not "):
        return rule[4:] not in words
    if open_ and (outer in OPEN or (rule == "export" and outer in CLASSLIKE)):
        return HIDDEN.isdisjoint(words) and not item.name.startswith("#")
    return rule in words
