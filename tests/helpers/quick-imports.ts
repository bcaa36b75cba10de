/**
 * Loaded into every test process ahead of its file. It works as a site does that people use: React's development version takes
 * five times as long over a page. And a good part of a short test is loading Drizzle.
 */
import { registerQuickImports } from "../../cli/process/quick-imports.ts";

process.env.NODE_ENV ??= "production";
registerQuickImports();
