import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const desk = "test/fixtures/desk.ts";
const command = ["--import", "./test/from-source.ts", "src/cli/bin.ts"];

// Each test starts a process, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skein-chat-"));
});
afterAll(() => rm(folder, { recursive: true }));

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command `skein` in a process of its own, without keys, colours or an Ollama. */
async function skein(args: readonly string[], input = "", env: NodeJS.ProcessEnv = {}): Promise<Finished> {
  const child = spawn(process.execPath, [...command, ...args], {
    cwd: root,
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      OLLAMA_HOST: "127.0.0.1:1",
      NODE_COMPILE_CACHE: join(folder, "compiled"),
      ...env,
    },
  });
  const finished = Promise.all([once(child, "close"), readAll(child.stdout), readAll(child.stderr)]);
  child.stdin.end(input);
  const [, stdout, stderr] = await finished;
  return { code: child.exitCode, stdout, stderr };
}

async function agentFile(name: string, source: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, source);
  return path;
}

test("a file that also runs its agent is talked to, without a key as well", async () => {
  const file = await agentFile(
    "runs.ts",
    `import { Agent, run, tool } from "skein";
const add = tool({ name: "add", input: { type: "object", properties: {} }, execute: () => "added" });
export const adder = new Agent({ name: "Adder", tools: [add] });
console.log("at first:", (await run(adder, "hello")).agent.name);
`,
  );
  for (const args of [[], ["--model", "offline"]]) {
    const { code, stdout, stderr } = await skein(["chat", file, ...args], "thanks");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^at first: Adder\n[^]*> thanks\nAdder: You are welcome\./);
  }
});

test("piped input gives a plain transcript: agent, calls, handoff and context kept from line to line", async () => {
  const lines = ["Hi", "pay 3", "pay 4", "/context", "thanks"];
  const { code, stdout, stderr } = await skein(
    ["chat", desk, "--context", '{"user":"Ada"}'],
    lines.join("\n"),
  );
  expect(stderr).toBe("");
  expect(stdout).toBe(
    [
      "> Hi",
      "Desk: You said Hi. Hello, Ada.",
      "> pay 3",
      "  → transfer_to_till()",
      "  ← Transferred to Till.",
      "Desk → Till",
      "  → pay(amount: 3)",
      "  ← paid 3 in all",
      "Till: Receipt: paid 3 in all.",
      "> pay 4",
      "  → pay(amount: 4)",
      "  ← paid 7 in all",
      "Till: Receipt: paid 7 in all.",
      "> /context",
      "{ user: 'Ada', paid: 7 }",
      "> thanks",
      "Till: You said Hi, pay 3, pay 4, thanks. Till here.",
      "",
    ].join("\n"),
  );
  expect(code).toBe(0);
});

test("a plain function is a tool, its schema found in the agent's file", async () => {
  const file = await agentFile(
    "functions.ts",
    `import { Agent } from "skein";
     import { FunctionModel } from "skein/testing";
     /** Adds two numbers. */
     function add(one: number, two = 1): number { return one + two; }
     const model = new FunctionModel(({ messages }) => {
       const last = messages.at(-1);
       return last?.role === "tool" ? "Added." : { toolCalls: [{ toolName: "add", arguments: { one: 41 } }] };
     });
     export default new Agent({ name: "Adder", model, tools: [add] });
    `,
  );
  const { code, stdout, stderr } = await skein(["chat", file], "/tools\nadd\n");
  expect(stderr).toBe("");
  expect(stdout).toContain("add(one: number, two?: number)\n  Adds two numbers.\n");
  expect(stdout).toContain("  → add(one: 41)\n  ← 42\nAdder: Added.\n");
  expect(code).toBe(0);
});

test("/save writes a state that holds messages, agent and context; a failed turn is not in it", async () => {
  const file = join(folder, "saved.json");
  const { code, stdout } = await skein(["chat", desk], `pay 1\nfail\npay 2\n/save ${file}\n`);
  expect(stdout).toContain("> fail\nError: ");
  expect(stdout).toContain("the provider is down");
  expect(stdout).toContain(`Wrote ${file}: `);
  const state: unknown = JSON.parse(await readFile(file, "utf8"));
  expect(state).toMatchObject({ version: 1, agent: "Till", context: { paid: 3 } });
  expect(JSON.stringify(state)).not.toContain('"fail"');
  expect(code, "a turn failed").toBe(1);
});

