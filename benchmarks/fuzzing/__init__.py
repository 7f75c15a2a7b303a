"""Feed generated inputs to every reader and to the command line: none may crash, hang or leave a half-written file.

Each input is a mutated valid file, or a random structure. It must be accepted, or refused with a UserError of one line,
within two seconds of processor time. The inputs depend on the seed alone. Each reader runs in a process of its own.

Usage::

    python -m benchmarks.fuzzing                            # the whole table, as Markdown
    python -m benchmarks.fuzzing --reader CSV --inputs 500  # one reader
    python -m benchmarks.fuzzing --reader CSV --only 417    # one input, with the traceback of a fault
"""
