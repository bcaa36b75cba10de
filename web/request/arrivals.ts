// How many connections came in: each turn of the event loop lets in one, so that work which fills turns keeps others at the
// door, however fair it is to those inside.

let arrivals = 0;

/** So many turns of the loop at most are left to those who come in, before work goes on. */
const MOST_TURNS = 32;

/** To be told of each connection. */
export const noteArrival = (): void => {
  arrivals += 1;
};

/** Calls back in the next turn of the event loop in which nobody came in. */
export function whenNobodyArrives(callback: () => void): void {
  let seen = arrivals;
  let turns = 0;
  const look = () => {
    turns += 1;
    if (arrivals === seen || turns > MOST_TURNS) return callback();
    seen = arrivals;
    setImmediate(look);
  };
  setImmediate(look);
}
