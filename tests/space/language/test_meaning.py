"""What each formula means: the features that the first, hand-written parser gave, and formulaic's own matrix."""

import numpy as np
import pytest

from sureshot.space import Design, Space

SPACE = Space.grid(power=[8, 10, 12, 14], time=[1, 2, 3], catalyst=["Fe", "Co", "Ni"], hot=[True, False])

#: Formula -> features, recorded from the parser that this one took the place of.
MEANING = """
1 -> Intercept
power -> Intercept | power
+ power -> Intercept | power
1 + power -> Intercept | power
power + 1 -> Intercept | power
0 + power -> power
power - 1 -> power
-1 + power -> power
power + 0 + 1 -> Intercept | power
power - 1 + 1 -> Intercept | power
power + time -> Intercept | power | time
power + time + power -> Intercept | power | time
power - power + time -> Intercept | time
power:time -> Intercept | power:time
power*time -> Intercept | power | time | power:time
power*time - power -> Intercept | time | power:time
power*time - power:time -> Intercept | power | time
power*time*hot -> Intercept | power | time | hot[T.True] | power:time | power:hot[T.True] | time:hot[T.True] | power:time:hot[T.True]
power*time:hot -> Intercept | power | time:hot[False] | time:hot[True] | power:time:hot[False] | power:time:hot[True]
power:time*hot -> Intercept | hot[T.True] | power:time | power:time:hot[T.True]
(power*time):hot -> Intercept | power:hot[False] | power:hot[True] | time:hot[False] | time:hot[True] | power:time:hot[False] | power:time:hot[True]
power*(time:hot) -> Intercept | power | time:hot[False] | time:hot[True] | power:time:hot[False] | power:time:hot[True]
power:time:hot -> Intercept | power:time:hot[False] | power:time:hot[True]
power*hot:catalyst -> Intercept | power | catalyst[T.Co] | catalyst[T.Ni] | hot[T.True]:catalyst[Fe] | hot[T.True]:catalyst[Co] | hot[T.True]:catalyst[Ni] | power:catalyst[T.Co] | power:catalyst[T.Ni] | power:hot[T.True]:catalyst[Fe] | power:hot[T.True]:catalyst[Co] | power:hot[T.True]:catalyst[Ni]
hot:catalyst*power -> Intercept | power | catalyst[T.Co] | catalyst[T.Ni] | hot[T.True]:catalyst[Fe] | hot[T.True]:catalyst[Co] | hot[T.True]:catalyst[Ni] | catalyst[T.Co]:power | catalyst[T.Ni]:power | hot[T.True]:catalyst[Fe]:power | hot[T.True]:catalyst[Co]:power | hot[T.True]:catalyst[Ni]:power
(power + time)*hot -> Intercept | power | time | hot[T.True] | power:hot[T.True] | time:hot[T.True]
(power + time):catalyst -> Intercept | power:catalyst[Fe] | power:catalyst[Co] | power:catalyst[Ni] | time:catalyst[Fe] | time:catalyst[Co] | time:catalyst[Ni]
(power + time)**2 -> Intercept | power | time | power:time
(power + time)^2 -> Intercept | power | time | power:time
(power + time + hot)**3 -> Intercept | power | time | hot[T.True] | power:time | power:hot[T.True] | time:hot[T.True] | power:time:hot[T.True]
(power + time + hot)**2 - hot:time -> Intercept | power | time | hot[T.True] | power:time | power:hot[T.True]
power + (time - power) -> Intercept | power | time
(power + time) - time -> Intercept | power
power*(time + hot - time) -> Intercept | power | hot[T.True] | power:hot[T.True]
((power)) -> Intercept | power
(power):(time) -> Intercept | power:time
((power + time))**2*catalyst -> Intercept | power | time | catalyst[T.Co] | catalyst[T.Ni] | power:time | power:catalyst[T.Co] | power:catalyst[T.Ni] | time:catalyst[T.Co] | time:catalyst[T.Ni] | power:time:catalyst[T.Co] | power:time:catalyst[T.Ni]
catalyst -> Intercept | catalyst[T.Co] | catalyst[T.Ni]
hot -> Intercept | hot[T.True]
catalyst - 1 -> catalyst[Fe] | catalyst[Co] | catalyst[Ni]
catalyst + hot - 1 -> catalyst[Fe] | catalyst[Co] | catalyst[Ni] | hot[T.True]
catalyst*hot - 1 -> catalyst[Fe] | catalyst[Co] | catalyst[Ni] | hot[T.True] | catalyst[T.Co]:hot[T.True] | catalyst[T.Ni]:hot[T.True]
catalyst:hot -> Intercept | hot[T.True] | catalyst[T.Co]:hot[False] | catalyst[T.Ni]:hot[False] | catalyst[T.Co]:hot[True] | catalyst[T.Ni]:hot[True]
catalyst:power -> Intercept | catalyst[Fe]:power | catalyst[Co]:power | catalyst[Ni]:power
catalyst:power - 1 -> catalyst[Fe]:power | catalyst[Co]:power | catalyst[Ni]:power
C(catalyst) -> Intercept | catalyst[T.Co] | catalyst[T.Ni]
C(power) -> Intercept | C(power)[T.10] | C(power)[T.12] | C(power)[T.14]
C(power)*time -> Intercept | C(power)[T.10] | C(power)[T.12] | C(power)[T.14] | time | C(power)[T.10]:time | C(power)[T.12]:time | C(power)[T.14]:time
catalyst + C(catalyst) -> Intercept | catalyst[T.Co] | catalyst[T.Ni]
C(hot) + hot -> Intercept | hot[T.True]
log(power) -> Intercept | log(power)
log( power ) -> Intercept | log(power)
log (power) -> Intercept | log(power)
log10(power) + log2(time) -> Intercept | log10(power) | log2(time)
sqrt(power):time -> Intercept | sqrt(power):time
exp(time)*hot -> Intercept | exp(time) | hot[T.True] | exp(time):hot[T.True]
abs(power - 10) -> Intercept | abs(power - 10)
min(power, time*4) -> Intercept | min(power, time*4)
max(power, time, 9) -> Intercept | max(power, time, 9)
log1p(power*time) -> Intercept | log1p(power*time)
I(power**2) -> Intercept | I(power**2)
I( power/time ) -> Intercept | I(power/time)
{power*time} -> Intercept | I(power*time)
{power % 3} + time -> Intercept | I(power % 3) | time
{-power} -> Intercept | I(-power)
I(-(power - 3)**2) -> Intercept | I(-(power - 3)**2)
log(power / time) + {power*time} -> Intercept | log(power / time) | I(power*time)
center(power) -> Intercept | center(power)
scale(power)*time -> Intercept | scale(power) | time | scale(power):time
center(log(power)) -> Intercept | center(log(power))
poly(power, 2) -> Intercept | poly(power, 2)[1] | poly(power, 2)[2]
poly(power, degree=2) -> Intercept | poly(power, 2)[1] | poly(power, 2)[2]
poly(power) -> Intercept | poly(power, 1)[1]
poly(power, 2, True) -> Intercept | poly(power, 2, raw=True)[1] | poly(power, 2, raw=True)[2]
poly(power, 3, raw=True) -> Intercept | poly(power, 3, raw=True)[1] | poly(power, 3, raw=True)[2] | poly(power, 3, raw=True)[3]
poly(power, raw=False, degree=2) -> Intercept | poly(power, 2)[1] | poly(power, 2)[2]
poly(log(time), 2):hot -> Intercept | poly(log(time), 2)[1]:hot[False] | poly(log(time), 2)[2]:hot[False] | poly(log(time), 2)[1]:hot[True] | poly(log(time), 2)[2]:hot[True]
poly(power, 2)*hot - poly(power, 2) -> Intercept | hot[T.True] | poly(power, 2)[1]:hot[False] | poly(power, 2)[2]:hot[False] | poly(power, 2)[1]:hot[True] | poly(power, 2)[2]:hot[True]
bs(power, 4) -> Intercept | bs(power, df=4, degree=3)[1] | bs(power, df=4, degree=3)[2] | bs(power, df=4, degree=3)[3] | bs(power, df=4, degree=3)[4]
bs(power, df=5, degree=2) -> Intercept | bs(power, df=5, degree=2)[1] | bs(power, df=5, degree=2)[2] | bs(power, df=5, degree=2)[3] | bs(power, df=5, degree=2)[4] | bs(power, df=5, degree=2)[5]
bs(power) -> Intercept | bs(power, df=3, degree=3)[1] | bs(power, df=3, degree=3)[2] | bs(power, df=3, degree=3)[3]
bs(power, degree=2):catalyst -> Intercept | bs(power, df=2, degree=2)[1]:catalyst[Fe] | bs(power, df=2, degree=2)[2]:catalyst[Fe] | bs(power, df=2, degree=2)[1]:catalyst[Co] | bs(power, df=2, degree=2)[2]:catalyst[Co] | bs(power, df=2, degree=2)[1]:catalyst[Ni] | bs(power, df=2, degree=2)[2]:catalyst[Ni]
poly(min(power, 12), 1) -> Intercept | poly(min(power, 12), 1)[1]
power + scale(time) + center(power):hot -> Intercept | power | scale(time) | center(power):hot[False] | center(power):hot[True]
"""  # noqa: E501
PAIRS = [tuple(line.split(" -> ")) for line in MEANING.strip().splitlines()]

