"""Records replies of Thunderbird: python thunderbird.py LETTER FOLDER, under Xvfb (xvfb-run), driven by Marionette.

LETTER is what they answer (ours.py); FOLDER gets thunderbird-KIND-SHAPE.eml.
"""

import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PREFS = {
    "mail.accountmanager.accounts": "account1,account2", "mail.accountmanager.defaultaccount": "account1",
    "mail.account.account1.server": "server1", "mail.account.account1.identities": "id1",
    "mail.account.account2.server": "server2", "mail.accountmanager.localfoldersserver": "server2",
    "mail.server.server1.type": "pop3", "mail.server.server1.hostname": "localhost", "mail.server.server1.userName": "ann",
    "mail.server.server1.name": "ann@example.org", "mail.server.server1.login_at_startup": False,
    "mail.server.server1.check_new_mail": False, "mail.server.server1.deferred_to_account": "account2",
    "mail.server.server2.type": "none", "mail.server.server2.hostname": "Local Folders",
    "mail.server.server2.userName": "nobody", "mail.server.server2.name": "Local Folders",
    "mail.identity.id1.fullName": "Ann", "mail.identity.id1.useremail": "ann@example.org", "mail.identity.id1.valid": True,
    "mail.identity.id1.smtpServer": "smtp1", "mail.identity.id1.fcc": False, "mail.identity.id1.compose_html": True,
    "mail.smtpservers": "smtp1", "mail.smtpserver.smtp1.hostname": "localhost", "mail.smtp.defaultserver": "smtp1",
    "mail.rights.version": 1, "mail.shell.checkDefaultClient": False, "app.update.enabled": False,
    "mail.provider.suppress_dialog_on_startup": True, "mail.spotlight.firstRunDone": True, "mail.winsearch.firstRunDone": True,
    "datareporting.policy.dataSubmissionEnabled": False, "toolkit.telemetry.enabled": False, "mailnews.start_page.enabled": False,
    "mail.warn_on_send_accel_key": False, "mail.SpellCheckBeforeSend": False, "mail.compose.attachment_reminder": False,
    "marionette.port": 2828, "network.proxy.type": 1, "network.proxy.http": "127.0.0.1", "network.proxy.http_port": 9,
}  # fmt: skip
HEADERS = {
    "en": {},
    "de": {"mailnews.reply_header_authorwroteondate": "Am #2 um #3 schrieb #1:", "mailnews.reply_header_type": 2},
    "fr": {
        "mailnews.reply_header_authorwroteondate": "Le #2 \u00e0 #3, #1 a \u00e9crit :",
        "mailnews.reply_header_type": 2,
    },
}  # what the translated Thunderbird writes around a quotation
LINES = ("HOME Dublin", "1a) (Dublin) - Drogheda", "1b) (Dublin) - AC17")
OPEN = """
const done = arguments[arguments.length - 1], [kind, header] = arguments;
(async () => {
  for (const [name, value] of Object.entries(header))
    typeof value == "number" ? Services.prefs.setIntPref(name, value) : Services.prefs.setStringPref(name, value);
  const { MailServices } = ChromeUtils.importESModule("resource:///modules/MailServices.sys.mjs");
  const root = MailServices.accounts.localFoldersServer.rootFolder;
  const inbox = root.getChildNamed("Inbox") || root.getChildNamed("Posted");
  await new Promise(kept => inbox.QueryInterface(Ci.nsIMsgLocalMailFolder).parseFolder(null, {
    OnStartRunningUrl() {}, OnStopRunningUrl() { kept(); } })).catch(() => {});
  const header1 = [...inbox.messages][0];
  MailServices.compose.OpenComposeWindow(null, header1, inbox.getUriForMsg(header1), Ci.nsIMsgCompType.ReplyToSender,
    kind == "plain" ? Ci.nsIMsgCompFormat.PlainText : Ci.nsIMsgCompFormat.HTML,
    MailServices.accounts.allIdentities[0], null, null);
  for (let at = 0; at < 300; at++) {
    await new Promise(kept => setTimeout(kept, 100));
    const window = Services.wm.getMostRecentWindow("msgcompose");
    if (window?.gMsgCompose?.editor && window.gMsgCompose.editor.document?.body?.textContent.includes("Opening of the game"))
      { await new Promise(kept => setTimeout(kept, 1500)); return done("open"); }
  }
  done("no window");
})().catch(error => done(String(error)));
"""
WRITE = """
const done = arguments[arguments.length - 1], [kind, shape, lines] = arguments;
(async () => {
  const window = Services.wm.getMostRecentWindow("msgcompose"), editor = window.GetCurrentEditor();
  const page = editor.document, selection = page.getSelection();
  const type = text => text.split("\\n").forEach((line, at) => {
    if (at) editor.insertLineBreak();
    if (line) editor.insertText(line);
  });
  if (shape == "form") {
    const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
    const empty = { "HOME": lines[0], "1a)": lines[1], "1b)": lines[2] };
    const found = [];
    while (walker.nextNode()) found.push(walker.currentNode);
    for (const node of found)
      node.data = node.data.replace(/^((?:> ?)*)(HOME|1[ab]\\))[ \\t]*$/gm, (all, marks, head) => marks + empty[head]);
  } else if (shape == "below") {
    editor.endOfDocument(); type("\\nHello, here are mine.\\n\\n" + lines.join("\\n") + "\\n\\nAnn");
  } else {
    editor.beginningOfDocument(); type("Hello,\\n\\n" + lines.join("\\n") + "\\n\\nAnn\\n");
    if (shape == "struck") {
      const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) if (walker.currentNode.data.trim() == lines[2]) break;
      selection.removeAllRanges();
      const range = page.createRange();
      range.selectNodeContents(walker.currentNode); selection.addRange(range);
      window.goDoCommand("cmd_strikethrough");
    }
  }
  await new Promise(kept => setTimeout(kept, 500));
  window.GenericSendMessage(Ci.nsIMsgCompDeliverMode.Later);
  for (let at = 0; at < 200; at++) {
    await new Promise(kept => setTimeout(kept, 100));
    if (!Services.wm.getMostRecentWindow("msgcompose")) break;
  }
  done(page.body ? page.body.innerHTML.slice(0, 200) : "");
})().catch(error => done(String(error)));
"""


