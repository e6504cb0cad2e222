"""Policies: which alternative to try next."""

from sureshot.policies.decision import Decision, Outlook, decide, decide_batch
from sureshot.policies.objective import horizon, knowledge_gradient, online_knowledge_gradient
from sureshot.policies.ties import choose

__all__ = [
    "Decision",
    "Outlook",
    "choose",
    "decide",
    "decide_batch",
    "horizon",
    "knowledge_gradient",
    "online_knowledge_gradient",
]
