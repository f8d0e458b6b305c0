import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { onAbort } from "./on-abort.ts";

test("calls all listeners once, in the order of their registration, over one abort listener", () => {
  const controller = new AbortController();
  const told: string[] = [];
  for (const name of ["a", "b", "c"]) onAbort(controller.signal, () => told.push(name));
  expect(getEventListeners(controller.signal, "abort")).toHaveLength(1);
  controller.abort();
  controller.abort();
  expect(told).toEqual(["a", "b", "c"]);
});

test("does not call a removed listener, and the last removal removes the abort listener", () => {
  const controller = new AbortController();
  const told: string[] = [];
  const stops = ["a", "b"].map((name) => onAbort(controller.signal, () => told.push(name)));
  stops[0]?.();
  expect(getEventListeners(controller.signal, "abort")).toHaveLength(1);
  stops[1]?.();
  stops[1]?.();
  expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  onAbort(controller.signal, () => told.push("c"));
  stops[0]?.();
  controller.abort();
  expect(told).toEqual(["c"]);
});
