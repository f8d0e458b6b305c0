import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { makeProject, reflection } from "./test-process.ts";

const source = fileURLToPath(new URL("../..", import.meta.url));

/** Four lines that nothing is left of, and others as far apart: then the second call stands where the first is written. */
const calls = `import { logged, output, Agent } from "./wrap.ts";
type Unused = 0;
interface One {
  readonly one: string;
}
export const first = output<One>();
interface Two {
  readonly two: number; // a comment
}
export const other = output<Two>();
`;

const agents = `import { logged, output, Agent } from "./wrap.ts";
type Unused = 0;
type One = (one: string) => string;
type Four = 0;

export const first = new Agent({ name: "A", tools: [logged((one: string) => one)] });
type Two = 0;
type Three = 0;

export const other = new Agent({ name: "A", tools: [logged((two: number) => two)] });
`;

const wrap = `
export { output } from "${source}tool/output.ts";
export { Agent } from "${source}agent/agent.ts";
export function logged<A extends unknown[], R>(fn: (...args: A) => R): (...args: A) => R {
  return (...args) => fn(...args);
}
`;

/** Runs what \`LINES\` leaves of the files, under their own names, as some runners do. */
const main = `
import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";

const [from, to] = (process.env.LINES ?? "0,0").split(",").map(Number);

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
function encode(number) {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  let text = "";
  do {
    text += digits[(rest & 31) | (rest > 31 ? 32 : 0)];
    rest >>= 5;
  } while (rest > 0);
  return text;
}

/** Every column of every line, of which some are gone. */
function mappingsOf(lines) {
  let last = [0, 0];
  const segment = (step, ...place) => {
    const [line, column] = place.map((each, index) => encode(each - last[index]));
    last = place;
    return encode(step) + "A" + line + column;
  };
  return lines
    .map((text, index) => {
      const line = index < from ? index : index + to - from;
      return [...text].map((_, column) => segment(column === 0 ? 0 : 1, line, column)).join(",");
    })
    .join(";");
}

registerHooks({
  load(url, context, next) {
    if (!/\\/(?:calls|agents)\\.ts$/.test(url)) return next(url, context);
    const written = readFileSync(new URL(url), "utf8");
    const lines = stripTypeScriptTypes(written).split("\\n");
    lines.splice(from, to - from);
    const map = { version: 3, sources: [url], sourcesContent: [written], names: [], mappings: mappingsOf(lines) };
    const inline = "//# sourceMappingURL=data:application/json;base64," + Buffer.from(JSON.stringify(map)).toString("base64");
    return { format: "module", shortCircuit: true, source: lines.join("\\n") + (process.env.MAPS ? inline : "") };
  },
});
const { describeFunctions, describeOutput } = await import("${reflection}");
const { toolEntries } = await import("${source}tool/resolve.ts");
const { toolsOriginOf } = await import("${source}agent/agent.ts");
const calls = await import("./calls.ts");
const agents = await import("./agents.ts");
const found = [];
for (const { calledAt } of [calls.first, calls.other]) found.push(await describeOutput(calledAt));
const tools = [agents.first, agents.other].flatMap((agent) =>
  toolEntries(agent.tools, "", toolsOriginOf(agent)).map(({ source }) => source),
);
found.push(...(await describeFunctions(tools.map(({ fn }) => fn), tools.map(({ origin }) => origin))));
const shown = found.map((each) => (each instanceof Error ? each.message : Object.keys(each.inputSchema.properties)[0]));
console.log(JSON.stringify(shown));
`;

const files = { "main.ts": main, "calls.ts": calls, "agents.ts": agents, "wrap.ts": wrap };

const refusedOutput = expect.stringMatching(/what runs is not the text of .*calls\.ts.*source maps/);
const refusedTool = expect.stringMatching(/its type is known only where/);

test.each([
  { what: "a text whose places are the file's", env: {}, shown: ["one", "two", "one", "two"] },
  {
    what: "a shifted text, of which nothing tells the places",
    env: { LINES: "1,5" },
    shown: [refusedOutput, refusedOutput, refusedTool, refusedTool],
  },
  {
    what: "a shifted text with a source map that the stack does not follow",
    env: { LINES: "1,5", MAPS: "yes" },
    shown: ["one", "two", "one", "two"],
  },
  {
    what: "a shifted text with a source map that the stack follows",
    env: { LINES: "1,5", MAPS: "yes", NODE_OPTIONS: "--enable-source-maps" },
    shown: ["one", "two", "one", "two"],
  },
])("of $what, no call gets what another says", async ({ env, shown }) => {
  const project = makeProject(files);
  try {
    // The second start finds in the cache what the first has found.
    for (const SKEIN_CACHE of ["off", "on", "on"])
      expect(await project.run({ ...env, SKEIN_CACHE })).toEqual(shown);
  } finally {
    project.remove();
  }
});
