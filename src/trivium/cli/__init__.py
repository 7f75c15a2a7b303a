"""The command line. Thin: it parses, calls and prints."""
