"""Makes the picture with which README and handbook begin: ``python -m tests.hero FOLDER``, after ``referee demo --into FOLDER``.

A board of the demo and the letter it comes from, as a browser shows them.
"""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser import CHROMIUM, OPTIONS

TURN = "RR1-turn-10"
PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "hero.jpg"
PAGE = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>The railway referee</title><style>
body { margin: 0; width: 1280px; height: 640px; overflow: hidden; background: #16324a; color: #fffdf6; }
h1 { position: absolute; left: 48px; top: 28px; margin: 0; font: 46px/1.2 Georgia, serif; }
#board { position: absolute; left: 48px; top: 112px; width: 812px; height: 478px; }
#board { overflow: hidden; border-radius: 8px; background: #fffdf6; }
#board img { position: absolute; left: -120px; top: -552px; width: 1000px; }
#head { position: absolute; z-index: 1; left: 0; right: 0; padding: 10px 16px; border-bottom: 3px solid #d8a93a; }
#head { background: #fffdf6; color: #1d1d1b; font: 20px/1.2 Georgia, serif; }
#sleepers { position: absolute; left: 0; right: 0; bottom: 4px; height: 18px; }
#sleepers { background: repeating-linear-gradient(transparent 0 4px, #16324a 4px 7px),
  repeating-linear-gradient(90deg, #d8c48f 0 16px, #16324a 16px 48px); }
#phone { position: absolute; left: 906px; top: 44px; width: 298px; height: 540px; }
#phone { border: 12px solid #0b1620; border-radius: 38px; overflow: hidden; }
iframe { width: 375px; height: 680px; border: 0; transform: scale(.795); transform-origin: 0 0; }
</style><h1>Railway games by post, refereed</h1><div id="board"><div id="head">Ireland after round 10</div>
<img src="BOARD" alt=""></div><div id="sleepers"></div>
<div id="phone"><iframe src="LETTER" title="A newsletter"></iframe></div></html>"""


def main(folder: Path) -> None:
    """Write the picture."""
    page = folder / "hero.html"
    made = PAGE.replace("BOARD", f"newsletters/{TURN}.png").replace("LETTER", f"newsletters/{TURN}.html")
    page.write_text(made, "utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=OPTIONS)
        sheet = browser.new_page(viewport={"width": 1280, "height": 640})
        sheet.goto(page.absolute().as_uri())
        sheet.screenshot(path=str(PICTURE), type="jpeg", quality=82)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
