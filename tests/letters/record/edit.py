"""The hand at the editor: python edit.py SHAPE FILE writes orders into the draft of a reply, whatever its program put there."""

import re
import sys
from pathlib import Path

ORDERS = "HOME Dublin\n1a) (Dublin) - Drogheda\n1b) (Dublin) - AC17\n"
FORM = {"HOME": "HOME Dublin", "1a)": "1a) (Dublin) - Drogheda", "1b)": "1b) (Dublin) - AC17"}


def edited(draft: str, shape: str) -> str:
    """Return a draft with orders in it: at the ``top``, ``below`` the quotation or in the quoted ``form``."""
    head, blank, text = draft.partition("\n\n") if re.match(r"(?:From|To|Newsgroups): ", draft) else ("", "", draft)
    if shape == "top":
        text = f"Hello,\n\n{ORDERS}\nAnn\n\n{text.lstrip()}"
    elif shape == "below":
        text = f"{text.rstrip()}\n\nHello, here are mine.\n\n{ORDERS}\nAnn\n"
    else:
        for empty, filled in FORM.items():
            text = re.sub(rf"(?m)^((?:> ?)+){re.escape(empty)}[ \t]*$", rf"\g<1>{filled}", text)
    return head + blank + text


if __name__ == "__main__":
    _, shape, file = sys.argv
    Path(file).write_text(edited(Path(file).read_text("utf-8"), shape), "utf-8")
