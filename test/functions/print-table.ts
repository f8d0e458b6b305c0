/** Runs the table and prints what came of it as JSON. With the argument `--built`, what only a build can refuse is left out. */
import { runTable } from "./run-table.ts";

// oxlint-disable-next-line no-console -- what this is for
console.log(JSON.stringify(await runTable({ isBuilt: process.argv.includes("--built") })));
