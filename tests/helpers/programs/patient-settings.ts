/** Settings of a site whose pages are whole on the slowest machine. */
export const PATIENT = { SPAWNPOINT_OPTIONAL_PART_MS: "600000" };
