// Counts new connections. Each turn of the event loop accepts one, so work that fills turns delays new clients, however
// fair the queue is to those already connected.

let arrivals = 0;

/** Turns of the loop that are left to new connections before work continues. */
const MOST_TURNS = 32;

/** Counts one new connection. */
export const noteArrival = (): void => {
  arrivals += 1;
};

/** Calls back in the next turn of the event loop without a new connection. */
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
