/** Shapes of prepare.mjs, which is plain JavaScript because Node 20 runs it. */
export const NODE: string;
export class PrepareError extends Error {}
export function installIfNeeded(folder?: string): void;
export function checkNode(): void;
export function buildIfNeeded(): void;
