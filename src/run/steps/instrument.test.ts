import { expect, test } from "vitest";
import { Agent } from "../../agent/agent.ts";
import { ScriptedModel } from "../../testing/index.ts";
import { tool } from "../../tool/define.ts";
import { run } from "../run.ts";
import { middlewareWith } from "./instrument.ts";
import type { Middleware } from "./middleware.ts";

/** Watches runs, and notes what it stands around. */
function noting(name: string, notes: string[]): Middleware {
  const around = async <T>(what: string, next: () => Promise<T>): Promise<T> => {
    notes.push(`${name} ${what}`);
    const value = await next();
    notes.push(`${name} /${what}`);
    return value;
  };
  return middlewareWith({
    begin: () => ({
      run: (next) => around("run", next),
      steps: {
        answer: (request, _info, next) => around("answer", () => next(request)),
        call: (_call, _info, next) => around("call", next),
      },
    }),
  });
}

test("several instruments watch a run, the first outside the others", async () => {
  const notes: string[] = [];
  const look = tool({ name: "look", input: { type: "object" }, execute: () => "Seen." });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "look" }] }, "Done."]);
  const agent = new Agent({ name: "A", model, tools: [look] });
  const { text } = await run(agent, "Look", { middleware: [noting("a", notes), noting("b", notes)] });
  expect(text).toBe("Done.");
  const step = (what: string) => [`a ${what}`, `b ${what}`, `b /${what}`, `a /${what}`];
  expect(notes).toEqual([
    "a run",
    "b run",
    ...step("answer"),
    ...step("call"),
    ...step("answer"),
    "b /run",
    "a /run",
  ]);
});

test("an instrument that watches runs alone leaves their steps to the others", async () => {
  const notes: string[] = [];
  const runsAlone = middlewareWith({ begin: () => ({ run: (next) => next(), steps: undefined }) });
  const agent = new Agent({ name: "A", model: new ScriptedModel(["Done."]) });
  await run(agent, "Hello", { middleware: [runsAlone, noting("b", notes)] });
  expect(notes).toEqual(["b run", "b answer", "b /answer", "b /run"]);
});
