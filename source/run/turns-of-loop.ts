/**
 * Lets `most` callers through in one turn of the event loop; the others wait for a later one. What is let through goes
 * on at once: a slot that came free while a batch of answers is read is not empty until all of them are.
 */
export function limitPerTurn(most: number): () => Promise<void> {
  let through = 0;
  let turn: Promise<void> | undefined;

  function endOfTurn(): Promise<void> {
    turn ??= new Promise((resolve) =>
      setImmediate(() => {
        through = 0;
        turn = undefined;
        resolve();
      }),
    );
    return turn;
  }

  return async () => {
    for (let over = endOfTurn(); through >= most; over = endOfTurn()) await over;
    through++;
  };
}
