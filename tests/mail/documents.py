"""Documents as word processors write them, and letters that bring them."""

import io
import zipfile
from base64 import encodebytes

_WORD = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>{declared}'
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>{body}</w:body></w:document>'
)
_OFFICE = (
    '<?xml version="1.0" encoding="UTF-8"?>{declared}'
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
    ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text>{body}</office:text></office:body>'
    "</office:document-content>"
)
MEDIA = {
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "odt": "application/vnd.oasis.opendocument.text",
}


def docx(body: str, declared: str = "", packed: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a ``.docx`` with these paragraphs, as marks."""
    return _archive({"word/document.xml": _WORD.format(body=body, declared=declared)}, packed)


def odt(body: str, declared: str = "") -> bytes:
    """Return an ``.odt`` with these paragraphs, as marks."""
    return _archive({"mimetype": MEDIA["odt"], "content.xml": _OFFICE.format(body=body, declared=declared)})


def paragraphs(*lines: str) -> str:
    """Return lines as a ``.docx`` has them."""
    return "".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in lines)


def letter_with(content: bytes, name: str, media: str = "", text: str = "", sender: str = "ann@example.org") -> bytes:
    """Return a letter with *text* and one attachment."""
    kind = media or MEDIA.get(name.rpartition(".")[2], "application/octet-stream")
    return (
        f"From: Ann Byrne <{sender}>\r\nTo: referee@club.example\r\nSubject: Re: [RR1] turn\r\n"
        f"Message-ID: <{len(content)}@doc>\r\n"
        'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n'
        f"--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n"
        f'--b\r\nContent-Type: {kind}; name="{name}"\r\nContent-Disposition: attachment; filename="{name}"\r\n'
        f"Content-Transfer-Encoding: base64\r\n\r\n{encodebytes(content).decode()}\r\n--b--\r\n"
    ).encode()


def _archive(files: dict[str, str], packed: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", packed) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()
