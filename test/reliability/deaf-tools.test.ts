import { expect, test } from "vitest";
import { Agent, run, tool } from "skein";
import { ScriptedModel } from "skein/testing";
import { empty, later, outcomesOf, watchRejections } from "./kit.ts";

const turns = [{ toolCalls: [{ toolName: "deaf" }] }, "Then without it."];

test("a tool that ignores its signal does not hold the turn, and what it does later is of no consequence", async () => {
  const rejections = watchRejections();
  for (const settle of ["resolve", "reject"] as const) {
    const work = later<unknown>();
    const deaf = tool({ name: "deaf", timeout: 5, input: empty, execute: () => work.promise });
    const result = await run(new Agent({ name: "A", model: new ScriptedModel(turns), tools: [deaf] }), "Go.");
    expect(result).toMatchObject({ status: "completed", text: "Then without it." });
    expect(outcomesOf(result)).toEqual(["deaf: timeout"]);
    const before = JSON.stringify(result);
    work[settle](new Error("too late"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(JSON.stringify(result)).toBe(before);
  }
  expect(await rejections()).toEqual([]);
});

test("nor does it hold a run that is cancelled", async () => {
  const rejections = watchRejections();
  const work = later<unknown>();
  const controller = new AbortController();
  const execute = (): Promise<unknown> => {
    queueMicrotask(() => controller.abort());
    return work.promise;
  };
  const deaf = tool({ name: "deaf", input: empty, execute });
  const agent = new Agent({ name: "A", model: new ScriptedModel(turns), tools: [deaf] });
  const result = await run(agent, "Go.", { signal: controller.signal });
  expect(result.status).toBe("cancelled");
  expect(outcomesOf(result)).toEqual(["deaf: cancelled"]);
  work.reject(new Error("too late"));
  expect(await rejections()).toEqual([]);
});
