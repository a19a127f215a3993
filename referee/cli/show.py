"""The demo."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from referee.service.demo.show import play_demo


@click.command()
@click.option(
    "--into",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("demo"),
    show_default=True,
    help="The folder to play in; one that an earlier demo made is cleared.",
)
@click.option(
    "--game", "kind", type=click.Choice(["dampfross"]), default="dampfross", show_default=True, help="What is played."
)
@click.option("--seed", default="", help="Words to draw the dice from: the same words give the same game.")
def demo(folder: Path, kind: str, seed: str) -> None:
    """Play a whole game by mail on this machine: built-in players read their newsletters and write letters."""
    click.echo(f"Five companies play {kind} by mail in {folder}:", err=True)
    with click.progressbar(length=1, label="rounds", file=sys.stderr) as bar:

        def told(rounds: int, of: int) -> None:
            bar.length = of
            bar.update(rounds - bar.pos)

        played = play_demo(folder, kind, told, seed)
    click.echo(played.final)
    click.echo(f"{played.turns} rounds were played with {played.letters} letters of orders.")
    click.echo(f"newsletters:    {played.newsletters}")
    click.echo(f"the last board: {played.board}")
    click.echo(f"all letters:    {played.folder / 'mail'}")
