"""One bar chart as SVG, written by hand: horizontal bars in groups, an interval as a whisker, readable on light and dark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

# Pixels.
LABEL, PLOT, RIGHT = 340, 430, 60
BAR, GAP, GROUP = 16, 6, 30
TOP, BOTTOM = 40, 30


@dataclass(frozen=True, slots=True)
class Bar:
    """`value` in 0..1. `low` and `high` draw a whisker where they differ; `ours` is filled, others are pale."""

    label: str
    value: float
    low: float = 0.0
    high: float = 0.0
    ours: bool = True


@dataclass(frozen=True, slots=True)
class Group:
    title: str
    bars: tuple[Bar, ...]


STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#333}.title{font-size:14px;font-weight:600}.head{font-weight:600}.ours{fill:#2563eb}.rival{fill:#b6bfcc}"
    ".grid{stroke:#8884;stroke-width:1}.whisker{stroke:#111;stroke-width:1.5}"
    "@media (prefers-color-scheme:dark){text{fill:#ddd}.ours{fill:#60a5fa}.rival{fill:#566173}.whisker{stroke:#fff}}"
)


def svg(title: str, groups: Sequence[Group]) -> str:
    """The whole document. The same groups give the same bytes."""
    parts: list[str] = []
    y = TOP
    for group in groups:
        parts.append(f'<text class="head" x="0" y="{y + 12}">{escape(group.title)}</text>')
        y += BAR + GAP
        for bar in group.bars:
            parts += drawn(bar, y)
            y += BAR + GAP
        y += GROUP - BAR
    height = y + BOTTOM
    grid = []
    for tenth in range(0, 11, 2):
        x = LABEL + PLOT * tenth / 10
        grid.append(f'<line class="grid" x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{y}"/>')
        grid.append(f'<text x="{x:.1f}" y="{y + 16}" text-anchor="middle">{tenth / 10:.1f}</text>')
    width = LABEL + PLOT + RIGHT
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'
    return "\n".join(
        [
            head,
            f"<title>{escape(title)}</title>",
            f"<style>{STYLE}</style>",
            f'<text class="title" x="0" y="18">{escape(title)}</text>',
            *grid,
            *parts,
            "</svg>",
        ]
    )


def drawn(bar: Bar, y: int) -> list[str]:
    length = PLOT * min(max(bar.value, 0.0), 1.0)
    middle = y + BAR / 2
    parts = [
        f'<text x="{LABEL - 8}" y="{y + 12}" text-anchor="end">{escape(bar.label)}</text>',
        f'<rect class="{"ours" if bar.ours else "rival"}" x="{LABEL}" y="{y}" width="{length:.1f}" height="{BAR}" rx="2"/>',
    ]
    end = length
    if bar.high > bar.low:
        low, end = PLOT * bar.low, PLOT * min(bar.high, 1.0)
        parts.append(f'<line class="whisker" x1="{LABEL + low:.1f}" y1="{middle}" x2="{LABEL + end:.1f}" y2="{middle}"/>')
    parts.append(f'<text x="{LABEL + max(end, length) + 6:.1f}" y="{y + 12}">{bar.value:.3f}</text>')
    return parts
