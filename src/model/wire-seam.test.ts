import { expect, test } from "vitest";
import { ScriptedModel } from "../testing/index.ts";
import {
  isOfflineFetch,
  markOffline,
  observeWire,
  postObserved,
  withWireSeam,
  wrapFetchOf,
} from "./wire-seam.ts";

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

test("observers stand around requests until they are taken away", async () => {
  const signal = new AbortController().signal;
  const request = { url: "http://127.0.0.1/", headers: {}, body: "{}", signal };
  const answer = { status: 200, headers: [], isRedirect: false, body: undefined };
  const seen: string[] = [];
  const post = async () => {
    seen.push("sent");
    return answer;
  };
  const end = observeWire(async ({ body }, next) => {
    seen.push(body);
    return next();
  });
  expect(await postObserved(request, post)).toBe(answer);
  end();
  end();
  expect(await postObserved(request, post)).toBe(answer);
  expect(seen).toEqual(["{}", "sent", "sent"]);
});