test.each(["--resume", "--state"])(
  "%s goes on with what /save wrote: agent, messages and context",
  async (flag) => {
    const file = join(folder, "resumed.json");
    await skein(["chat", desk], `pay 1\n/save ${file}\n`);
    const { code, stdout } = await skein(["chat", desk, flag, file], "pay 2\nthanks\n");
    expect(stdout).toBe(
      [
        "> pay 2",
        "  → pay(amount: 2)",
        "  ← paid 3 in all",
        "Till: Receipt: paid 3 in all.",
        "> thanks",
        "Till: You said pay 1, pay 2, thanks. Till here.",
        "",
      ].join("\n"),
    );
    expect(code).toBe(0);
  },
);

test("--plain uses words, and a piped chat keeps no history", async () => {
  const state = join(folder, "state");
  const { code, stdout, stderr } = await skein(["chat", desk, "--plain"], "pay 3\nHi\\\nthere\n", {
    XDG_STATE_HOME: state,
    FORCE_COLOR: "1",
  });
  expect(stderr).toBe("");
  expect(stdout).toBe(
    [
      "You: pay 3",
      "Calling transfer_to_till()",
      "Result: Transferred to Till.",
      "Desk hands over to Till.",
      "Calling pay(amount: 3)",
      "Result: paid 3 in all",
      "Till: Receipt: paid 3 in all.",
      "You: Hi",
      "More: there",
      "Till: You said pay 3, Hi",
      "there. Till here.",
      "",
    ].join("\n"),
  );
  expect(code).toBe(0);
  await expect(access(state)).rejects.toThrow("ENOENT");
});

