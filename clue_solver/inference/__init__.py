"""
What a viewer's evidence proves, how likely the rest is, and what asking is worth, in numbers.

How a percentage comes about:

1. *The record.* `knowledge.evidence.share` leaves of each entry what the viewer saw.
2. *The evidence.* `statements` says it of one holder and a set of cards at a time: a clause (the
   holder has one of them, or lacks one), or a factor (how likely the entry was, by how many of them
   it has). Behaviour, what people usually do, is more factors, with a table for each own-card
   level: for each idea of how readily these players ask for cards of their own.
3. *The open part.* `propagation` excludes what it can at a glance; `openings` counts certain cards
   off and turns what is left into rules of one hand: a set of its open cards, and the logarithm of
   a weight by how many of them it has.
4. *A hand.* `automaton` reads a hand's cards one by one, "not mine" or "mine": the smallest
   automaton that weighs each hand by the product of its rules.
5. *The deals.* `diagram` takes the product of these automata, a layer for each open card. Its paths
   are the deals that fit, and the product of a path's arrows is the weight of its deal.
6. *The sums.* Backward, the weight of all ways on from each state; forward, that of all ways to it.
   Forward times arrow times backward, over the arrows that give a card to a holder, divided by the
   weight of all deals, is the chance that this holder has it: `Diagram.marginals`. Each own-card
   level has sums of its own, mixed by how likely the whole log makes the level. The backward sums
   split by the envelope's cards are the posterior over solutions: `solutions`.
7. *Certain* is what all deals have in common (`deduction`): what `propagation` sees, and where it
   leaves something open the diagram, or `sat` where none is built or much is open. The diagram
   tells by its arrows alone, whatever they weigh: `Diagram.possible`.
8. *What is shown.* Builds of numpy differ in the last digits of sums. So chances are sorted by
`rounding.sort_key`, and answers have fewer digits (`answers.display`); what is open is never shown
as 0 or 100%.

Which module uses which: `deduction` asks `propagation`, `diagram` and `sat`, and `sat` a diagram of
its own where a search takes too long; `explain` and `argument`, which say why, ask `sat`; `ranking`
asks `gains` and `solutions` what questions tell; `batch` asks `machine_code`, else `deduction`,
about many `positions` in one call. `rollouts` plays games on, with the notes of all seats in
`notebooks`; `cnf` writes the clauses for other programs; `spending` counts what all this costs, and
`workers` distributes it.
"""
