"""The post office: letters come in from a source into the store; letters of ours are written, queued, sent, and may come back."""
