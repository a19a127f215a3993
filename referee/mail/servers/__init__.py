"""Lines to IMAP and SMTP servers: logins and bytes come in, letters come and go; ways to fail go out, sorted by who must act."""
