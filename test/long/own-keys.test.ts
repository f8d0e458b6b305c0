import { array, assert, asyncProperty, constantFrom, dictionary, jsonValue, oneof, tuple } from "fast-check";
import { expect, test } from "vitest";
import { Agent, executeToolCalls, result, run, tool } from "../../src/index.ts";
import { ScriptedModel } from "../../src/testing/index.ts";

/** Names that every object has, or that change what it is. */
const hostile = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "toJSON",
  "then",
  "length",
];

/** An object with these own properties, whatever their names. */
function ownObject(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [key, value] of entries)
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  return object;
}

const inner = oneof(
  jsonValue({ maxDepth: 1 }),
  array(tuple(constantFrom(...hostile), jsonValue({ maxDepth: 0 })), { maxLength: 3 }).map(ownObject),
);
const objects = tuple(
  array(tuple(constantFrom(...hostile), inner), { maxLength: 4 }),
  dictionary(constantFrom("a", "b", "user"), inner, { maxKeys: 2 }),
).map(([entries, plain]) => ownObject([...Object.entries(plain), ...entries]));

/** Everything an object is, so that a change of any prototype shows. */
function assertOwn(value: unknown, expected: Readonly<Record<string, unknown>>): void {
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.keys(Object(value)).toSorted()).toEqual(Object.keys(expected).toSorted());
  for (const key of Object.keys(expected))
    expect(Object.getOwnPropertyDescriptor(value, key)?.value).toEqual(expected[key]);
}

const before = Object.getOwnPropertyNames(Object.prototype).length;

test("nothing that comes from outside changes a prototype, and all of its own arrives as own", async () => {
  await assert(
    asyncProperty(objects, objects, async (context, change) => {
      const seen: unknown[] = [];
      const act = tool({
        name: "act",
        input: { type: "object" },
        execute: (input, { context: current }) => {
          seen.push(input, current);
          return result({ value: change, context: change });
        },
      });
      const text = JSON.stringify(change);
      const model = new ScriptedModel([
        { toolCalls: [{ toolName: "act", arguments: text }] },
        { text: "Done." },
      ]);
      const agent = new Agent({ name: "A", model, tools: [act] });
      const ended = await run(agent, "Go.", { context });
      assertOwn(seen[1], context);
      assertOwn(ended.context, ownObject([...Object.entries(context), ...Object.entries(change)]));
      expect(Object.getPrototypeOf(seen[0])).toBe(Object.prototype);
      // An argument of that name is dropped, as documented.
      expect(Object.hasOwn(Object(seen[0]), "__proto__")).toBe(false);
      const again = new Agent({ name: "A", model: new ScriptedModel([{ text: "Again." }]), tools: [act] });
      const stored: typeof ended.state = JSON.parse(JSON.stringify(ended.state));
      expect(Object.getPrototypeOf((await run(again, stored)).context)).toBe(Object.prototype);
      const [outside] = await executeToolCalls(
        [{ toolCallId: "c", toolName: "act", arguments: text }],
        [act],
        { context },
      );
      expect(outside?.isError).toBe(false);
      expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(before);
    }),
    { numRuns: 10_000 },
  );
}, 300_000);
