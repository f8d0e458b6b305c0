import { expect, test, vi } from "vitest";
import { type Dispatcher, dispatchInputs, type Inputs, type Line } from "./dispatch-inputs.ts";

/** Inputs as a test hands them in, and all that was shown: questions, and `>` where something can be typed. */
function dispatching(isTyped = false): Dispatcher & { readonly shown: string[] } {
  const shown: string[] = [];
  const dispatcher = dispatchInputs({
    isTyped,
    onKept: (text) => void shown.push(`kept ${text}`),
    invite: () => void shown.push(">"),
    dismiss: (isUnfinished) => void (isUnfinished && shown.push("-")),
  });
  return Object.assign(dispatcher, { shown });
}

/** A dialogue of these questions: what was answered, and how to withdraw it. */
function interjecting(
  { inputs, shown }: { readonly inputs: Inputs; readonly shown: string[] },
  ...questions: string[]
): { readonly answers: Promise<(string | undefined)[]>; withdraw(): void } {
  const { signal, abort } = withdrawal();
  const answers = inputs.interject(
    async ({ ask }) => {
      const lines: (string | undefined)[] = [];
      for (const question of questions) lines.push((await ask(() => void shown.push(question)))?.text);
      return lines;
    },
    { signal, onWithdrawn: () => void shown.push("withdrawn") },
  );
  return { answers, withdraw: abort };
}

