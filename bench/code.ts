import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { run as runByHand } from "run";
import { Agent, run, type Model, type Tool, tool } from "skein";
import { codeMode } from "skein/code";
import { FunctionModel } from "skein/testing";
import { plainTurns, program, search, shopTools } from "./code-shop.ts";
import { medians, wallTime } from "./measure.ts";
import type { Row } from "./table.ts";

/** What code mode takes: the check, a program, calls in it; and what it spares, beside the same tools called one by one. */
export async function codeRows(): Promise<readonly Row[]> {
  return [...(await firstRows()), ...(await programRows()), ...(await valueRows())];
}

const app = fileURLToPath(new URL("code-app.ts", import.meta.url));

/** Each in a process of its own. */
async function firstRows(): Promise<readonly Row[]> {
  const start = (what: string) => async (): Promise<number> => {
    const { stdout } = await promisify(execFile)(process.execPath, ["--no-warnings", app, what]);
    return Number(stdout);
  };
  const medianOf = await medians({ check: start("check"), first: start("0"), later: start("500") });
  return [
    { what: "code, the first check", unit: "ms", skein: medianOf("check"), limit: atMost(100) },
    { what: "code, the first program", unit: "ms", skein: medianOf("first"), limit: atMost(300) },
    { what: "  of a model that takes 0.5 s", unit: "ms", skein: medianOf("later"), limit: atMost(300) },
  ];
}

const get: Tool = tool({
  name: "get",
  input: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  output: { type: "number" },
  execute: ({ n }: { n: number }) => n,
});

const nested = 200;
const loop = `let sum = 0; for (let n = 0; n < ${nested}; n++) sum += await tools.get({ n }); return sum;`;

async function programRows(): Promise<readonly Row[]> {
  const tools = codeMode([get, ...shopTools(30)], { search: false });
  const [programs] = await tools.tools({ context: {}, agent: undefined, messages: [] });
  const alone = codeMode([get]);
  let count = 0;
  // No program is checked twice.
  const fresh = (code: string): string => `${code} // ${(count += 1)}`;
  const hostFunctions = { host: { call: (n: unknown) => Promise.resolve(n) } };
  const source = `for (let n = 0; n < ${nested}; n++) await host.call(n); return 1`;
  const medianOf = await medians({
    check: () => wallTime(async () => programs?.inputSchema.validateAsync?.({ code: fresh(program) }), 20),
    nextByHand: () => wallTime(() => runByHand({ source: "return 1", hostFunctions }), 5),
    next: () => wallTime(() => runPrograms([fresh("return await tools.get({ n: 1 });")], alone), 5),
    callsByHand: () =>
      wallTime(() => runByHand({ source, hostFunctions, limits: { maxBridgeRequests: nested } }), 2),
    calls: () => wallTime(() => runPrograms([fresh(loop)], alone), 2),
  });
  return [
    { what: "code, a check, 31 tools", unit: "ms", skein: medianOf("check"), limit: atMost(5) },
    {
      what: "code, a program with one call",
      unit: "ms",
      floor: medianOf("nextByHand"),
      skein: medianOf("next"),
      limit: atMost(35),
    },
    {
      what: `code, ${nested} calls in a loop`,
      unit: "ms",
      floor: medianOf("callsByHand"),
      skein: medianOf("calls"),
      limit: atMost(150),
    },
  ];
}

function atMost(most: number): NonNullable<Row["limit"]> {
  return { of: "skein", most };
}

/** A turn of a model: what it calls at once. */
type Turn = readonly (readonly [name: string, input: object])[];

/** A model that makes these calls, and counts its requests and what is in them. */
function counting(turns: readonly Turn[]): { readonly model: Model; readonly seen: () => Seen } {
  let requests = 0;
  let characters = 0;
  const model = new FunctionModel(({ instructions, messages, tools = [] }) => {
    const definitions = tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      parameters: inputSchema.jsonSchema,
    }));
    characters += JSON.stringify({ instructions, messages, definitions }).length;
    const calls = turns[requests++];
    if (!calls) return "Done.";
    return { toolCalls: calls.map(([toolName, input]) => ({ toolName, arguments: { ...input } })) };
  });
  // Four characters are about a token.
  return { model, seen: () => ({ requests, tokens: Math.round(characters / 4) }) };
}

interface Seen {
  readonly requests: number;
  readonly tokens: number;
}

async function runPrograms(codes: readonly string[], tools: ReturnType<typeof codeMode>): Promise<Seen> {
  const { model, seen } = counting(codes.map((code) => [["execute_typescript", { code }]]));
  const { messages } = await run(new Agent({ name: "Bench", model, tools: [tools] }), "Go.");
  for (const message of messages)
    if (message.role === "tool" && message.result.isError)
      throw new Error(JSON.stringify(message.result.content));
  return seen();
}

/** One task over ever more tools: what a model reads in all of its requests. */
async function valueRows(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const count of [10, 50, 200]) {
    const tools = shopTools(count);
    const plain = counting(plainTurns);
    await run(new Agent({ name: "Bench", model: plain.model, tools: [...tools] }), "Go.");
    const byHand = plain.seen();
    const codes = count > 30 ? [search, program] : [program];
    const byCode = await runPrograms(codes, codeMode(tools));
    rows.push(
      {
        what: `code, a task over ${count} tools: requests, beside plain calls`,
        unit: "",
        floor: byHand.requests,
        skein: byCode.requests,
        limit: { of: "ratio", most: 1 },
      },
      {
        what: "  input tokens",
        unit: "",
        floor: byHand.tokens,
        skein: byCode.tokens,
        limit: { of: "ratio", most: 1 },
      },
    );
  }
  return rows;
}
