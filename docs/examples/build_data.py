"""Build the data of a benchmark, check it, write it to files, and build it again from a source of your own.

Nothing here trains a model. Run it with ``python build_data.py``; it writes the folder ``data``.
"""

import itertools

import trivium as tv

PEOPLE = {"cook": "person", "girl": "child", "boy": "child", "nurse": "woman", "guitarist": "musician"}
ACTIONS = {
    "is peeling a potato": "is peeling a vegetable",
    "is washing a spoon": "is washing a tool",
    "is baking a cake": "is baking a dessert",
    "is carrying a hammer": "is carrying a tool",
    "is holding a puppy": "is holding a dog",
    "is eating an apple": "is eating a fruit",
    "is painting a chair": "is painting a piece of furniture",
    "is buying a rose": "is buying a flower",
    "is drawing a sparrow": "is drawing a bird",
    "is riding a pony": "is riding a horse",
}


@tv.source("workshop")
class Workshop:
    """Pairs about people at work, generated from two lists of words."""

    about = "people at work"

    def is_available(self) -> bool:
        """Return whether the data is on this machine; it is generated."""
        return True

    def load(self) -> tv.Split:
        """Return six pairs for each person and action."""
        examples = []
        for (person, kind), (action, more_general) in itertools.product(PEOPLE.items(), ACTIONS.items()):
            premise = f"A {person} {action}"
            pairs = [
                (f"A {kind} {action}", "entailment"),
                (f"A {person} {more_general}", "entailment"),
                (f"A tall {person} {action}", "neutral"),
                (f"A {person} {action.replace('is ', 'is quickly ')}", "neutral"),
                (f"A {person} {action.replace('is ', 'is not ')}", "contradiction"),
                (f"There is no {person} {action.removeprefix('is ')}", "contradiction"),
            ]
            for hypothesis, label in pairs:
                examples.append(tv.Example.make(str(len(examples)), premise, hypothesis, label, task="natural"))
        return tv.Split("workshop", tuple(examples))


def main() -> None:
    """Build, check and write."""
    build = tv.build("c2gen", preset="smoke")
    print("Splits of C²Gen, with the number of examples of each label:")
    for name, split in build.splits.items():
        print(f"  {name}: {dict(split.counts())}, identity {split.identity[:8]}")
    print("Checked on every build:")
    for invariant in build.invariants:
        print(f"  {invariant}")
    files = build.write("data/builtin")
    print(f"Wrote {len(files)} files, such as {files[0]}: {len(tv.Split.read(files[0]))} examples")

    mine = tv.build("c2gen", preset="smoke", source="workshop")
    example = mine.splits["fold-1/ver"].examples[0]
    print(f"From a source of our own: {example.premise} → {example.hypothesis} [{example.label}]")
    mine.write("data/workshop", format="parquet")
    print(mine.tables["table-4"])


if __name__ == "__main__":
    main()
