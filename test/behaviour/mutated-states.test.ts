/**
 * A state that came from elsewhere, unsigned, with a value of another JSON type at any one place: the run is refused with a typed error
 * that names the place, or does nothing that it may not do.
 */
import { describe, expect, test } from "vitest";
import {
  Agent,
  InvalidInputError,
  result,
  run,
  SkeinError,
  tool,
  toolset,
  type RunOptions,
  type RunState,
} from "skein";
import { FunctionModel } from "skein/testing";
import { boss, calls, clerk, decide, does, effects, empty, pay, plain } from "./test-nested.ts";

const others: readonly unknown[] = [null, true, 7, "x", [], {}];

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}

/** The content of a message is a text or a list. */
function isContent(place: Path, value: unknown): boolean {
  return place.at(-1) === "content" && ["string", "list"].includes(typeOf(value));
}

type Path = readonly (string | number)[];

/** Every place of a value, itself not included. */
function placesOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const place = [...path, Array.isArray(value) ? Number(key) : key];
    return [place, ...placesOf(item, place)];
  });
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((each, key) => Reflect.get(Object(each), key), value);
}

function changed(state: RunState, path: Path, value: unknown): RunState {
  const copy = plain(state);
  Reflect.set(Object(valueAt(copy, path.slice(0, -1))), path.at(-1) ?? "", value);
  return copy;
}

/** What a state has of the application and its tools, in which every JSON value is one. */
const free = new Set<unknown>(["context", "input", "value", "structuredContent"]);

function nameOf(place: Path): string {
  return place
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`))
    .join("")
    .slice(1);
}

/**
 * What is wrong with how a run ended, if anything is.
 * @param most - How often it may have paid.
 */
async function problemOf(
  place: Path,
  most: number,
  perform: () => Promise<unknown>,
): Promise<string | undefined> {
  effects.length = 0;
  const error = await perform().then(
    () => undefined,
    (thrown: unknown) => (thrown instanceof Error ? thrown : new Error("no error")),
  );
  const paid = effects.filter((each) => each.startsWith("pay"));
  if (paid.length > most || paid.some((each) => each !== "pay 5")) return `did ${effects.join()}`;
  if (!place.some((key) => free.has(key)))
    return error instanceof InvalidInputError &&
      error.message.startsWith(`The state's ${nameOf(place)} must be `)
      ? undefined
      : `ended with ${error?.message}`;
  if (error === undefined || (error instanceof SkeinError && error.code !== "run-failed")) return undefined;
  return error.message;
}

/** Makes all calls in its first answer. */
function side(...toolCalls: readonly { toolName: string; arguments?: object }[]): FunctionModel {
  return new FunctionModel(({ messages }) =>
    messages.some(({ role }) => role === "assistant")
      ? "Done."
      : { toolCalls: toolCalls.map((call) => ({ ...call })) as never },
  );
}

const order = tool({
  name: "order",
  input: empty,
  execute: async (_: object, { call }) => {
    await call("look", {});
    await call("pay", { amount: 5 });
    return "ordered";
  },
});

const change = tool({
  name: "change",
  input: empty,
  execute: () => result({ value: { n: 1 }, context: { n: 1 } }),
});

const payOf = () => does("pay", { approval: true });
const outside = tool({ name: "outside", input: empty });

const worlds: readonly (readonly [string, () => Agent])[] = [
  ["a call that waits", clerk],
  [
    "calls of a set, and one made elsewhere",
    () =>
      new Agent({
        name: "A",
        model: side({ toolName: "look" }, pay, { toolName: "outside" }),
        tools: [toolset({ name: "set", tools: () => [does("look"), payOf()] }), outside],
      }),
  ],
  ["an agent as a tool", () => boss()],
  [
    "an agent within an agent",
    () => boss([boss([clerk().asTool()]).with({ name: "Clerk" }).asTool({ name: "clerk" })]),
  ],
  [
    "calls that changed the context and are done",
    () =>
      new Agent({
        name: "A",
        model: side({ toolName: "change" }, pay, { toolName: "order" }),
        tools: [change, payOf(), does("look"), order],
      }),
  ],
  [
    "a tool that calls others",
    () => new Agent({ name: "A", model: calls("order"), tools: [does("look"), payOf(), order] }),
  ],
];

describe.each(worlds)("with %s", (_, agentOf) => {
  test.each([
    ["is resumed with decisions", true],
    ["is resumed without", false],
  ])("a changed state that %s is refused, or does no more than was approved", async (__, isDecided) => {
    const paused = await run(agentOf(), "Go.", { context: { user: "ada", list: [1] } });
    expect(paused.status).toBe("paused");
    const state = plain(paused.state);
    const waiting = { pending: paused.pending.filter(({ approvalId }) => approvalId !== undefined) };
    const options = (): RunOptions => (isDecided ? { approvals: decide(waiting as never) } : {});
    const problems: string[] = [];
    const places = placesOf(state).filter(([first]) => first !== "version");
    expect(places.length).toBeGreaterThan(30);
    for (const place of places)
      for (const other of others) {
        const value = valueAt(state, place);
        if (typeOf(value) === typeOf(other) || isContent(place, other)) continue;
        const problem = await problemOf(place, waiting.pending.length, () =>
          run(agentOf(), changed(state, place, other), options()),
        );
        if (problem !== undefined) problems.push(`${place.join(".")} = ${JSON.stringify(other)}: ${problem}`);
      }
    expect(problems).toEqual([]);
  });
});
