/** A mistake in a tool's code reaches whoever wrote it, and not the model alone. */
import { describe, expect, test, vi } from "vitest";
import { Agent, executeToolCalls, result, run, tool, type ToolContext } from "skein";
import { ScriptedModel } from "skein/testing";

const input = { type: "object", properties: {} } as const;

async function warningsOf(
  execute: (input: unknown, context: ToolContext<{ n: number; list: number[] }>) => unknown,
) {
  const buggy = tool<unknown, { n: number; list: number[] }>({ name: "buggy", input, execute });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "buggy", arguments: {} }] }, "done"]);
  const agent = new Agent<{ n: number; list: number[] }>({ name: "A", model, tools: [buggy] });
  const { warnings, messages } = await run(agent, "go", { context: { n: 1, list: [1] } });
  const results = messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
  expect(results).toMatchObject([{ isError: true, outcome: "error" }]);
  return warnings;
}

class Kit {
  readonly rows = [1];
  count(): number {
    return this.rows.length;
  }
}

const place = /^buggy threw (\w+) at behaviour\/bugs-in-tools\.test\.ts:\d+: /;

test("a misspelled field of a result is in the warnings, as it is in what the model reads", async () => {
  const misspelled: object = { value: 1, contxt: { n: 2 } };
  expect(await warningsOf(() => result(misspelled))).toEqual([
    'buggy threw ConfigurationError: result() has no option "contxt". Did you mean "context"?',
  ]);
});

test("what fails within the package is placed where the program called it", async () => {
  const [warning] = await warningsOf(() => Reflect.apply(Agent.prototype.with, undefined, [{}]));
  expect(warning).toMatch(/^buggy threw TypeError at behaviour\/bugs-in-tools\.test\.ts:\d+: /);
});

describe("what engines throw for a mistake is in the warnings, with its place", () => {
  const bugs: Readonly<
    Record<
      string,
      readonly [(input: unknown, context: ToolContext<{ n: number; list: number[] }>) => unknown, string]
    >
  > = {
    "a property of undefined": [() => Reflect.get(Object(JSON.parse("{}")), "user").name, "TypeError"],
    "a name that does not exist": [() => new Function("return nowhere")() as unknown, "ReferenceError"],
    "a method without its this": [() => Reflect.get(Kit.prototype, "count")(), "TypeError"],
    "an endless recursion": [
      () => {
        const again = (): number => 1 + again();
        return again();
      },
      "RangeError",
    ],
    "a rejection": [async () => Reflect.get(Object(undefined), "user").name, "TypeError"],
  };

  test.each(Object.entries(bugs))("%s", async (_, [execute, name]) => {
    const [warning, ...others] = await warningsOf(execute);
    expect(others).toEqual([]);
    expect(warning).toMatch(place);
    expect(place.exec(warning ?? "")?.[1]).toBe(name);
  });

  test.each([
    ["a change of a field", (context: { n: number }) => void (context.n = 2)],
    ["a new field", (context: object) => void Reflect.apply(Object.assign, Object, [context, { m: 1 }])],
    ["a deleted field", (context: { n?: number }) => void delete context.n],
    ["a longer list", (context: { list: number[] }) => void context.list.push(2)],
  ])("%s of the frozen context says what to write", async (_, change) => {
    const warnings = await warningsOf((_input, { context }) => change(context));
    expect(warnings).toEqual([
      expect.stringMatching(
        /The context is frozen: return result\(\{ context: \{ \.\.\. \} \}\) to change it\.$/,
      ),
    ]);
  });
});

test("a place within the message is not taken for that of the throw", async () => {
  const [warning] = await warningsOf(() => {
    throw new TypeError("cannot parse\n  at templates/page.ts:7:1");
  });
  expect(warning).toMatch(place);
});

describe("what is not a mistake of the code is for the model alone", () => {
  test.each([
    [
      "an error of the tool's own",
      () => {
        throw new Error("no such user");
      },
    ],
    ["an address that the model made up", () => new URL("nonsense")],
    ["a server that cannot be reached", () => fetch("http://127.0.0.1:1/")],
    ["text that is not JSON", () => JSON.parse("<html>") as unknown],
    [
      "something that is not an error",
      () => {
        throw "words";
      },
    ],
  ])("%s", async (_, execute) => {
    expect(await warningsOf(execute)).toEqual([]);
  });
});

