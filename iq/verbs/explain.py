"""`--explain`: the plan, what made each score, and the stage that each place owes its rank to."""

from __future__ import annotations

from iq.index.store import Store
from iq.plan.counterfactual import FILES, owed
from iq.types import Candidate, Plan, Ranking
from iq.verbs.intents import said


def explain(store: Store, plan: Plan, ranking: Ranking) -> str:
    rows = [f"plan: {plan.query.kind} · legs {', '.join(plan.legs)} · features {', '.join(sorted(plan.features))}"]
    if ranking.verdict:
        rows.append(f"verdict: {ranking.verdict} · {', '.join(f'{name} {value:.3f}' for name, value in sorted(ranking.signals.items()))}")
    if plan.intent is not None:
        rows[0] += f" · intent {said(plan.intent)}"
        for at, c in enumerate(ranking.chunks[:FILES], 1):
            terms = ", ".join(f"{name} {value:+.3f}" for name, value in c.boosts.items())
            rows.append(f"{at:3} {c.score:+.4f} {c.path}:{c.start}-{c.end} · {legs(c)} · class {c.file_class}, {terms}")
        return "\n".join(rows)
    debts = owed(store, plan, ranking)
    for at, c in enumerate(ranking.files[:FILES], 1):
        factors = ", ".join(f"{name} {value:.3f}" for name, value in c.boosts.items())
        debt = ""
        if c.path in debts:
            feature, rank = debts[c.path]
            debt = f" · without {feature}: {f'rank {rank}' if rank else 'not ranked'}"
        rows.append(f"{at:3} {c.score:.4f} {c.path} · {legs(c)} · {factors}{debt}")
    return "\n".join(rows)


def legs(candidate: Candidate) -> str:
    """The ranks of a candidate, by leg."""
    return ", ".join(f"{leg} rank {rank}" for leg, rank in candidate.ranks.items())
