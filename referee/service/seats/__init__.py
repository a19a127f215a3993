"""Who plays: a person comes in and takes a seat, from the list of stand-bys or by the umpire's word; letters to all go out."""
