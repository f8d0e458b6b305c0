/** A secret that is not there, such as that of an environment variable without a value, is not taken for "unsigned". */
import { describe, expect, test } from "vitest";
import { Agent, ConfigurationError, run, stream, type RunOptions } from "skein";
import { chat } from "skein/cli";
import { mcpHandler, serveMcp } from "skein/mcp";
import { memorySession } from "skein/sessions";
import { ScriptedModel } from "skein/testing";
import { decide, pay, stored, team } from "./test-clerk.ts";

const absent = [
  ["undefined", undefined],
  ["null", null],
  ["an empty text", ""],
  ["a number", 7],
] as const;

const message = /^stateSecret must be a text .* Set it, or leave it out/;

/** What a program has that reads its secret from where it is not. */
function optionsWith(stateSecret: unknown): { readonly stateSecret: string } {
  return { stateSecret: stateSecret as string };
}

async function errorOf(perform: () => unknown): Promise<unknown> {
  try {
    return await perform();
  } catch (error) {
    return error;
  }
}

describe.each(absent)("with %s as stateSecret", (_, stateSecret) => {
  const options = optionsWith(stateSecret);

  test.each<[string, (options: RunOptions) => unknown]>([
    ["run", (rest) => run(team([]).agent, "go", { ...options, ...rest })],
    ["stream", (rest) => stream(team([]).agent, "go", { ...options, ...rest })],
    [
      "a run in a session",
      (rest) => run(team([]).agent, "go", { ...options, ...rest, session: memorySession() }),
    ],
  ])("%s refuses to begin", async (__, start) => {
    const error = await errorOf(() => start({}));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ code: "invalid-option", data: { option: "stateSecret" } });
    expect((error as Error).message).toMatch(message);
  });

  test("a state is not resumed, signed or not", async () => {
    for (const first of [{}, { stateSecret: "a secret of this test" }]) {
      const { agent, done } = team([{ toolCalls: [pay(5)] }, "Paid."]);
      const paused = await run(agent, "go", first);
      const resume = () => run(agent, stored(paused.state), { ...decide(paused), ...options });
      expect(await errorOf(resume)).toMatchObject({
        code: "invalid-option",
        message: expect.stringMatching(message),
      });
      expect(done).toEqual([]);
    }
  });

  test.each<[string, () => unknown]>([
    ["serveMcp over stdio", () => serveMcp({ tools: [], ...options }, { transport: "stdio" })],
    ["serveMcp over HTTP", () => serveMcp({ tools: [], ...options }, { transport: { http: { port: 0 } } })],
    ["mcpHandler", () => mcpHandler({ tools: [], ...options })],
  ])("%s does not serve", async (__, serve) => {
    const error = await errorOf(serve);
    expect(error).toMatchObject({ code: "invalid-option", message: expect.stringMatching(message) });
  });
});

test("a server's secret has at least 32 characters", async () => {
  const error = await errorOf(() => mcpHandler({ tools: [], stateSecret: "x".repeat(31) }));
  expect(error).toBeInstanceOf(ConfigurationError);
  expect((error as Error).message).toContain("at least 32 characters, not one of 31");
});

test("what takes no stateSecret refuses it", async () => {
  const { agent } = team([]);
  const options: object = { stateSecret: undefined };
  expect(() => agent.asTool(options)).toThrow('has no option "stateSecret"');
  expect(() => new Agent({ name: "A", model: new ScriptedModel([]), ...options })).toThrow(
    'has no option "stateSecret"',
  );
  await expect(chat(agent, options)).rejects.toThrow('has no option "stateSecret"');
});

test("without the option, states are not signed", async () => {
  const { agent } = team(["Hello."]);
  expect((await run(agent, "go")).state.signature).toBeUndefined();
});
