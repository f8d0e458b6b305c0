import { expect, test } from "vitest";
import { Agent, result, run, tool, type RunState } from "skein";
import { unmarkedJson } from "../../src/providers/kit/test-unmarked.ts";
import { streamed, type Answer } from "./answers.ts";
import { serve } from "./local-server.ts";
import { historyFields, modelOver, protocols, type Protocol } from "./protocols.ts";
import type { Body } from "./rules.ts";
import { blueSquare } from "./scenario-kit.ts";

const step = {
  type: "object",
  properties: { step: { type: "integer" }, note: { type: "string" } },
  required: ["step"],
} as const;

const tools = [
  tool<{ step: number }>({
    name: "look",
    input: step,
    execute: ({ step }) => ({ step, found: [step, null, "é"] }),
  }),
  tool({
    name: "photo",
    input: step,
    execute: () => result({ content: [{ type: "image", url: blueSquare }] }),
  }),
  tool({
    name: "break",
    input: step,
    execute: () => {
      throw new Error("It broke.");
    },
  }),
];

/** A turn in which the model thinks, speaks and calls each kind of tool at once. */
function busyTurn(turn: number): Answer {
  const calls = ["look", "photo", "break", "unknown"].map((name, index) => {
    // Twice the same ids: some servers count from 0 in every answer.
    const id = turn > 2 ? `call_${index}` : `call_${turn}_${index}`;
    return {
      id,
      name,
      arguments: index === 2 ? `{ "step" : ${turn}.0 }` : JSON.stringify({ step: turn, note: "" }),
    };
  });
  return {
    id: `turn${turn}`,
    reasoning: `Thought ${turn}.`,
    ...(turn % 2 && { text: `Turn ${turn}.` }),
    calls,
  };
}

const answers: readonly Answer[] = [1, 2, 3, 4].map(busyTurn);

/** The part of a request that grows, as it was sent, without the marks of the cache, which move. */
function historyIn(protocol: Protocol, body: Body): string {
  return unmarkedJson(body[historyFields[protocol]]);
}

/** What comes before the history in a provider's cache, with what else must not change. */
function fixedIn(protocol: Protocol, body: Body): string {
  const { messages: _, input: __, contents: ___, ...fixed } = body;
  return JSON.stringify({ ...fixed, protocol });
}

/** Expects each request to begin with the whole of the one before it. */
function expectGrowth(protocol: Protocol, bodies: readonly Body[]): void {
  const [first] = bodies;
  if (!first) throw new Error("nothing was sent");
  for (const [index, body] of bodies.entries()) {
    expect(fixedIn(protocol, body)).toBe(fixedIn(protocol, first));
    const before = bodies[index - 1];
    if (!before) continue;
    const prefix = historyIn(protocol, before).slice(0, -1);
    const whole = historyIn(protocol, body);
    expect(whole.slice(0, prefix.length)).toBe(prefix);
    expect(whole.length).toBeGreaterThan(prefix.length + 1);
  }
}

test.each(protocols)(
  "%s: each request of a run extends the one before it, byte for byte",
  async (protocol) => {
    await using server = await serve((index) =>
      streamed(protocol, answers[index] ?? { id: "last", reasoning: "The end.", text: "Done." }),
    );
    const agent = new Agent({
      name: "Worker",
      instructions: "Work.",
      model: modelOver(protocol, server),
      tools,
      settings: { reasoningEffort: "low" },
    });
    const outcome = await run(agent, "Go.");
    expect(outcome).toMatchObject({ status: "completed", turns: 5 });
    const bodies = server.received.map(({ body }) => body);
    expect(bodies).toHaveLength(5);
    expect(bodies[0]?.["tools"]).toHaveLength(protocol === "google" ? 1 : tools.length);
    expectGrowth(protocol, bodies);
  },
);

test.each(protocols)("%s: a conversation of stored runs appends to the request, too", async (protocol) => {
  await using server = await serve((index) =>
    streamed(protocol, index % 3 < 2 ? busyTurn(index + 1) : { id: `end${index}`, text: `Done ${index}.` }),
  );
  const agent = new Agent({ name: "Worker", model: modelOver(protocol, server), tools });
  let state: RunState | undefined;
  for (const word of ["Go.", "Again."]) {
    const { messages } = state ?? { messages: [] };
    const outcome = await run(agent, [...messages, { role: "user", content: word }]);
    expect(outcome).toMatchObject({ status: "completed", turns: 3 });
    state = JSON.parse(JSON.stringify(outcome.state));
  }
  expect(server.received).toHaveLength(6);
  expectGrowth(
    protocol,
    server.received.map(({ body }) => body),
  );
});

test.each(protocols)(
  "%s: a run that is paused and resumed sends what the unbroken run sends",
  async (protocol) => {
    const texts = await Promise.all(
      [true, false].map(async (isUnbroken) => {
        await using server = await serve((index) =>
          streamed(protocol, index === 0 ? busyTurn(1) : { id: "last", text: "Done." }),
        );
        const agent = new Agent({ name: "Worker", model: modelOver(protocol, server), tools });
        const first = await run(agent, "Go.", { executeTools: isUnbroken });
        if (!isUnbroken) await run(agent, JSON.parse(JSON.stringify(first.state)));
        return server.received.map(({ text }) => text);
      }),
    );
    expect(texts[0]).toHaveLength(2);
    expect(texts[0]).toEqual(texts[1]);
  },
);
