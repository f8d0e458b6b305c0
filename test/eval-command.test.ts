import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addTypes, type Finished, newProject, skein, startSkein } from "./skein-command.ts";

const source = `import { Agent } from "skein";
import { defineEval } from "skein/evals";

/**
 * Give money back.
 * @param order - Number of the order @integer
 */
function refund(order: number) {
  return "Order " + order + " is refunded. <img src=x onerror=alert(1)>";
}

const refunds = new Agent({ name: "Refunds", description: "Gives money back.", tools: [refund] });
export const agent = new Agent({ name: "Triage", handoffs: [refunds] });

export const refundsEval = defineEval({
  name: "refunds",
  agent,
  runs: 2,
  cases: [
    { input: "Refund order 7", calls: [{ tool: "refund", arguments: { order: 7 } }], agent: "Refunds" },
    { input: "<b>Hello</b>", calls: [], agent: "Triage" },
  ],
});

export const small = [defineEval({ name: "greetings", agent, cases: [{ input: "Hi", text: "hi" }] })];
`;

/** A model that is right about refunds, and greets nobody. */
const model = `import { ScriptedModel } from "skein/testing";

export default ({ calls }) =>
  new ScriptedModel(
    calls?.length
      ? [
          { toolCalls: [{ toolName: "transfer_to_refunds" }] },
          { toolCalls: [{ toolName: "refund", arguments: { order: 7 } }] },
          "Done.",
        ]
      : ["Done."],
  );
`;

/** A model that throws in some cases, and is right about greetings. */
const down = (condition: string): string => `import { FunctionModel } from "skein/testing";

export default ({ input }) =>
  new FunctionModel(() => {
    if (${condition}) throw new Error("down");
    return "Hello.";
  });
`;

