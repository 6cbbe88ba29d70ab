"""Ruby: `require_relative` beside the file, `require` under the load path, which is `lib` and the test folders of each gem."""

from __future__ import annotations

from collections.abc import Callable

from iq.index.resolve.view import Targets, View, join, parent, shared
from iq.types import Import

LOAD_PATH = ("lib", "test", "spec", "ext", "app", "src")


def resolver(view: View) -> Callable[[str, Import], Targets]:
    roots = {""} | {folder for folder in view.folders if folder.rpartition("/")[2] in LOAD_PATH}
    # A folder under the load path alone does not make its name ours: plugins of rack put theirs into `rack/`.
    tops = {path.rpartition("/")[2][:-3] for path in view.languages if path.endswith(".rb") and path.rpartition("/")[0] in roots}

    def resolve(source: str, row: Import) -> Targets:
        name = row.module
        files = [name] if name.endswith(".rb") else [name + ".rb", name]
        if row.kind == "relative" or name.startswith(("./", "../")):
            found = view.first(join(parent(source), file) for file in files)
            return (found,) if found else ()
        hits = [path for root in roots for file in files if (path := f"{root}/{file}".lstrip("/")) in view and path.endswith(".rb")]
        if hits:
            return (min(hits, key=lambda path: (-shared(source, path), "lib" not in path.split("/"), path.count("/"), path)),)
        return () if "/" in name and name.partition("/")[0] in tops else None

    return resolve
