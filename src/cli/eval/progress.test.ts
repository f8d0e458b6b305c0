import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { Agent } from "../../agent/agent.ts";
import { defineEval } from "../../evals/define-eval.ts";
import { runEval } from "../../evals/run-eval.ts";
import { FunctionModel } from "../../testing/index.ts";
import { progressOn } from "./progress.ts";

/** What is written to a stream while an evaluation of four cases runs, two of which pass. */
async function written(isTTY: boolean): Promise<string> {
  let text = "";
  const output = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const progress = progressOn(Object.assign(output, { isTTY, columns: 60 }));
  const evaluation = defineEval({
    agent: new Agent({ name: "Yes" }),
    cases: ["yes", "no", "yes", "\u001B[2Jno"].map((each) => ({ input: each, text: each })),
  });
  await runEval(evaluation, {
    model: new FunctionModel(() => "yes"),
    concurrency: 1,
    onProgress: progress.show,
  });
  progress.clear();
  return text;
}

test("a bar grows on a terminal, on one line, which is clear at the end", async () => {
  const lines = (await written(true)).split("\r\u001B[K");
  expect(lines).toEqual([
    "",
    `${"█".repeat(6)}${"░".repeat(18)} 1/4 1 passed Yes: yes`,
    `${"█".repeat(12)}${"░".repeat(12)} 2/4 1 passed Yes: no`,
    `${"█".repeat(18)}${"░".repeat(6)} 3/4 2 passed Yes: yes (2)`,
    `${"█".repeat(24)} 4/4 2 passed Yes: [2Jno`,
    "",
  ]);
});

test("shows nothing without a terminal", async () => {
  expect(await written(false)).toBe("");
});
