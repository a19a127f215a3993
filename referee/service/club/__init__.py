"""One open club: settings, store, boards, order languages and transports in one value that each act of the service takes."""
