/** Defines the states of the live connection, in the terms of realtime channels. */
export type ConnectionState = "joining" | "joined" | "errored" | "leaving" | "closed";