test("with debug, the mistake is on standard error", async () => {
  const print = vi.spyOn(console, "error").mockImplementation(() => {});
  const buggy = tool({ name: "buggy", input, execute: () => Reflect.get(Object(undefined), "user").name });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "buggy", arguments: {} }] }, "done"]);
  await run(new Agent({ name: "A", model, tools: [buggy] }), "go", { debug: true });
  const lines = print.mock.calls.map(([line]) => String(line));
  expect(lines).toContainEqual(expect.stringMatching(/warning .*buggy threw TypeError at /));
});

test("with debug, what a model writes does not drive the terminal", async () => {
  const print = vi.spyOn(console, "error").mockImplementation(() => {});
  const model = new ScriptedModel(["\u009b2J\u009d0;title\u009c\u202eoh\u007f"]);
  await run(new Agent({ name: "A", model }), "go", { debug: true });
  const printed = print.mock.calls.join("\n");
  expect(printed).toContain("\\u009b2J");
  expect(printed).not.toMatch(/[\u007f-\u009f\u202a-\u202e]/u);
});

test("a mistake in a policy's function is one of the code, too: which function, and where", async () => {
  const guarded = tool({
    name: "guarded",
    input,
    serialize: () => Reflect.get(Object(undefined), "user").name,
    execute: () => "ok",
  });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "guarded", arguments: {} }] }, "done"]);
  const { warnings } = await run(new Agent({ name: "A", model, tools: [guarded] }), "go");
  expect(warnings).toEqual([
    expect.stringMatching(/^serialize of guarded failed: Cannot read properties of undefined/),
    expect.stringMatching(/^guarded threw TypeError at /),
  ]);
});

test("a mistake in a tool that another tool calls is one warning of the run", async () => {
  const buggy = tool({ name: "buggy", input, execute: () => Reflect.get(Object(undefined), "user").name });
  const outer = tool({
    name: "outer",
    input,
    execute: (_, { call }) => call("buggy", {}).catch(() => "made up"),
  });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "outer", arguments: {} }] }, "done"]);
  const { warnings } = await run(new Agent({ name: "A", model, tools: [outer, buggy] }), "go");
  expect(warnings).toEqual([expect.stringMatching(/^buggy threw TypeError at /)]);
});

test("a mistake in a tool of an agent that a tool runs is in the warnings of the run", async () => {
  const buggy = tool({ name: "buggy", input, execute: () => Reflect.get(Object(undefined), "user").name });
  const buggyCall = { toolCalls: [{ toolName: "buggy", arguments: {} }] };
  const helper = new Agent({ name: "Helper", model: new ScriptedModel([buggyCall, "ok"]), tools: [buggy] });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "help", arguments: { input: "?" } }] }, "done"]);
  const { warnings } = await run(
    new Agent({ name: "A", model, tools: [helper.asTool({ name: "help" })] }),
    "go",
  );
  expect(warnings).toEqual([expect.stringMatching(/^Helper: buggy threw TypeError at /)]);
});

test("executeToolCalls passes such warnings on", async () => {
  const buggy = tool({
    name: "buggy",
    input,
    execute: () => ({ user: Promise.resolve(1), more: Reflect.get(Object(undefined), "user").name }),
  });
  const warnings: string[] = [];
  await executeToolCalls([{ toolCallId: "1", toolName: "buggy", arguments: "{}" }], [buggy], {
    onWarning: (message) => warnings.push(message),
  });
  expect(warnings).toEqual([expect.stringMatching(/^buggy threw TypeError at /)]);
});

test("a package that an offloaded tool lacks is in the warnings", async () => {
  vi.doMock("piscina", () => {
    throw new Error("Cannot find package 'piscina'");
  });
  const offloaded = tool({
    name: "heavy",
    input,
    offload: { module: "data:text/javascript,export default 1" },
  });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "heavy", arguments: {} }] }, "done"]);
  const { warnings } = await run(new Agent({ name: "A", model, tools: [offloaded] }), "go");
  vi.doUnmock("piscina");
  expect(warnings).toEqual([
    "heavy threw ConfigurationError: Offloaded tools need the package piscina: npm install piscina.",
  ]);
});
