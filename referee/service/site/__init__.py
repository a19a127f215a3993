"""The club's pages: what everybody may know goes in, a folder for any web space comes out. Nobody's address, code, orders or
hand is ever in it; press and persons' names only where the umpire, or the player, has said so."""
