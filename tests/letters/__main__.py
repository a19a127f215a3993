"""``python -m tests.letters [--mutants N]``: how every recorded letter is read, and so many mutants of them."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable

from tests.letters.corpus import ASKED, EXACT, WRONG, hearing, recorded
from tests.letters.mutants import judged, judged_mutants


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.letters")
    parser.add_argument("--mutants", type=int, default=0)
    wanted = parser.parse_args().mutants
    letters = recorded()
    with hearing() as hear:
        found = [(f"{each.program:12} {each.shape}", result) for each, result in judged(hear, letters)]
        wrong = _table("mail program and shape", found)
        if wanted:
            mutants = []
            for mutant, result in judged_mutants(hear, letters, wanted):
                mutants.append((f"{mutant.done[0]:12} {mutant.done[1]}", result))
                if result == WRONG:
                    print("WRONG", mutant.of.name, *mutant.done, sep=" | ")
            wrong += _table("mutants: words and parts", mutants)
    return int(wrong > 0)


def _table(title: str, found: Iterable[tuple[str, str]]) -> int:
    """Print a table, and return how many are wrong."""
    counted = Counter(found)
    print(f"{title:34}" + "".join(f"{each:>8}" for each in (EXACT, ASKED, WRONG)))
    for name in (*sorted({name for name, _ in counted}), "all"):
        row = [
            sum(n for (of, got), n in counted.items() if name in (of, "all") and got == each)
            for each in (EXACT, ASKED, WRONG)
        ]
        print(f"{name:34}" + "".join(f"{each:8}" for each in row))
    print(f"exact: {row[0] / sum(row):.1%}\n")
    return row[2]


if __name__ == "__main__":
    sys.exit(main())
