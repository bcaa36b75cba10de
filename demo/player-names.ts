// Made-up names of mock players.
const FIRST = [
  "Amber",
  "Birch",
  "Cobble",
  "Dusk",
  "Ember",
  "Fern",
  "Gravel",
  "Hazel",
  "Iron",
  "Juniper",
  "Kelp",
  "Lichen",
];
const LAST = ["Fox", "Smith", "Owl", "Miner", "Brook", "Wren", "Stone", "Lynx"];

/** Returns the names of a number of players: the first ones stay while others come and go. */
export const namesOf = (players: number): string[] =>
  Array.from({ length: players }, (_, place) => {
    const first = FIRST[place % FIRST.length] ?? "";
    const last = LAST[(place * 5 + Math.floor(place / FIRST.length)) % LAST.length] ?? "";
    return `${first}${last}${place < FIRST.length * LAST.length ? "" : place}`;
  });
