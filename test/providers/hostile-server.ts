import { expect } from "vitest";
import { Agent, run, tool, type Model, type RunResult } from "skein";

import { modelOver, type Protocol } from "./protocols.ts";

/** What an answer came to. */
export interface HostileOutcome {
  /** The inputs that the tool was executed with. */
  readonly inputs: readonly unknown[];
  readonly result: RunResult | undefined;
  readonly error: unknown;
}

/** A transfer to make, whose last property a cut always loses: what is executed is what the server meant, or nothing. */
export const meant = { to: "bob", items: ["a", "b", "c"], amount: 250 } as const;

/** The same as a model writes it. */
export const meantText: string = JSON.stringify(meant);

/** Runs an agent whose model is this one, for one turn. Its only tool is `act`. */
export async function outcomeOfModel(
  model: Model,
  required: readonly string[] = [],
): Promise<HostileOutcome> {
  const inputs: unknown[] = [];
  const input = { type: "object", properties: {}, required } as const;
  const act = tool({ name: "act", input, execute: (args) => void inputs.push(args) });
  const agent = new Agent({ name: "A", model, tools: [act], settings: { maxRetries: 0 } });
  try {
    return { inputs, result: await run(agent, "Go.", { maxTurns: 1 }), error: undefined };
  } catch (error) {
    return { inputs, result: undefined, error };
  }
}

/** Runs an agent whose model gets these events as a stream. */
export function outcomeOf(
  protocol: Protocol,
  events: readonly (object | string)[],
  required?: readonly string[],
): Promise<HostileOutcome> {
  const data = events.map((event) => (typeof event === "string" ? event : JSON.stringify(event)));
  return outcomeOfBody(
    protocol,
    data.map((text) => `data: ${text}\n\n`).join(""),
    "text/event-stream",
    required,
  );
}

/** Runs an agent whose model gets this value as a whole answer. */
export function outcomeOfWhole(protocol: Protocol, value: unknown): Promise<HostileOutcome> {
  return outcomeOfBody(protocol, JSON.stringify(value), "application/json");
}

/** Runs an agent whose model gets this body. */
export function outcomeOfBody(
  protocol: Protocol,
  body: string,
  type: string,
  required?: readonly string[],
): Promise<HostileOutcome> {
  const fetch = async (): Promise<Response> => new Response(body, { headers: { "content-type": type } });
  return outcomeOfModel(modelOver(protocol, { url: "https://api.acme.test", fetch }), required);
}

/** The call was executed once, and is in the history once. */
export function expectOnce({ inputs, result }: HostileOutcome): void {
  expect(inputs).toEqual([meant]);
  const calls = result?.messages.flatMap((message) =>
    message.role === "assistant" ? message.toolCalls : [],
  );
  expect(calls).toHaveLength(1);
}

/** Nothing is executed, and the stream is an error. */
export function expectError({ inputs, error }: HostileOutcome): void {
  expect(inputs).toEqual([]);
  expect(error).toMatchObject({ code: "malformed-response" });
}
