/** Nothing of a result that is masked is in what the model, a history, a store, an event or a warning has. */
import { Agent, run, tool } from "skein";
import { memorySession } from "skein/sessions";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import { z } from "zod";

const secrets = ["hunter2-s3cret", "4111 1111"];
const customer = { name: "Ada", password: secrets[0], cards: [{ number: secrets[1] }] };
const form = {
  type: "object",
  properties: {
    password: { type: "string", maxLength: 6 },
    cards: {
      type: "array",
      items: { type: "object", properties: { number: { type: "string", pattern: "^[0-9]{16}$" } } },
    },
  },
} as const;

const throwing = z
  .object({ name: z.string() })
  .loose()
  .refine((value) => {
    throw new Error(`no customer: ${JSON.stringify(value)}`);
  });

interface Options {
  readonly mask?: true | readonly string[];
  readonly output?: typeof form | typeof throwing;
  readonly validateOutput?: true;
  readonly execute?: () => unknown;
}

/** All that anybody but the program's own code sees of a run whose tool returns that. */
async function visibleOf(options: Options): Promise<string> {
  const definition = { name: "findCustomer", input: { type: "object" }, execute: () => customer } as const;
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "findCustomer" }] }, "Done."]);
  const session = memorySession();
  const events: string[] = [];
  const agent = new Agent({ name: "Desk", model, tools: [tool({ ...definition, ...options })] });
  const { state, warnings } = await run(agent, "Who?", {
    session,
    onEvent: (event) => void events.push(JSON.stringify(event)),
  });
  return JSON.stringify([model.requests, state, await session.load(), events, warnings]);
}

test.each<[string, Options, string]>([
  ["matches", {}, "[hidden]"],
  [
    "does not match its schema",
    { output: form, validateOutput: true },
    "does not match its output schema at $.password, $.cards[*].number. What",
  ],
  [
    "makes the check fail",
    { output: throwing, validateOutput: true },
    "does not match its output schema at $. What",
  ],
  [
    "cannot be written as JSON",
    { execute: () => ({ [secrets[0] ?? ""]: Promise.resolve(secrets[1]) }) },
    "findCustomer returned something, of which nothing can be written as JSON. Await it.",
  ],
])("a masked result that %s is not shown", async (_title, options, message) => {
  for (const mask of [true, ["password", "cards.number"]] as const) {
    const visible = await visibleOf({ mask, ...options });
    expect(secrets.filter((secret) => visible.includes(secret))).toEqual([]);
    expect(visible).toContain(message);
  }
  const unmasked = await visibleOf(options);
  expect(secrets.some((secret) => unmasked.includes(secret))).toBe(true);
});