#: What formulaic refuses or reads otherwise: functions that it lacks, a space before a bracket, C(a) as another factor
#: than a, a polynomial's options by position.
OTHERWISE = ("log (", "log1p(", "min(", "max(", "abs(", "sqrt(", "+ C(", "C(hot)", "bs(", "True)")


@pytest.mark.parametrize(("formula", "features"), PAIRS)
def test_the_features_are_those_of_the_first_parser(formula, features):
    assert " | ".join(SPACE.design(formula).columns) == features


@pytest.mark.parametrize("formula", [f for f, _ in PAIRS if not any(odd in f for odd in OTHERWISE)])
def test_the_matrix_is_formulaics(formula):
    """These texts are ours, so formulaic may evaluate them here."""
    import pandas as pd
    from formulaic import model_matrix

    frame = pd.DataFrame({column.name: column.values() for column in SPACE.columns})
    frame["catalyst"] = pd.Categorical(frame["catalyst"], categories=["Fe", "Co", "Ni"])
    frame["hot"] = frame["hot"].map({False: "0", True: "1"})
    theirs = np.asarray(model_matrix(formula, frame, context={}), dtype=float)
    np.testing.assert_allclose(Design.fit(SPACE, formula, standardise=False).matrix(SPACE), theirs, atol=1e-10)
