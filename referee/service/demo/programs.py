"""How different mail programs write the same orders. Each program turns words and the letter being answered into bytes."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Callable
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, formataddr

from referee.core.values import Value


class Answer(Value):
    """What a player wants to say, and the letter it answers."""

    sender: str
    sender_name: str
    recipient: str
    subject: str
    text: str
    original: str  # the body of the letter that is answered
    original_id: str
    written: datetime
    message_id: str


Program = Callable[[Answer], bytes]


def plain(answer: Answer) -> bytes:
    """Write UTF-8 as it stands, the orders alone."""
    return _sent(answer, answer.text, cte="8bit")


def quoted_printable(answer: Answer) -> bytes:
    """Write Latin-1 where it suffices, quoted-printable, above the quoted newsletter, as many do."""
    text = f"{answer.text}\n\n{_quoted(answer)}"
    charset = "iso-8859-1" if _fits(text, "iso-8859-1") else "utf-8"
    return _sent(answer, text, charset=charset, cte="quoted-printable")


def base64(answer: Answer) -> bytes:
    """Write everything in base64, with a signature."""
    text = f"{answer.text}\n\n-- \n{answer.sender_name}\nRUN 1: this is a signature and no order\n"
    return _sent(answer, text, cte="base64")


def flowed(answer: Answer) -> bytes:
    """Write format=flowed: long lines are broken softly at 72 columns, each with a space at its end."""
    lines = []
    for line in answer.text.split("\n"):
        wrapped = textwrap.wrap(line, 71, break_long_words=False, break_on_hyphens=False) or [""]
        lines += [f"{part} " for part in wrapped[:-1]] + wrapped[-1:]
    message = _message(answer)
    message.set_content("\n".join(lines), cte="8bit")
    message.set_param("format", "flowed")
    return message.as_bytes(policy=SMTP)


def hard_wrapped(answer: Answer) -> bytes:
    """Break long lines at 72 columns for good, below a line that says who wrote the newsletter, with a signature."""
    text = "\n".join(
        "\n".join(textwrap.wrap(line, 72, break_long_words=False, break_on_hyphens=False)) if line else ""
        for line in answer.text.split("\n")
    )
    return _sent(answer, f"{text}\n\nSent from my steam engine\n\n{_quoted(answer)}", cte="8bit")


def html_with_text(answer: Answer) -> bytes:
    """Write plain text and the same in HTML, the newsletter quoted in both."""
    message = _message(answer)
    message.set_content(f"{answer.text}\n\n{_quoted(answer)}", cte="quoted-printable")
    message.add_alternative(_page(answer), subtype="html", cte="quoted-printable")
    return message.as_bytes(policy=SMTP)


def html_alone(answer: Answer) -> bytes:
    """Write HTML and nothing else."""
    message = _message(answer)
    message.set_content(_page(answer), subtype="html", cte="base64")
    return message.as_bytes(policy=SMTP)


PROGRAMS: tuple[Program, ...] = (plain, quoted_printable, base64, flowed, hard_wrapped, html_with_text, html_alone)


def _message(answer: Answer) -> EmailMessage:
    message = EmailMessage(policy=SMTP)
    message["From"] = formataddr((answer.sender_name, answer.sender))
    message["To"] = answer.recipient
    message["Subject"] = f"Re: {answer.subject}"
    message["Date"] = format_datetime(answer.written)
    message["Message-ID"] = answer.message_id
    message["In-Reply-To"] = answer.original_id
    message["References"] = answer.original_id
    return message


def _sent(answer: Answer, text: str, charset: str = "utf-8", cte: str = "8bit") -> bytes:
    message = _message(answer)
    message.set_content(text, charset=charset, cte=cte)
    return message.as_bytes(policy=SMTP)


def _fits(text: str, charset: str) -> bool:
    try:
        text.encode(charset)
    except UnicodeEncodeError:
        return False
    return True


def _quoted(answer: Answer) -> str:
    quoted = "\n".join(f"> {line}".rstrip() for line in answer.original.split("\n"))
    return f"On {answer.written:%d %b %Y} the referee wrote:\n{quoted}"


def _page(answer: Answer) -> str:
    lines = "<br>\n".join(html.escape(line) for line in answer.text.split("\n"))
    original = "<br>\n".join(html.escape(line) for line in answer.original.split("\n"))
    return (
        f"<html><head><title>Re</title></head><body><div>{lines}</div><br>"
        f'<div class="gmail_quote">The referee wrote:<br><blockquote>{original}</blockquote></div></body></html>'
    )