let folder: string;
beforeAll(async () => {
  folder = await newProject();
  await addTypes(folder);
  await writeFile(join(folder, "evals.ts"), source);
  await writeFile(join(folder, "model.js"), model);
  await writeFile(join(folder, "none.ts"), "export const limit = 3;\n");
  await writeFile(join(folder, "again.ts"), 'export { refundsEval } from "./evals.ts";\n');
  await writeFile(join(folder, "copy.ts"), source);
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the command on the project's evaluations. */
function evaluate(...flags: readonly string[]): Promise<Finished> {
  return skein(["eval", "evals.ts", ...flags], folder);
}

/** The table's rows without what differs each time. */
function rows(stdout: string): readonly string[] {
  return stdout
    .split("\n")
    .filter((line) => /^(?:refunds|greetings) .*%/.test(line))
    .map((line) => line.replaceAll(/\s+\d+ ms|\s+[\d.]+ s$/g, "").replaceAll(/\s+/g, " "));
}

test("a perfect model reaches 100%, a wrong one 0%, and the threshold decides the exit code", async () => {
  const perfect = await evaluate("--model", "perfect", "--threshold", "100%");
  expect(rows(perfect.stdout)).toEqual([
    "refunds perfect 4/4 100% 34.2%–100% 100% (k=2) 2.0",
    "greetings perfect 1/1 100% 20.7%–100% 1.0",
  ]);
  expect(perfect).toMatchObject({ code: 0, stderr: "" });

  const wrong = await evaluate("--model", "wrong", "--threshold", "0.01");
  expect(rows(wrong.stdout)).toEqual([
    "refunds wrong 0/4 0% 0%–65.8% 0% (k=2) 1.5",
    "greetings wrong 0/1 0% 0%–79.3% 1.0",
  ]);
  expect(wrong.stdout).toContain("refunds, wrong: 2 of 2 cases failed");
  expect(wrong.stdout).toContain(
    "✗ Refund order 7 (0/2) - calls: expected refund({ order: 7 }), got no call;",
  );
  expect(wrong.code).toBe(1);
});

test("where every run throws, it fails without a threshold, too; one that throws is a failed run", async () => {
  await writeFile(join(folder, "down.js"), down("true"));
  const all = await skein(["eval", "evals.ts", "--model", "down.js"], folder);
  expect(all.code).toBe(1);
  expect(all.stdout).toContain(
    "! refunds, down.js: every run failed with an error, so nothing was evaluated",
  );
  await writeFile(join(folder, "half.js"), down('input === "Refund order 7"'));
  const half = await skein(["eval", "again.ts", "--model", "half.js"], folder);
  expect(half).toMatchObject({ code: 0 });
  expect(half.stdout).toContain("! refunds, half.js: 2 of 4 runs failed with an error");
  expect((await skein(["eval", "again.ts", "--model", "half.js", "-t", "1"], folder)).code).toBe(1);
});

test("a file that cannot be written is an error before anything is run", async () => {
  for (const option of ["--json", "--html"]) {
    const { code, stdout, stderr } = await evaluate("--model", "model.js", option, "missing/results");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`${option} missing/results cannot be written`);
  }
});

test("results are written, and later ones compared with them", async () => {
  const before = await evaluate("--model", "model.js", "--runs", "1", "--json", "before.json");
  expect(rows(before.stdout)).toEqual([
    "refunds model.js 2/2 100% 34.2%–100% 2.0",
    "greetings model.js 0/1 0% 0%–79.3% 1.0",
  ]);
  expect(before.code).toBe(0);
  const written: unknown = JSON.parse(await readFile(join(folder, "before.json"), "utf8"));
  expect(written).toMatchObject({
    version: 1,
    results: [
      { name: "refunds", model: "model.js", summary: { passRate: 1 } },
      { name: "greetings", model: "model.js", summary: { passRate: 0 } },
    ],
  });

  const after = await evaluate("--model", "wrong", "--baseline", "before.json", "--html", "report.html");
  expect(after.stdout).toContain("refunds, wrong: 100% → 0% since the baseline of model.js");
  expect(after.stdout).toContain("▼ 100% → 0%  Refund order 7");
  expect(after.code).toBe(1);

  const same = await evaluate("--model", "model.js", "--runs", "1", "--baseline", "before.json");
  expect(same.code).toBe(0);

  await writeFile(
    join(folder, "renamed.json"),
    (await readFile(join(folder, "before.json"), "utf8")).replaceAll('"refunds"', '"money"'),
  );
  const renamed = await evaluate("--model", "wrong", "--baseline", "renamed.json");
  expect(renamed.stdout).toContain("! refunds, wrong: not compared, the baseline has no such evaluation\n");
  expect(renamed.stdout).toContain("! only the baseline has money\n");

  const page = await readFile(join(folder, "report.html"), "utf8");
  expect(page).toContain("Content-Security-Policy");
  expect(page).toContain("&lt;b&gt;Hello&lt;/b&gt;");
  expect(page).not.toMatch(/<b>Hello|<script|<img|https?:/);
  expect(page).toMatch(/was\s+100%/);
});

test("the page has transcripts, with calls and results, escaped", async () => {
  await evaluate("--model", "perfect", "--html", "perfect.html");
  const page = await readFile(join(folder, "perfect.html"), "utf8");
  expect(page).toContain("refund({&quot;order&quot;:7})");
  expect(page).toContain("Order 7 is refunded. &lt;img src=x onerror=alert(1)&gt;");
  expect(page).not.toContain("<img");
});

test("an interruption ends it, with what was done by then", async () => {
  await writeFile(
    join(folder, "slow.js"),
    `import { FunctionModel } from "skein/testing";
const hangs = () => {
  process.stderr.write("asked");
  // A request under way keeps a process alive, too.
  setInterval(() => {}, 1_000);
  return new Promise(() => {});
};
export default ({ input }) => new FunctionModel(input === "Hi" ? () => "Hi" : hangs);
`,
  );
  const file = "export { refundsEval, small } from './evals.ts';\n";
  await writeFile(join(folder, "both.ts"), file);
  const child = startSkein(["eval", "both.ts", "--model", "slow.js", "--json", "part.json"], folder);
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new TypeError("the command's output is not piped");
  const ended = Promise.all([once(child, "close"), readAll(stdout)]);
  await once(stderr, "data");
  child.kill("SIGINT");
  const [, printed] = await ended;
  expect(printed).toMatch(/^refunds \(aborted\) +slow\.js +0\/0/m);
  expect(child.exitCode).toBe(1);
  const { results } = JSON.parse(await readFile(join(folder, "part.json"), "utf8"));
  expect(results[0]).toMatchObject({ name: "refunds", aborted: true, cases: [] });
});

test("without a model, the offline one plays, and says what it is", async () => {
  const { stdout, stderr, code } = await evaluate();
  expect(stderr).toContain("offline stand-in: keyword rules, not a language model");
  expect(rows(stdout)).toHaveLength(2);
  expect(code).toBe(0);
});

test("agents of a world of their own speak with that model, too", async () => {
  await writeFile(
    join(folder, "worlds.ts"),
    `import { defineEval } from "skein/evals";
import { agent } from "./evals.ts";

/** A world with methods. */
class World {
  readonly agent = agent;
  closed = false;
  state() { return this.closed; }
  close() { this.closed = true; }
}

const cases = [{ input: "Refund order 7", calls: ["refund"], state: false }];
export const evaluation = defineEval({ name: "refunds", agent, setup: () => new World(), cases });
`,
  );
  const { stdout, stderr, code } = await skein(["eval", "worlds.ts"], folder);
  expect(stderr).toContain("offline stand-in");
  expect(rows(stdout)).toEqual([expect.stringMatching(/^refunds offline\S* 1\/1 100%/)]);
  expect(code).toBe(0);
});

test.each([
  [
    ["none.ts"],
    "none.ts exports no evaluation. Write: export const evaluation = defineEval({ agent, cases })",
  ],
  [["evals.ts", "again.ts", "copy.ts"], "evals.ts and copy.ts both have an evaluation called refunds"],
  [["evals.ts", "--model", "none.ts"], "The default export of none.ts must be a model"],
  [["evals.ts", "--model", "offlin"], '"offlin"'],
  [["evals.ts", "--baseline", "evals.ts"], "The baseline evals.ts cannot be read"],
  [["evals.ts", "--threshold", "2"], "Expected a share, such as 0.9 or 90%."],
  [["evals.ts", "--runs", "0"], "Expected a whole number from 1."],
])("%j is refused", async (args, message) => {
  const { code, stderr } = await skein(["eval", ...args], folder);
  expect(stderr).toContain(message);
  expect(code).toBe(1);
});
