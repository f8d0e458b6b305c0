import { HttpAgent } from "@ag-ui/client";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../../base/util/json.ts";
import { patchOf } from "./json-patch.ts";
import { SharedState } from "./shared-state.ts";
import type { AgUiEvent } from "./types.ts";

const values: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue; object: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<JsonValue>(null, true, 0, 1, "", "a"),
    fc.array(tie("value"), { maxLength: 4 }),
    tie("object"),
  ),
  object: fc.dictionary(fc.constantFrom("a", "b", "a/b", "m~n", "", "0", "__proto__"), tie("value")),
})).object;

/** What the official client has of a state that changes from one value to the next. */
async function stateOf(steps: readonly JsonValue[]): Promise<unknown> {
  const ids = { threadId: "t", runId: "r" };
  const events: AgUiEvent[] = [{ type: "RUN_STARTED", ...ids, protocolVersion: "1.0" }];
  const shared = new SharedState(
    (context) => context,
    (event) => void events.push(event),
  );
  for (const step of steps) shared.update(step);
  events.push({ type: "RUN_FINISHED", ...ids, outcome: { type: "success" } });
  const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  const headers = { "content-type": "text/event-stream" };
  const client = new HttpAgent({
    url: "http://app.test/",
    fetch: async () => new Response(body, { headers }),
  });
  await client.runAgent();
  return client.state;
}

test(
  "the official client has the state of the program, however it changes",
  { timeout: 120_000 },
  async () => {
    const property = fc.asyncProperty(fc.array(values, { minLength: 1, maxLength: 4 }), async (steps) => {
      expect(JSON.stringify(sorted(await stateOf(steps)))).toBe(JSON.stringify(sorted(steps.at(-1))));
    });
    await expect(fc.assert(property, { numRuns: 300, seed: 1 })).resolves.toBeUndefined();
  },
);

test("a patch has what has changed alone", () => {
  expect(patchOf({ a: [1, 2, 3], b: { c: 1 }, d: 0 }, { a: [1, 5], b: { c: 1 }, e: null })).toEqual([
    { op: "remove", path: "/d" },
    { op: "replace", path: "/a/1", value: 5 },
    { op: "remove", path: "/a/2" },
    { op: "add", path: "/e", value: null },
  ]);
  expect(patchOf({ "a/b": 1, "m~n": 1 }, { "a/b": 2, "m~n": 2 })).toEqual([
    { op: "replace", path: "/a~1b", value: 2 },
    { op: "replace", path: "/m~0n", value: 2 },
  ]);
  expect(patchOf({ a: [{}] }, { a: [{}] })).toEqual([]);
});

/** The order of keys means nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, each]) => [key, sorted(each)]);
}
