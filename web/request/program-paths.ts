// Where programs ask: what is below these paths answers with data.

/** Everything for programs, with the slash that ends it. */
export const PROGRAMS = "/api/";

/** The public API. */
const API = `${PROGRAMS}v1`;

/** Whether a path is of the public API, or of nothing there. */
export const isOfApi = (path: string): boolean => path === API || path.startsWith(`${API}/`);
