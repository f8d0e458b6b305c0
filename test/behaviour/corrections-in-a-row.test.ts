/** `maxCorrections` is for mistakes in a row: an answer that was right ends a row. */
import { Agent, stream } from "skein";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";

const output = {
  type: "object",
  properties: { n: { type: "number" } },
  required: ["n"],
} as const;

/** An agent whose answers are wrong where this says so. */
function agentThatErrs(
  isWrong: (answer: number) => boolean,
  supportsOutput: boolean,
): Agent<unknown, unknown> {
  let count = 0;
  const model = new FunctionModel(
    async () => {
      // What is sent while it answers is there by then.
      await new Promise((resolve) => setTimeout(resolve, 5));
      count += 1;
      return isWrong(count) ? "{}" : JSON.stringify({ n: count });
    },
    { supportsOutput },
  );
  return new Agent({ name: "Counter", model, output });
}

test.each([true, false])(
  "answers that are wrong once each are answered, however many are asked for (supportsOutput: %s)",
  async (supportsOutput) => {
    const running = stream(
      agentThatErrs((answer) => answer % 2 === 1, supportsOutput),
      "first",
    );
    for (const message of ["second", "third", "fourth"]) running.queue(message);
    const { status, output: last, state } = await running.result;
    expect([status, last, state.unread ?? []]).toEqual(["completed", { n: 8 }, []]);
  },
);

test.each([true, false])(
  "answers that are wrong in a row end the run, also after right ones (supportsOutput: %s)",
  async (supportsOutput) => {
    const running = stream(
      agentThatErrs((answer) => answer === 1 || answer > 2, supportsOutput),
      "first",
    );
    running.queue("second");
    const { status, turns } = await running.result;
    expect([status, turns]).toEqual(["corrections", 5]);
  },
);
