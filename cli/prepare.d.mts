/** Shapes of prepare.mjs, which is plain JavaScript because Node 20 runs it. */
export const NODE: string;
export const isRelease: boolean;
export { PrepareError } from "./prepare-trouble.mjs";
export function installIfNeeded(folder?: string): void;
export function checkNode(node?: string): void;
export function buildIfNeeded(): void;
