"""The command line: parses options, calls the API and prints; no logic."""
