"""
What a viewer's evidence proves, how likely the rest is, and what asking is worth, in numbers.

How a percentage comes about:

1. *The record.* `knowledge.sight.seen_part` keeps, of each entry, only what the viewer saw.
2. *The evidence.* `encode` turns each entry into statements about one holder and a set of
   cards: clauses (the holder has at least one of the cards, or lacks at least one) and factors (how
   likely the entry was, by how many of the cards the holder has). Behaviour, what people usually
   do, adds factors that have a table for each own-card level, that is, for each assumption about
   how readily these players ask for cards of their own.
3. *The open part.* `propagation` excludes what simple rules exclude. `openings` subtracts the
   certain cards and turns the rest into rules about single hands: each has a set of open cards, and
   the logarithm of a weight for each number of them that the hand may have.
4. *A hand.* `automaton` reads a hand's cards one by one, "not mine" or "mine": the smallest
   automaton that weighs each hand by the product of its rules.
5. *The deals.* `diagram` is the product of these automata (`product`), with a layer for each open
   card. Its paths are the deals that fit; the weights on a path, multiplied, are the weight of its
   deal.
6. *The sums.* A backward pass adds up the weights of all ways from each state to the end, a forward
   pass those of all ways from the start to it. For each arrow that gives a card to a holder, the
   weights before it, on it and after it are multiplied. The sum of these products, divided by the
   weight of all deals, is the chance that the holder has the card: `Diagram.marginals`. Each
   own-card level has its own sums; they are mixed by how likely the level is after the whole log.
   Split by the envelope's cards, the backward sums are the posterior over solutions: `solutions`.
7. *Certain facts* are those that all deals have in common (`deduction`). `propagation` finds most
   of them. What it leaves open is decided by the diagram, or by `sat` if there is no diagram yet,
   or if much is open. The diagram decides by which arrows exist, whatever their weights are:
   `Diagram.possible`.
8. *What is printed.* Builds of numpy differ in the last digits of sums. So chances are sorted by
   `rounding.sort_key`, and answers have fewer digits (`answers.display`); what is open is never
   printed as 0 or 100%.

The modules, by what they are for:

- what is certain: `propagation`; `sat`, which builds a diagram of its own if a search takes too
  long; and `deduction`, which decides when to use these two and when the diagram;
- how likely the rest is: `openings`, `automaton`, `product`, `diagram`; then `solutions`, `worlds`;
- why: `explain` finds a smallest set of entries, by `sat`; `argument` the steps, by the groups of
  `propagation`;
- what questions tell: `outcomes` lists the possible answers, `gains` weighs them, and `estimator`
  does both for all questions of a position;
- many positions at once: `batch` evaluates `positions`, by `machine_code` or else by `deduction`;
- how games may go on: `rollouts`, with the notes of all seats in `notebooks`;
- for all of these: `arrays`, `rounding`, and `spending`, which counts the work done; `cnf` writes
  the clauses for other programs.
"""
