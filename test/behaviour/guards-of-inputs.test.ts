/** Guards judge the input that a tool would get, however its arguments are written. */
import { expect, test } from "vitest";
import { Agent, run, tool, type ToolContext } from "skein";
import { guard, type GuardChecks } from "skein/guards";
import { ScriptedModel } from "skein/testing";
import { z } from "zod";

const noBad: GuardChecks = { tool: ({ text }) => (text.includes("bad") ? "a bad word" : undefined) };

/** Arguments that schemas read as another value than the one that is written. */
const letter = {
  type: "object",
  properties: { text: { type: "string" }, cents: { type: "number" } },
} as const;
const escaped = String.raw`{"text":"\u0062ad","cents":999}`;
test.each([
  ["an object", letter, escaped],
  ["a list", { type: "array", items: letter }, `[${escaped}]`],
  [
    "an object, as text twice",
    { type: "object", properties: { of: letter } },
    JSON.stringify({ of: escaped }),
  ],
] as const)("an escape in %s that is written as text hides nothing", async (_, member, text) => {
  const sent: unknown[] = [];
  const send = tool({
    name: "send",
    input: { type: "object", properties: { letter: member } },
    execute: (read) => void sent.push(read),
  });
  const again = tool({
    name: "again",
    input: { type: "object", properties: {} },
    execute: (_input: unknown, { call }: ToolContext) => call("send", { letter: text }),
  });
  for (const toolCall of [{ toolName: "send", arguments: { letter: text } }, { toolName: "again" }]) {
    const model = () => new ScriptedModel([{ toolCalls: [toolCall] }, "Done."]);
    const agent = () => new Agent({ name: "A", model: model(), tools: [send, again] });
    expect(await run(agent(), "go", { middleware: [guard(noBad)] })).toMatchObject({ status: "blocked" });
    const costly = guard({
      tool: (judged) => (/"cents":999/.test(JSON.stringify(judged.input)) ? "too much" : undefined),
    });
    expect(await run(agent(), "go", { middleware: [costly] })).toMatchObject({ status: "blocked" });
  }
  expect(sent).toEqual([]);
});

test("arguments whose check does not end for the guard are not executed, though they fit later", async () => {
  const sent: unknown[] = [];
  let checks = 0;
  const word = z.string().refine(() => (checks++ === 0 ? new Promise<boolean>(() => {}) : true));
  const send = tool({
    name: "send",
    input: z.object({ word }),
    timeout: 20,
    execute: (read) => void sent.push(read),
  });
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "send", arguments: { word: "bad" } }] },
    "Done.",
  ]);
  const harmless = guard({ tool: () => true });
  const outcome = await run(new Agent({ name: "A", model, tools: [send] }), "go", { middleware: [harmless] });
  const [result, ...others] = outcome.messages.filter(({ role }) => role === "tool");
  expect(result).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringContaining("did not finish") }] },
  });
  expect(others).toEqual([]);
  expect([sent, checks]).toEqual([[], 1]);
});
