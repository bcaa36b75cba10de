/** A reporter of node:test for `npm run test:faults`: one line of JSON for each test and each figure. */
import type { TestEvent } from "node:test/reporters";

export type Told = { file: string; name: string; kind: "passed" | "failed" | "skipped" | "figure" };

export default async function* figures(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    const told = readEvent(event);
    if (told) yield `${JSON.stringify(told)}\n`;
  }
}

function readEvent({ type, data }: TestEvent): Told | null {
  if (type === "test:diagnostic") return data.file ? { file: data.file, name: data.message, kind: "figure" } : null;
  if (type !== "test:pass" && type !== "test:fail") return null;
  const kind = type === "test:fail" ? "failed" : data.skip ? "skipped" : "passed";
  return { file: data.file ?? "", name: data.name, kind };
}
