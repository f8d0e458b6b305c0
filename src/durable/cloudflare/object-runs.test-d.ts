import type { AlarmInvocationInfo, DurableObjectState } from "@cloudflare/workers-types";
import { expectTypeOf, test } from "vitest";
import type { durableObjectRuns, DurableObjectRuns } from "./object-runs.ts";

test("the context of a Durable Object, and what its alarm is called with, are taken as they are", () => {
  expectTypeOf<DurableObjectState>().toExtend<Parameters<typeof durableObjectRuns>[0]>();
  expectTypeOf<AlarmInvocationInfo | undefined>().toExtend<Parameters<DurableObjectRuns["alarm"]>[0]>();
});
