"""Runs the Python blocks of a guide in turn. Fails if one has more than six lines, or ends with something else than rows with numbers."""

import re
import sys
import warnings
from ast import Expr, Expression, parse, unparse
from pathlib import Path

import pandas as pd

MOST_LINES = 6


def main(path):
    blocks = re.findall(r"^```python\n(.*?)^```$", Path(path).read_text(), flags=re.DOTALL | re.MULTILINE)
    names, answered = {}, 0
    warnings.simplefilter("ignore")
    for block in blocks:
        lines = len(block.splitlines())
        assert lines <= MOST_LINES, f"{lines} lines:\n{block}"
        *steps, last = parse(block).body
        if not isinstance(last, Expr):
            exec(block, names)
            continue
        exec("\n".join(unparse(step) for step in steps), names)
        answer = eval(compile(Expression(last.value), path, "eval"), names)
        assert isinstance(answer, (pd.DataFrame, pd.Series)), f"{type(answer).__name__}:\n{block}"
        frame = answer.to_frame() if isinstance(answer, pd.Series) else answer
        assert len(frame) > 1 and frame.notna().any().all(), f"no numbers in {frame}:\n{block}"
        answered += 1
    assert answered > 0, "the guide asks nothing"
    names["asof"].close()
    print(f"ok python: {answered} questions of {path}")


main(sys.argv[1])
