import { expect, test } from "vitest";
import { Agent, run } from "skein";
import { streamed, type Answer } from "../providers/answers.ts";
import { serve } from "../providers/local-server.ts";
import { modelOver, protocols } from "../providers/protocols.ts";
import { noting } from "./kit.ts";

const answers: readonly Answer[] = [1, 2, 3].map((n) => ({
  id: `turn${n}`,
  reasoning: `Thought ${n}.`,
  text: `Turn ${n}.`,
  calls: ["look", "unknown"].map((name) => ({ id: `${name}${n}`, name, arguments: `{ "n" : ${n}.0 }` })),
}));

test.each(protocols)(
  "each request begins with the bytes of the one before, in a run and when it is resumed: %s",
  async (protocol) => {
    await using server = await serve((index) =>
      streamed(protocol, answers[index] ?? { id: "end", text: "Done." }),
    );
    const names = ["zebra", "look", "ant"];
    const agent = new Agent({
      name: "A",
      instructions: "Be brief.",
      model: modelOver(protocol, server),
      tools: names.map((name) => noting([], name)),
    });
    const paused = await run(agent, "Go.", { maxTurns: 2 });
    await run(agent, JSON.parse(JSON.stringify(paused.state)));
    const field = protocol === "responses" ? "input" : "messages";
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

/** A mark that says how far the provider shall keep a request is no part of it. */
function withoutMarks(history: unknown): unknown {
  return JSON.parse(JSON.stringify(history), function (this: Record<string, unknown>, key, value) {
    return key === "cache_control" ? undefined : value;
  });
}
