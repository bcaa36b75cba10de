/** Shapes of prepare-trouble.mjs, which is plain JavaScript because Node 20 runs it. */
type Run = {
  status: number | null;
  signal?: NodeJS.Signals | null;
  stdout?: string | null;
  stderr?: string | null;
  error?: Error & { code?: string };
};
export class PrepareError extends Error {}
export function explainNode(run: Run | null, node: string): string;
export function explainInstall(run: Run, folder: string): string | null;
export function explainBuild(run: Run, folder: string): string | null;
