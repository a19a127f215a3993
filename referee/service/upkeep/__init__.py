"""What the club itself needs now and then: copies of it, and giving up what nobody needs or wants to be kept; one page each."""
