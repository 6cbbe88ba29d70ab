"""The ripgrep command of a live search. Made here alone, so that `ahead` can start it before anything else is imported."""

from __future__ import annotations

import os

from iq.errors import brief

# Longer lines are cut by ripgrep (bytes): a 200 MB file without a line feed must not pass through here whole.
MAX_COLUMNS = 8192

_OUTPUT = ("--null", "--line-number", "--column", "--no-heading", "--with-filename", "--color", "never", "--text",
           "--max-columns", str(MAX_COLUMNS), "--max-columns-preview", "--crlf")  # fmt: skip

_CASE = {"smart": "--smart-case", "sensitive": "--case-sensitive", "ignore": "--ignore-case"}

# Letters of a path that mean more in a glob.
_ESCAPED = {ord(letter): "\\" + letter for letter in "*?[]{}"}

# `.ignore` and `.rgignore` are ripgrep's own rules; nobody wrote them for iq.
_HIDDEN = ("--hidden", "--glob", "!.git", "--glob", "!**/.iq/local/**")


def rule_flags(inside_git: bool, ignored: bool) -> tuple[str, ...]:
    """How ripgrep walks with git's rules, or with `ignored` by none of them."""
    if ignored:
        return (*_HIDDEN, "--no-ignore")
    # Only outside of git: with --no-require-git ripgrep no longer looks for the exclude file of a linked worktree.
    return (*_HIDDEN, "--no-ignore-dot", "--no-ignore-messages", *(() if inside_git else ("--no-require-git", "--no-ignore-parent")))


def attempts(text: str, literal: bool, word: bool, case: str) -> list[tuple[list[str], str, str]]:
    """Flags, expression and description of each way to run a pattern, in the order they are tried."""
    flags = [_CASE[case]]
    if word:
        flags.append("--word-regexp")
    plain = ([*flags, "--fixed-strings", *(["--multiline"] if "\n" in text else [])], text, "literal")
    if literal:
        return [plain]
    found = []
    expression, note = text, "regex"
    if r"\|" in expression:
        expression = expression.replace(r"\|", "|").replace(r"\(", "(").replace(r"\)", ")")
        note = f"regex, rewritten from grep's form to {brief(expression)}"
    multiline = ["--multiline"] if r"\n" in expression or "\n" in expression else []
    if _looks_around(expression):
        found.append(([*flags, *multiline, "--pcre2"], expression, note.replace("regex", "PCRE2 regex", 1)))
    else:
        found.append(([*flags, *multiline], expression, note))
    found.append((plain[0], plain[1], "literal, since it is no regular expression that ripgrep can run"))
    return found


def _looks_around(expression: str) -> bool:
    """Whether an expression holds what only PCRE2 runs: a look around, a reference back, an atomic group, a possessive repeat."""
    if any(word in expression for word in ("(?=", "(?!", "(?<=", "(?<!", "(?>")):
        return True
    return any((a == "\\" and b in "123456789") or (a in "*+?}" and b == "+") for a, b in zip(expression, expression[1:]))  # noqa: B905, RUF007


def command(flags: list[str], rules: tuple[str, ...], expression: str, leave_out: list[str]) -> list[str]:
    """Everything but the places to search; `leave_out` are globs of files."""
    return [*_OUTPUT, *flags, *rules, *(f"--glob=!{path}" for path in leave_out), "--", expression]


def globs(root: str, paths: list[str]) -> list[str]:
    """Files of the workspace as globs that fit each and nothing else.

    Ripgrep cuts the current folder off where a path begins with its letters, so that in `/w/src` both `/w/src/_a` and `/w/src_a` are held
    against a glob as `_a`: where the second is there, neither is left out. Any other path is whole, and one of its two slashes stays.
    """
    try:
        here = os.getcwd().rstrip("/") + "/"
    except OSError:
        return []
    if os.sep != "/" or "\\" in root:
        return []
    tops: dict[str, bool] = {}
    found = []
    for path in paths:
        if not path.isprintable() or path != path.strip() or "\\" in path:
            continue
        full = os.path.join(root, path)
        if not full.startswith(here):
            found.append("/" + full.translate(_ESCAPED))
            continue
        inside = full[len(here) :]
        top = inside.partition("/")[0]
        if top not in tops:
            tops[top] = here != "/" and os.path.lexists(here[:-1] + top)
        if not (tops[top] and os.path.lexists(here[:-1] + inside)):
            found.append("/" + inside.translate(_ESCAPED))
    return found
