// The paths for programs, which return data.

/** The prefix of all paths for programs, with its slash. */
export const PROGRAMS = "/api/";

/** The public API. */
const API = `${PROGRAMS}v1`;

/** Checks whether a path belongs to the public API, known or not. */
export const isOfApi = (path: string): boolean => path === API || path.startsWith(`${API}/`);
