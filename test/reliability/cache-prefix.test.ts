import { expect, test } from "vitest";
import { Agent, run, tool, toolset, type Model, type ToolSources, type Toolset } from "skein";
import { ScriptedModel, type ScriptedTurn } from "skein/testing";
import { streamed, type Answer } from "../providers/answers.ts";
import { serve } from "../providers/local-server.ts";
import { historyFields, modelOver, protocols } from "../providers/protocols.ts";
import { noting, number, outcomesOf } from "./kit.ts";

const answers: readonly Answer[] = [1, 2, 3].map((n) => ({
  id: `turn${n}`,
  reasoning: `Thought ${n}.`,
  text: `Turn ${n}.`,
  calls: ["look", "unknown"].map((name) => ({ id: `${name}/${n}`, name, arguments: `{ "n" : ${n}.0 }` })),
}));

test.each(protocols)(
  "each request begins with the bytes of the one before, in a run and when it is resumed: %s",
  async (protocol) => {
    await using server = await serve((index) =>
      streamed(protocol, answers[index] ?? { id: "end", text: "Done." }),
    );
    const names = ["zebra", "look", "the ant"];
    const agent = new Agent({
      name: "A",
      instructions: "Be brief.",
      model: modelOver(protocol, server),
      tools: names.map((name) => noting([], name)),
    });
    const paused = await run(agent, "Go.", { maxTurns: 2 });
    await run(agent, JSON.parse(JSON.stringify(paused.state)));
    const field = historyFields[protocol];
    const requests = server.received.map(({ body }) => {
      const { [field]: history, ...rest } = body;
      return { history: JSON.stringify(withoutMarks(history)).slice(0, -1), rest: JSON.stringify(rest) };
    });
    expect(requests).toHaveLength(4);
    for (const [index, { history, rest }] of requests.entries()) {
      const before = requests[index - 1];
      if (!before) continue;
      expect(rest).toBe(before.rest);
      expect(history.startsWith(before.history)).toBe(true);
      expect(history.length).toBeGreaterThan(before.history.length);
    }
  },
);

/** What a model is told of the tools, request by request, while it makes these calls in turn. */
async function toolsTold(
  tools: ToolSources,
  calls: NonNullable<ScriptedTurn["toolCalls"]>,
): Promise<readonly string[]> {
  const told: string[] = [];
  const scripted = new ScriptedModel([...calls.map((call) => ({ toolCalls: [call] })), "Done."]);
  const model: Model = {
    provider: "test",
    modelId: "test",
    stream: (request) => {
      told.push(JSON.stringify(request.tools).slice(0, -1));
      return scripted.stream(request);
    },
  };
  const result = await run(new Agent({ name: "A", model, tools }), "Go.");
  expect(result.text).toBe("Done.");
  expect(outcomesOf(result)).toEqual(calls.map(({ toolName }) => `${toolName}: success`));
  return told;
}

test("tools stay the same, for any listing order and results", async () => {
  let names = ["zebra", "look", "ant"];
  const listed: Toolset = {
    name: "listed",
    tools: async () => {
      const [first = "", ...rest] = names;
      names = [...rest, first];
      return names.map((name) => noting([], name));
    },
  };
  const read = tool({
    name: "read",
    input: number,
    maxResultChars: 300,
    execute: () => "a page ".repeat(99),
  });
  const calls = ["look", "read", "ant", "read"].map((toolName) => ({ toolName, arguments: { n: 1 } }));
  const told = await toolsTold([listed, read], calls);
  expect(told).toHaveLength(5);
  expect(new Set(told).size).toBe(1);
  expect(told[0]).toContain('"read_result"');
});

test("tools that a search finds come after those that are there", async () => {
  const birds = ["ant", "goose", "swan"].map((name) => noting([], name));
  const calls = ["swan", "ant"].map((query) => ({ toolName: "search_tools", arguments: { query } }));
  const told = await toolsTold([toolset(birds).deferred({ limit: 1 })], calls);
  expect(told[2]).toContain('"ant"');
  expect(told[2]?.startsWith(told[1] ?? "none")).toBe(true);
  expect(told[1]?.startsWith(told[0] ?? "none")).toBe(true);
});

/** A mark that says how far the provider shall keep a request is no part of it. */
function withoutMarks(history: unknown): unknown {
  return JSON.parse(JSON.stringify(history), function (this: Record<string, unknown>, key, value) {
    return key === "cache_control" ? undefined : value;
  });
}
