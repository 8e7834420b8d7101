"""The interface of document 1, version 1: what goes over the wire, and the server's side of it."""
