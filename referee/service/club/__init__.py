"""One open club: a folder comes in; settings, store, boards, order languages and transports go out as one value that each act of
the service takes.
"""
