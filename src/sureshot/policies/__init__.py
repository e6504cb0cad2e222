"""Policies: which alternative to try next."""

from sureshot.policies.decision import Decision, Outlook, choose, decide
from sureshot.policies.narrow import seen_contexts
from sureshot.policies.objective import horizon, knowledge_gradient, online_knowledge_gradient
from sureshot.policies.policy import Abilities, Policy, scores
from sureshot.policies.registry import POLICIES, default_policy, get_policy, policy_of, register_policy, written
from sureshot.policies.situation import Objective, Situation, situation

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
    "default_policy",
    "get_policy",
    "horizon",
    "knowledge_gradient",
    "online_knowledge_gradient",
    "policy_of",
    "register_policy",
    "scores",
    "seen_contexts",
    "situation",
    "written",
]
