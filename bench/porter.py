"""The Porter stemmer, as Lucene's PorterStemFilter applies it, so that text is analysed as in the reference run.

(Porter, An algorithm for suffix stripping, Program 14(3), 1980; with the two later amendments that Lucene follows: `bli`
and `logi` in step 2.) Words of up to two letters are left alone.
"""

from __future__ import annotations

import re
from functools import lru_cache

_STEP2 = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("bli", "ble"), ("alli", "al"),
    ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"),
    ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"), ("logi", "log"),
)  # fmt: skip
_STEP3 = (("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""))
_STEP4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip


def shape(stem: str) -> str:
    """`c` and `v` a letter: y is a vowel after a consonant."""
    out = ""
    for letter in stem:
        vowel = letter in "aeiou" or (letter == "y" and out[-1:] == "c")
        out += "v" if vowel else "c"
    return out


def measure(stem: str) -> int:
    """m in [C](VC)^m[V]."""
    return len(re.findall("v+c+", shape(stem)))


def cvc(stem: str) -> bool:
    """Ends consonant, vowel, consonant, the last not w, x or y."""
    return shape(stem)[-3:] == "cvc" and stem[-1] not in "wxy"


def doubled(stem: str) -> bool:
    return len(stem) > 1 and stem[-1] == stem[-2] and shape(stem)[-1] == "c"


def replaced(word: str, rules: tuple[tuple[str, str], ...]) -> str:
    """The longest suffix that fits is the only one tried; it is replaced where its stem has m > 0."""
    fitting = max((rule for rule in rules if word.endswith(rule[0])), key=lambda rule: len(rule[0]), default=None)
    if fitting is None or measure(word[: -len(fitting[0])]) == 0:
        return word
    return word[: -len(fitting[0])] + fitting[1]


def step1(word: str) -> str:
    if word.endswith(("sses", "ies")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    if word.endswith("eed"):
        word = word[:-1] if measure(word[:-3]) > 0 else word
    elif (ending := next((e for e in ("ed", "ing") if word.endswith(e)), "")) and "v" in shape(word[: -len(ending)]):
        word = word[: -len(ending)]
        if word.endswith(("at", "bl", "iz")):
            word += "e"
        elif doubled(word) and word[-1] not in "lsz":
            word = word[:-1]
        elif measure(word) == 1 and cvc(word):
            word += "e"
    if word.endswith("y") and "v" in shape(word[:-1]):
        word = word[:-1] + "i"
    return word


def step4(word: str) -> str:
    ending = max((e for e in _STEP4 if word.endswith(e)), key=len, default="")
    stem = word[: -len(ending)] if ending else word
    if not ending or measure(stem) <= 1 or (ending == "ion" and stem[-1:] not in ("s", "t")):
        return word
    return stem


def step5(word: str) -> str:
    if word.endswith("e"):
        stem = word[:-1]
        if measure(stem) > 1 or (measure(stem) == 1 and not cvc(stem)):
            word = stem
    if word.endswith("ll") and measure(word) > 1:
        word = word[:-1]
    return word


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a lower-case word."""
    if len(word) <= 2:
        return word
    return step5(step4(replaced(replaced(step1(word), _STEP2), _STEP3)))
