import { expect, test } from "vitest";
import { driftOf } from "./drift.ts";
import { lockTool, readLock, writeLock, type LockedTool } from "../lock/lock.ts";
import type { CheckedTool } from "./types.ts";

const place = { file: "/tools.ts", line: 1, column: 1, length: 1 };
const inputSchema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

const locked = (facts: Partial<CheckedTool> = {}): Promise<LockedTool> =>
  lockTool({ name: "weather", description: "Tell the weather.", inputSchema, source: { place }, ...facts });

test("a fingerprint depends on what a tool is, not on the order in which it is written", async () => {
  const { fingerprint } = await locked();
  const turned = { required: ["city"], properties: { city: { type: "string" } }, type: "object" };
  expect((await locked({ inputSchema: turned })).fingerprint).toBe(fingerprint);
  expect((await locked({ name: "other" })).fingerprint).not.toBe(fingerprint);
  expect((await locked({ description: "Tells it." })).fingerprint).not.toBe(fingerprint);
  expect((await locked({ outputSchema: {} })).fingerprint).not.toBe(fingerprint);
});

test("a tool that is the same is not mentioned; one that came, one that went and one that changed are", async () => {
  const optional = await locked({ inputSchema: { ...inputSchema, required: [] } });
  const drift = driftOf(
    { same: await locked(), gone: await locked(), changed: optional },
    { same: await locked(), come: await locked(), changed: await locked() },
  );
  expect(drift.map(({ tool, kind, isBreaking, changes }) => [tool, kind, isBreaking, changes])).toEqual([
    ["changed", "changed", true, ["city is required now"]],
    ["come", "new", false, []],
    ["gone", "removed", true, []],
  ]);
});

test("what a tool takes may widen, and what it gives may narrow; not the other way round", async () => {
  const narrow = { type: "object", properties: { t: { type: "number" } }, required: ["t"] };
  const wide = { type: "object", properties: { t: { type: ["number", "null"] } }, required: ["t"] };
  const isBreaking = async (before: Partial<CheckedTool>, after: Partial<CheckedTool>): Promise<boolean> =>
    driftOf({ w: await locked(before) }, { w: await locked(after) })[0]?.isBreaking ?? false;
  expect(await isBreaking({ inputSchema: narrow }, { inputSchema: wide })).toBe(false);
  expect(await isBreaking({ inputSchema: wide }, { inputSchema: narrow })).toBe(true);
  expect(await isBreaking({ outputSchema: narrow }, { outputSchema: wide })).toBe(true);
  expect(await isBreaking({ outputSchema: wide }, { outputSchema: narrow })).toBe(false);
  expect(await isBreaking({}, { outputSchema: wide })).toBe(false);
  expect(await isBreaking({ outputSchema: wide }, {})).toBe(true);
  expect(await isBreaking({}, { description: "Tells the weather." })).toBe(false);
});

test("reports a breaking change without a new version", async () => {
  const wide = { inputSchema: { type: "object" } };
  const drift = async (before: string, after: string): Promise<boolean | undefined> =>
    driftOf({ w: await locked({ ...wide, version: before }) }, { w: await locked({ version: after }) })[0]
      ?.isUnversioned;
  expect(await drift("1.0.0", "1.0.0")).toBe(true);
  expect(await drift("1.0.0", "2.0.0")).toBe(false);
});

test("a lock is read as it was written, with tools of any name", async () => {
  const origins = {
    "b.ts": JSON.parse(`{"__proto__":${JSON.stringify(await locked())}}`),
    "a.ts": { weather: await locked() },
  };
  const text = writeLock({ lockfileVersion: 1, origins });
  expect(text.indexOf('"a.ts"')).toBeLessThan(text.indexOf('"b.ts"'));
  expect(writeLock(readLock(text, "lock"))).toBe(text);
  expect(Object.keys(readLock(text, "lock").origins["b.ts"] ?? {})).toEqual(["__proto__"]);
});

test.each([
  ["no JSON", "{", "is not JSON"],
  ["another version", '{"lockfileVersion":2}', "has a version"],
  [
    "an origin that is not an object",
    '{"lockfileVersion":1,"origins":{"a.ts":1}}',
    "has an origin that is not an object",
  ],
  [
    "an entry that is not a tool",
    '{"lockfileVersion":1,"origins":{"a.ts":{"b":1}}}',
    "has an entry b that is not a tool",
  ],
])("a lock with %s is refused", (_, text, message) => {
  expect(() => readLock(text, "skein.lock.json")).toThrow(`skein.lock.json ${message}`);
});
