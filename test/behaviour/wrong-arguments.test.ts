/** A first argument that is not there, as of a circular import, is a typed error that says which argument of which function. */
import { describe, expect, test } from "vitest";
import { Agent, generate, generateStream, run, SkeinError, stream, tool, triage } from "skein";
import { connect } from "skein/client";
import { memoryStore, runs } from "skein/durable";
import { compareResults } from "skein/evals";
import { ScriptedModel } from "skein/testing";

const never: (value: unknown) => never = (value) => value as never;
const agent = new Agent({ name: "A", model: new ScriptedModel(["hello"]) });

const functions: Readonly<Record<string, (value: unknown) => unknown>> = {
  "run()": (value) => run(never(value), "x"),
  "stream()": (value) => stream(never(value), "x").result,
  "generate()": (value) => generate(never(value), "x"),
  "generateStream()": (value) => generateStream(never(value), "x").next(),
  "tool()": (value) => tool(never(value)),
  "triage()": (value) => triage(never(value)),
  "start()": (value) => runs({ agents: [agent], store: memoryStore() }).start(never(value), "x"),
  "compareResults()": (value) => compareResults(never(value), never(value)),
};

describe.each(Object.entries(functions))("%s", (_, call) => {
  test.each([
    [undefined, /undefined: is it imported in a circle\?/],
    [null, /null/],
    [Promise.resolve(agent), /a promise: await it/],
  ])("refuses %s", async (value, words) => {
    const error: unknown = await (async () => call(value))().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SkeinError);
    expect(error).toMatchObject({ message: expect.stringMatching(words) });
    expect(error).toMatchObject({ message: expect.stringContaining("first argument") });
  });
});

test("a tool of a tool says to write it once", () => {
  const add = tool(function add() {}, { timeout: 1 });
  expect(() => tool(never(add), { timeout: 2 })).toThrow("The first argument of tool() is a tool already.");
});

test.each(["abc", 1, [1, 2], null])("run() refuses the context %j", async (context) => {
  const refused = run(agent, "x", never({ context }));
  await expect(refused).rejects.toMatchObject({
    name: "InvalidInputError",
    message: expect.stringContaining("options.context must be an object, not "),
  });
});

test.each([undefined, null, 7, "nope", "ftp://a.example"])("connect() refuses the address %j", (address) => {
  expect(() => connect(never(address))).toThrow(
    expect.objectContaining({
      name: "SkeinClientError",
      code: "invalid-option",
      message: expect.stringContaining("The address of connect() must be an http(s) URL, not "),
    }),
  );
});

test("two agents of one name are refused, however alike", () => {
  const other = new Agent({ name: "A", model: new ScriptedModel(["bye"]) });
  expect(() => runs({ agents: [agent, other], store: memoryStore() })).toThrow(
    'Two agents of runs() are called "A": agents[0] and agents[1]. Rename one of them.',
  );
});