function withdrawal(): { readonly signal: AbortSignal; abort(): void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

const text = (line: Promise<Line | undefined>): Promise<string | undefined> =>
  line.then((each) => each?.text);

test("a dialogue that comes between has all the answers to its questions, and then the one who waited is next", async () => {
  const all = dispatching();
  const message = text(all.inputs.next());
  const { answers } = interjecting(all, "name?", "age?");
  all.take("Ada");
  await Promise.resolve();
  all.take("36");
  expect(await answers).toEqual(["Ada", "36"]);
  all.take("hello");
  expect(await message).toBe("hello");
  expect(all.shown).toEqual([">", "-", "name?", ">", "age?", ">", ">"]);
});

test("an input between two questions of a dialogue is not for the one who waited before", async () => {
  const all = dispatching();
  const approval = text(all.inputs.ask(() => void all.shown.push("approve?")));
  const { answers } = interjecting(all, "name?", "sure?");
  all.take("Ada");
  all.take("y");
  expect(await answers).toEqual(["Ada", "y"]);
  all.take("n");
  expect(await approval).toBe("n");
});

test("a question that is withdrawn gives the input back to the earlier one, which is shown again", async () => {
  const all = dispatching();
  const approval = text(all.inputs.ask(() => void all.shown.push("approve?")));
  const { answers, withdraw } = interjecting(all, "cats?", "dogs?");
  withdraw();
  expect(await answers).toEqual([undefined, undefined]);
  all.take("y");
  expect(await approval).toBe("y");
  expect(all.shown).toEqual(["approve?", ">", "-", "cats?", ">", "-", "withdrawn", "approve?", ">"]);
});

test("what is asked while a dialogue is open is shown after it", async () => {
  const all = dispatching();
  const { answers, withdraw } = interjecting(all, "cats?");
  const approval = text(all.inputs.ask(() => void all.shown.push("approve?")));
  expect(all.shown).toEqual(["cats?", ">", "cats?", ">"]);
  all.take("y");
  expect(await answers).toEqual(["y"]);
  // Nothing is left to be withdrawn.
  withdraw();
  all.take("n");
  expect(await approval).toBe("n");
  expect(all.shown.slice(4)).toEqual(["approve?", ">"]);
});

test("of dialogues within each other, the innermost is answered first, and an outer one can end before it", async () => {
  const all = dispatching();
  const message = text(all.inputs.next());
  const outer = interjecting(all, "outer?");
  const inner = interjecting(all, "inner?");
  outer.withdraw();
  expect(await outer.answers).toEqual([undefined]);
  all.take("in");
  expect(await inner.answers).toEqual(["in"]);
  all.take("said");
  expect(await message).toBe("said");
});

test("the end of the inputs is the end of all who wait", async () => {
  const all = dispatching();
  const message = text(all.inputs.next());
  const { answers } = interjecting(all, "cats?");
  all.end();
  expect(await answers).toEqual([undefined]);
  expect(await message).toBeUndefined();
  expect(await text(all.inputs.ask(() => void all.shown.push("late?")))).toBeUndefined();
  expect(all.shown).toEqual([">", "-", "cats?", ">", "-", "late?"]);
});

test("inputs that came before the end are taken by those who wait behind a dialogue", async () => {
  const all = dispatching();
  const message = text(all.inputs.next());
  const { answers } = interjecting(all, "cats?");
  all.take("y");
  all.take("hello");
  all.end();
  expect(await answers).toEqual(["y"]);
  expect(await message).toBe("hello");
});

test("a question is not answered by an empty input; a message may be one", async () => {
  const all = dispatching();
  all.take("");
  all.take(" ");
  expect(await text(all.inputs.next())).toBe("");
  const answer = text(all.inputs.ask(() => void all.shown.push("cats?")));
  all.take("");
  all.take("y");
  expect(await answer).toBe("y");
  expect(all.shown).toEqual(["cats?", ">", ">"]);
});

test("what was withdrawn before it could be asked shows nothing", async () => {
  const all = dispatching();
  const answer = await all.inputs.interject(({ ask }) => text(ask(() => void all.shown.push("cats?"))), {
    signal: AbortSignal.abort(),
    onWithdrawn: () => void all.shown.push("withdrawn"),
  });
  expect(answer).toBeUndefined();
  expect(all.shown).toEqual([]);
});

test("a dialogue cannot ask two things at once", () => {
  const { inputs } = dispatching();
  void inputs.next();
  expect(() => void inputs.next()).toThrow("one thing after the other");
});

test("what was entered before a question does not answer it, and is the next message", async () => {
  const all = dispatching(true);
  all.take("yes");
  all.take("");
  const answers = interjecting(all, "cats?", "dogs?").answers;
  await vi.waitFor(() => expect(all.shown).toEqual(["kept yes", "cats?", ">"]));
  // The second comes before the next question is shown.
  all.take("n");
  all.take("y");
  await vi.waitFor(() => expect(all.shown.slice(3)).toEqual(["kept y", "dogs?", ">"]));
  all.take("no");
  expect(await answers).toEqual(["n", "no"]);
  const messages = [
    await text(all.inputs.next()),
    await text(all.inputs.next()),
    await text(all.inputs.next()),
  ];
  expect(messages).toEqual(["yes", "", "y"]);
});

test("what the program has not read yet was entered before the question", async () => {
  const all = dispatching(true);
  setImmediate(() => all.take("yes"));
  const answer = text(all.inputs.ask(() => void all.shown.push("approve?")));
  await vi.waitFor(() => expect(all.shown).toEqual(["kept yes", "approve?", ">"]));
  all.take("n");
  expect(await answer).toBe("n");
});

test("a question that another one came before is shown again before an answer to it counts", async () => {
  const all = dispatching(true);
  const approval = text(all.inputs.ask(() => void all.shown.push("approve?")));
  const { answers } = interjecting(all, "cats?");
  await vi.waitFor(() => expect(all.shown).toEqual(["cats?", ">"]));
  all.take("y");
  setImmediate(() => all.take("y"));
  expect(await answers).toEqual(["y"]);
  await vi.waitFor(() => expect(all.shown.slice(2)).toEqual(["kept y", "approve?", ">"]));
  all.take("n");
  expect(await approval).toBe("n");
});

test("a question that is withdrawn before it is shown is not shown, and those who wait are asked once", async () => {
  const all = dispatching(true);
  const approval = text(all.inputs.ask(() => void all.shown.push("approve?")));
  const { answers, withdraw } = interjecting(all, "cats?");
  withdraw();
  expect(await answers).toEqual([undefined]);
  await vi.waitFor(() => expect(all.shown).toEqual(["approve?", ">"]));
  all.take("y");
  expect(await approval).toBe("y");
  expect(all.shown).toEqual(["approve?", ">"]);
});

test("the end of what is typed answers no question, and what was kept is still a message", async () => {
  const all = dispatching(true);
  all.take("yes");
  all.end();
  expect(await text(all.inputs.ask(() => void all.shown.push("approve?")))).toBeUndefined();
  expect(await text(all.inputs.next())).toBe("yes");
  expect(await text(all.inputs.next())).toBeUndefined();
});

test("where a question cannot be shown, the caller learns why", async () => {
  const { inputs } = dispatching();
  const answer = inputs.ask(() => {
    throw new Error("no screen");
  });
  await expect(answer).rejects.toThrow("no screen");
});