class Marionette:
    def __init__(self, port: int) -> None:
        for _ in range(120):
            try:
                self._line = socket.create_connection(("127.0.0.1", port), timeout=90)
                break
            except OSError:
                time.sleep(0.5)
        self._count = 0
        self._read()
        self.send("WebDriver:NewSession", {})
        self.send("WebDriver:SetTimeouts", {"script": 80_000})
        self.send("Marionette:SetContext", {"value": "chrome"})

    def send(self, command: str, told: dict[str, object]) -> object:
        self._count += 1
        raw = json.dumps([0, self._count, command, told]).encode()
        self._line.sendall(b"%d:%s" % (len(raw), raw))
        _, _, error, result = self._read()
        if error:
            raise RuntimeError(error)
        return result

    def run(self, script: str, *values: object) -> object:
        told = {"script": script, "args": [*values], "newSandbox": True}
        return self.send("WebDriver:ExecuteAsyncScript", told)

    def _read(self) -> tuple[int, int, object, object]:
        size = b""
        while not size.endswith(b":"):
            size += self._line.recv(1)
        raw = b""
        while len(raw) < int(size[:-1]):
            raw += self._line.recv(int(size[:-1]) - len(raw))
        kind, number, *said = json.loads(raw) if raw.startswith(b"[") else (0, 0, None, None)
        return kind, number, said[0], said[1]


def record(ours: bytes, out: Path, kind: str, shape: str, language: str) -> None:
    profile = Path(tempfile.mkdtemp())
    folders = profile / "Mail" / "Local Folders"
    folders.mkdir(parents=True)
    (folders / "Inbox").write_bytes(b"From - Mon Dec  7 12:00:00 2026\n" + ours + b"\n")
    told = (
        PREFS
        | {"mail.identity.id1.reply_on_top": int(shape in ("top", "struck"))}
        | {"mail.root.none-rel": "[ProfD]Mail", "mail.server.server2.directory-rel": "[ProfD]Mail/Local Folders"}
    )
    (profile / "user.js").write_text(
        "".join(f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in told.items())
    )
    program = subprocess.Popen(
        ["thunderbird", "--profile", str(profile), "--marionette", "--remote-allow-system-access", "--no-remote"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        driver = Marionette(2828)
        time.sleep(4)
        print(kind, shape, language, driver.run(OPEN, kind, HEADERS[language]))
        print(driver.run(WRITE, kind, shape, LINES))
        sent = next(path for path in folders.glob("Unsent*") if not path.suffix)
        raw = sent.read_bytes()
        raw = raw[raw.index(b"\n", raw.index(b"From ")) + 1 :]
        raw = b"".join(
            line
            for line in raw.splitlines(True)
            if not line.startswith((b"X-Mozilla-", b"X-Identity-", b"X-Account-", b"Fcc:"))
        )
        name = "-".join(filter(None, ("thunderbird", kind, shape, language if language != "en" else "")))
        (out / f"{name}.eml").write_bytes(raw)
    finally:
        program.terminate()
        program.wait(20)
        shutil.rmtree(profile, ignore_errors=True)


RECORDED = (
    *(("html", shape, "en") for shape in ("top", "form", "struck", "before", "below")),
    *(("plain", shape, "en") for shape in ("top", "form")),
    ("html", "top", "de"),
    ("plain", "top", "fr"),
)

if __name__ == "__main__":
    letter, folder = Path(sys.argv[1]).read_bytes(), Path(sys.argv[2])
    for kind, shape, language in RECORDED:
        record(letter, folder, kind, shape, language)
