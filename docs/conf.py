"""How the handbook is made of docs/ and the pages beside the code: `make docs`."""

import click
from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from referee import __version__
from referee.cli import main
from referee.config.settings import SETTINGS

project = "The railway referee"
author = "the railway referee's makers"
copyright = "the makers, under the MIT licence"  # noqa: A001
release = __version__

extensions = ["myst_parser"]
# The pages lie where they are edited, so that links between them hold in a checkout, too.
root_doc = "docs/index"
include_patterns = [
    "docs/*.md",
    "orders/README.md",
    "orders/*/README.md",
    "referee/games/*/rules/*.md",
    "referee/games/*/RULINGS.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
]
myst_heading_anchors = 4
suppress_warnings = ["myst.strikethrough"]
nitpicky = True

html_theme = "furo"
html_title = f"The railway referee {release}"
html_theme_options = {"source_edit_link": "", "source_view_link": ""}
html_copy_source = False
html_show_sphinx = False

man_pages = [("docs/referee", "referee", "a referee for railway games played by post", "", 1)]
man_show_urls = False
linkcheck_anchors = False


class Settings(SphinxDirective):
    """``{settings}``: every setting of ``referee.toml`` by section, with its default and the sentence that explains it."""

    def run(self) -> list[nodes.Node]:
        """Return a section with a list for each section of the file."""
        made: list[nodes.Node] = []
        for name in dict.fromkeys(setting.section for setting in SETTINGS):
            section = nodes.section(ids=[f"settings-{name}"])
            section += nodes.title(text=f"[{name}]")
            section += nodes.definition_list(
                "",
                *(
                    item
                    for each in SETTINGS
                    if each.section == name
                    for item in self._item(each.name, each.default, each.comment)
                ),
            )
            made.append(section)
        return made

    def _item(self, name: str, default: object, comment: str) -> list[nodes.Node]:
        value = str(default).lower() if isinstance(default, bool) else repr(default).replace("'", '"')
        return [
            nodes.definition_list_item(
                "",
                nodes.term("", "", nodes.literal(text=f"{name} = {value}")),
                nodes.definition("", nodes.paragraph("", *self.parse_inline(comment)[0])),
            )
        ]


class Commands(SphinxDirective):
    """``{commands}``: every command as ``--help`` tells it."""

    def run(self) -> list[nodes.Node]:
        """Return a section for each command."""
        return list(self._told(main, "referee"))

    def _told(self, group: click.Group, words: str) -> list[nodes.Node]:
        made: list[nodes.Node] = []
        for name in group.list_commands(click.Context(group)):
            command = group.get_command(click.Context(group), name)
            assert command is not None
            if isinstance(command, click.Group):
                made += self._told(command, f"{words} {name}")
                continue
            context = click.Context(command, info_name=f"{words} {name}", terminal_width=78, max_content_width=78)
            section = nodes.section(ids=[nodes.make_id(f"{words} {name}")])
            section += nodes.title(text=f"{words} {name}")
            section += nodes.literal_block(text=command.get_help(context), language="text")
            made.append(section)
        return made


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of the directives."""
    app.add_lexer("orders", TextLexer)  # letters of players, in the guides
    app.add_directive("settings", Settings)
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True}
