"""Policies: which alternative to try next."""

from sureshot.policies.decision import Decision, Outlook, decide, decide_batch
from sureshot.policies.objective import horizon, knowledge_gradient, online_knowledge_gradient
from sureshot.policies.policy import Abilities, Policy, pick, scores
from sureshot.policies.registry import POLICIES, get_policy, register_policy
from sureshot.policies.situation import Objective, Situation, situation
from sureshot.policies.ties import choose

__all__ = [
    "POLICIES",
    "Abilities",
    "Decision",
    "Objective",
    "Outlook",
    "Policy",
    "Situation",
    "choose",
    "decide",
    "decide_batch",
    "get_policy",
    "horizon",
    "knowledge_gradient",
    "online_knowledge_gradient",
    "pick",
    "register_policy",
    "scores",
    "situation",
]