test("no input at all ends cleanly", async () => {
  expect(await skein(["chat", desk])).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("without any model, the command says in one line that it speaks offline", async () => {
  const file = await agentFile(
    "plain.mjs",
    'import { Agent } from "skein"; export const agent = new Agent({ name: "Plain" });',
  );
  const { code, stdout, stderr } = await skein(["chat", file], "Hi\n");
  expect(stdout).toMatch(
    /^Offline stand-in: keyword rules, not a language model\. .*ANTHROPIC_API_KEY.*\n> Hi\nPlain: /,
  );
  expect(stderr).toBe("");
  expect(code).toBe(0);
});

test("a SKEIN_MODEL that is not understood is an error, never the offline stand-in", async () => {
  const file = await agentFile(
    "wrong.mjs",
    'import { Agent } from "skein"; export const agent = new Agent({ name: "Plain" });',
  );
  const { code, stdout, stderr } = await skein(["chat", file], "Hi\n", { SKEIN_MODEL: "gpt-5.2" });
  expect(stderr).toContain('SKEIN_MODEL is "gpt-5.2"');
  expect(stdout).toBe("");
  expect(code).toBe(1);
});

test("--model speaks instead of the agent's own model", async () => {
  const { stdout, code } = await skein(["chat", desk, "--model", "offline"], "Hi\n");
  expect(stdout).toContain("Offline stand-in");
  expect(stdout).not.toContain("You said");
  expect(code).toBe(0);
});

test("--debug prints the events to standard error, the transcript stays as it is", async () => {
  const { stdout, stderr } = await skein(["chat", desk, "--debug"], "Hi\n");
  expect(stdout).toBe("> Hi\nDesk: You said Hi. Hello, stranger.\n");
  expect(stderr).toContain("run-end");
});

test("--debug prints the stack of a tool that threw", async () => {
  const file = await agentFile(
    "throwing-tool.ts",
    `import { Agent, tool } from "skein";
     import { ScriptedModel } from "skein/testing";
     const input = { type: "object", properties: {} } as const;
     const explode = tool({ name: "explode", input, execute() { throw new RangeError("too much"); } });
     const model = new ScriptedModel([{ toolCalls: [{ toolName: "explode" }] }, "It failed."]);
     export const agent = new Agent({ name: "Miner", model, tools: [explode] });
    `,
  );
  const { code, stderr } = await skein(["chat", file, "--debug"], "Hi\n");
  expect(stderr).toMatch(/RangeError: too much\n\s+at .*throwing-tool\.ts:4/);
  expect(code).toBe(0);
});

test("reports a tool without a schema before the chat begins", async () => {
  const file = await agentFile(
    "no-schema.ts",
    `import { Agent } from "skein";
     /** Waits. */
     function wait(done: () => void) { done(); }
     const sales = new Agent({ name: "Sales", tools: [wait] });
     export const agent = new Agent({ name: "Desk", model: "offline", handoffs: [sales] });
    `,
  );
  const { code, stdout, stderr } = await skein(["chat", file], "Hi\n");
  expect(stderr).toMatch(/^skein: .*wait/s);
  expect(stderr).toContain("no-schema.ts:3");
  expect(stdout).toBe("");
  expect(code).toBe(1);
});

test.each([
  [
    "broken.ts",
    "const a: number = 1;\nconst b: string = {;\n",
    /broken\.ts:2:20\nconst b: string = \{;\n {19}\^/,
  ],
  ["broken.mjs", "const a = 1;\nconst b = {;\n", /broken\.mjs:2:12\nconst b = \{;\n {11}\^/],
  ["unmet.ts", 'import "no-such-package/x";\n', /Try: npm install no-such-package\n$/],
  ["unknown.ts", 'import { nothing } from "skein";\n', /unknown\.ts:1:10\n/],
])("what keeps %s from being loaded is shown with its place or its remedy", async (name, source, words) => {
  const { code, stderr } = await skein(["chat", await agentFile(name, source)]);
  expect(stderr).toMatch(words);
  expect(stderr).not.toContain("node:internal");
  expect(code).toBe(1);
});

test.each<[string, readonly string[], string]>([
  ["a file that is not there", ["missing.ts"], "missing.ts does not exist."],
  ["a folder", ["src"], "src is not a file. Name the modules in it, such as src/tools.ts."],
  ["a file that is not a module", ["README.md"], "README.md"],
  [
    "an export that is not there",
    [desk, "--agent", "dsk"],
    `${desk} does not export dsk. Did you mean desk?`,
  ],
  ["a state that is not there", [desk, "--state", "missing.json"], "missing.json cannot be resumed: ENOENT"],
  ["a context that is not JSON", [desk, "--context", "{user}"], "It must be JSON"],
  ["a context that is not an object", [desk, "--context", "[1]"], "Expected a JSON object"],
  ["a model that is not understood", [desk, "--model", "opnai:x"], "Did you mean openai:x?"],
  ["an option that there is not", [desk, "--modle", "x"], "unknown option '--modle' (Did you mean --model?)"],
  ["no file", [], "missing required argument 'file'"],
])("%s ends with one clear line and a code that is not 0", async (_title, args, message) => {
  const { code, stdout, stderr } = await skein(["chat", ...args], "Hi\n");
  expect(stderr).toContain(message);
  expect(stderr).toMatch(/^skein: [^\n]+\n$/);
  expect(stdout).toBe("");
  expect(code).toBe(1);
});

test("a module that throws is shown with what it threw and where", async () => {
  const file = await agentFile(
    "throws.ts",
    "const limit: number = 3;\nthrow new RangeError(`limit ${limit}`);\n",
  );
  const { code, stderr } = await skein(["chat", file]);
  expect(stderr).toContain(`skein: ${file} failed while it was loaded: RangeError: limit 3\n`);
  expect(stderr).toContain("throws.ts:2");
  expect(stderr).not.toContain("node:internal");
  expect(code).toBe(1);
});

test("timers and servers of the agent's module do not keep the command alive", async () => {
  const file = await agentFile(
    "alive.ts",
    'setInterval(() => {}, 1000);\nexport { desk } from "DESK";\n'.replace("DESK", join(root, desk)),
  );
  expect((await skein(["chat", file], "Hi\n")).code).toBe(0);
});

test("a reader that stops early, as head does, ends the command quietly", async () => {
  const child = spawn(process.execPath, [...command, "chat", desk], { cwd: root });
  const errors = readAll(child.stderr);
  const closed = once(child, "close");
  // It leaves before it has read everything: that is the point.
  child.stdin.on("error", () => undefined);
  child.stdin.write("Hi\n");
  await once(child.stdout, "data");
  child.stdout.destroy();
  child.stdin.end("again\n".repeat(200));
  await closed;
  expect({ code: child.exitCode, stderr: await errors }).toEqual({ code: 0, stderr: "" });
});

test("npm start runs the built command on the triage example, and passes input and arguments on", async () => {
  const child = spawn(process.execPath, ["scripts/start.ts", "--model", "offline"], { cwd: root });
  const output = readAll(child.stdout);
  child.stdin.end("I want a refund for item 2\n");
  await once(child, "close");
  expect(await output).toMatch(/Triage → Refunds\n {2}→ refundItem\(itemId: 2\)\n {2}← .*refunded/);
  expect(child.exitCode).toBe(0);
});
