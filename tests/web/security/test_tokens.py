"""Tokens as values: shown once, kept as hashes, for a role."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest

from sureshot.errors import Conflict, InvalidInput, UnknownName
from sureshot.web.security.tokens import ROLES, Token, Tokens, new_tokens, with_token, without_token


def test_a_token_is_found_by_its_text_alone() -> None:
    kept, ann = with_token(new_tokens(), "Ann", "bench", made="today")
    kept, bob = with_token(kept, "Bob", "read", made="today")
    assert (kept.find(ann), kept.find(bob)) == kept.tokens
    assert ann.startswith("sureshot_")
    assert len(ann) > 40
    for wrong in ("", ann[:-1], ann + "x", kept.tokens[0].sha256, kept.tokens[0].id, "\ud800"):
        assert kept.find(wrong) is None


def test_only_the_hash_is_kept_and_no_repr_says_the_key() -> None:
    kept, text = with_token(new_tokens(), "Ann", "bench", made="today")
    assert text not in repr(kept.tokens)
    assert kept.tokens[0].sha256 == sha256(text.encode()).hexdigest()
    assert kept.key not in repr(kept)


def test_two_tokens_are_never_equal() -> None:
    made = [with_token(new_tokens(), "Ann", "read", made="today") for _ in range(20)]
    assert len({text for _, text in made}) == len({kept.key for kept, _ in made}) == 20


def test_one_that_is_taken_back_is_found_no_more() -> None:
    kept, ann = with_token(new_tokens(), "Ann", "bench", made="today")
    (token,) = kept.tokens
    left = without_token(kept, "Ann")
    assert left.find(ann) is None
    assert left.get(token.id) is None
    assert left.key == kept.key


def test_what_is_wrong_is_said() -> None:
    kept, _ = with_token(new_tokens(), "Ann", "bench", made="today")
    with pytest.raises(Conflict, match="has a token already"):
        with_token(kept, "Ann", "read", made="today")
    with pytest.raises(UnknownName, match="Did you mean 'admin'"):
        with_token(kept, "Bob", "admim", made="today")
    with pytest.raises(UnknownName, match="Did you mean 'Ann'"):
        without_token(kept, "Anne")
    with pytest.raises(InvalidInput, match="nobody has a token"):
        without_token(new_tokens(), "Ann")
    for name in ("", " Ann", "A\nB", "x" * 101):
        with pytest.raises(InvalidInput, match="who has the token"):
            with_token(kept, name, "read", made="today")


def test_what_no_file_may_hold_is_refused() -> None:
    kept, _ = with_token(new_tokens(), "Ann", "bench", made="today")
    (token,) = kept.tokens
    for wrong in ({"role": "root"}, {"sha256": "é" * 64}, {"sha256": ""}, {"id": 3}, {"name": None}):
        with pytest.raises(ValueError, match=r"."):
            replace(token, **wrong)
    with pytest.raises(ValueError, match="key"):
        Tokens(key="short")
    assert isinstance(token, Token)
    assert ROLES == ("read", "bench", "admin")
