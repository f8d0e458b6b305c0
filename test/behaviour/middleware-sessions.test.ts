/** What middlewares see of a run that a session keeps. */
import { Agent, type Middleware, run, type RunInfo } from "skein";
import { memorySession } from "skein/sessions";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";

test("a run with a session is of the agent and has the context that the session has", async () => {
  const session = memorySession();
  const infos: RunInfo[] = [];
  const keys: string[] = [];
  const observer: Middleware = {
    run(info, next) {
      infos.push(info);
      return next();
    },
    step(key, next) {
      keys.push(key.runId);
      return next();
    },
  };
  const second = new Agent({ name: "B", model: new ScriptedModel(["Hello.", "Again."]) });
  const first = new Agent({
    name: "A",
    model: new ScriptedModel([{ toolCalls: [{ toolName: "transfer_to_b", arguments: {} }] }]),
    handoffs: [second],
  });
  await run(first, "Hi.", { session, context: { user: "ann" } });
  const { state } = await run(first, "And?", { session, middleware: [observer] });
  expect(infos[0]).toMatchObject({ runId: state.runId, agent: { name: "B" }, context: { user: "ann" } });
  expect(new Set(keys)).toEqual(new Set([state.runId]));
});
