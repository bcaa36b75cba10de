/** Loaded into every test process ahead of its file: a good part of a short test is loading Drizzle. */
import { registerQuickImports } from "../../cli/process/quick-imports.ts";

registerQuickImports();
