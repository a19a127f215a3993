"""Lines to IMAP and SMTP servers: certificates, logins, patience, and their ways to fail sorted by who must act."""
