/** The walks over everything take turns in continuous integration: each commit walks a part of them, and all of it in a few. */

/** Set by `.ci/run` to the number of the commit. Without it every walk is whole. */
const TURN = process.env.SPAWNPOINT_TURN;

/** Whether it is the turn of this one, in a walk whose items take turns by `of`. */
export const isItsTurn = (index: number, of: number): boolean =>
  TURN === undefined || (index + Number(TURN)) % of === 0;

/** What a walk says of itself beside its figures. */
export const TURN_TEXT = TURN === undefined ? "" : ` (turn ${TURN}: a part of them; npm run test:slow walks them all)`;
