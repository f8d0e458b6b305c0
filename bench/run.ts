/**
 * Prints how fast and how big Skein is, each figure beside the same thing written by hand and measured in the same run:
 * `npm run bench`. Ends with 1 if a figure is over its limit.
 *
 * `--json FILE` writes the rows to a file, too; `--only WORD` measures only the parts whose name has the word in it; `--peers` has
 * other packages make the same runs instead.
 */
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { attachRows } from "./attach.ts";
import { codeRows } from "./code.ts";
import { coldRows } from "./cold.ts";
import { compilerRows } from "./compiler.ts";
import { concurrencyRows } from "./concurrency.ts";
import { crowdRows } from "./crowd.ts";
import { durableRows } from "./durable.ts";
import { guardRows } from "./guards.ts";
import { restateRows } from "./restate.ts";
import { historyRows } from "./history.ts";
import { httpRows } from "./http.ts";
import { loopRows } from "./loop.ts";
import { mcpRows } from "./mcp.ts";
import { memoryRows } from "./memory.ts";
import { openapiRows } from "./openapi.ts";
import { peerRows } from "./peers.ts";
import { paceOfMachine } from "./measure.ts";
import { policyRows } from "./policies.ts";
import { partialJsonRows } from "./partial-json.ts";
import { scaleRows } from "./scale.ts";
import { searchRows } from "./search.ts";
import { servingRows } from "./serving.ts";
import { startUpRows } from "./start-up.ts";
import { streamRows } from "./streams.ts";
import { studioRows } from "./studio.ts";
import { holds, judged, table, type Row } from "./table.ts";
import { tracingRows } from "./tracing.ts";
import { validationRows } from "./validation.ts";

const parts: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  loop: loopRows,
  http: httpRows,
  crowd: crowdRows,
  history: historyRows,
  scale: scaleRows,
  durable: durableRows,
  restate: restateRows,
  serving: servingRows,
  streams: streamRows,
  "partial-json": partialJsonRows,
  mcp: mcpRows,
  memory: memoryRows,
  concurrency: concurrencyRows,
  policies: policyRows,
  guards: guardRows,
  tracing: tracingRows,
  studio: studioRows,
  openapi: openapiRows,
  code: codeRows,
  search: searchRows,
  "start-up": startUpRows,
  cold: coldRows,
  compiler: compilerRows,
  attach: attachRows,
  validation: validationRows,
};

const { values } = parseArgs({
  options: {
    json: { type: "string" },
    only: { type: "string", default: "" },
    peers: { type: "boolean", default: false },
  },
});
if (!globalThis.gc) throw new Error("Heap sizes are measured, too: run `node --expose-gc run.ts`.");

const paceBefore = await paceOfMachine();
const rows: Row[] = [];
if (values.peers) rows.push(...(await peerRows()));
for (const [name, measure] of Object.entries(values.peers ? {} : parts)) {
  if (name.includes(values.only)) rows.push(...(await measure()));
}
console.log(table(rows));
console.log(
  `\nNode ${process.version}; the machine's pace: ${paceBefore.toFixed(1)} ms before, ${(await paceOfMachine()).toFixed(1)} ms after`,
);

if (values.json !== undefined) {
  // npm runs scripts in the package's folder; the file is where the user stands.
  const file = resolve(process.env["INIT_CWD"] ?? ".", values.json);
  const report = rows.map((row) => ({ ...row, judged: judged(row), holds: holds(row) }));
  await writeFile(file, `${JSON.stringify({ node: process.version, rows: report }, undefined, 2)}\n`);
}
const over = rows.filter((row) => !holds(row));
if (over.length > 0) {
  console.error(`\nOver the limit: ${over.map(({ what }) => what).join("; ")}`);
  process.exitCode = 1;
}
