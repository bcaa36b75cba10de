/** How the live connection stands, in the terms of realtime channels. */
export type ConnectionState = "joining" | "joined" | "errored" | "leaving" | "closed";
