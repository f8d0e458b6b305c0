import { expect, test } from "vitest";
import { ScriptedModel } from "../testing/index.ts";
import { isOfflineFetch, markOffline, withWireSeam, wrapFetchOf } from "./wire-seam.ts";

test("a model that says how it is made is made again with another fetch, and no other one is", () => {
  const model = new ScriptedModel([]);
  const other = new ScriptedModel([]);
  const wrap = (fetch: typeof globalThis.fetch): typeof globalThis.fetch => fetch;
  const seen: unknown[] = [];
  expect(
    withWireSeam(model, (each) => {
      seen.push(each);
      return other;
    }),
  ).toBe(model);
  expect(wrapFetchOf(model, wrap)).toBe(other);
  expect(seen).toEqual([wrap]);
  expect(wrapFetchOf(other, wrap)).toBeUndefined();
});

test("only a fetch that is noted answers from memory", () => {
  const fetch = async (): Promise<Response> => new Response("");
  expect([isOfflineFetch(undefined), isOfflineFetch(fetch)]).toEqual([false, false]);
  expect(markOffline(fetch)).toBe(fetch);
  expect(isOfflineFetch(fetch)).toBe(true);
});
