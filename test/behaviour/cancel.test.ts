import { afterAll, expect, test } from "vitest";
import { Agent, run, stream, tool, type RunEvent, type RunResult } from "skein";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { empty, flawsOf } from "../reliability/kit.ts";

const rejections: unknown[] = [];
const onRejection = (reason: unknown): void => void rejections.push(reason);
process.on("unhandledRejection", onRejection);
afterAll(async () => {
  await new Promise((resolve) => setTimeout(resolve, 10));
  process.off("unhandledRejection", onRejection);
  expect(rejections).toEqual([]);
});

const script = () => [
  {
    text: "Let me see, one moment.",
    chunkSize: 6,
    toolCalls: [{ toolName: "fast" }, { toolName: "slow" }, { toolName: "deaf" }],
  },
  { reasoning: "hm", text: "And once more.", toolCalls: [{ toolName: "fast" }] },
  { text: "All done, thank you for waiting.", chunkSize: 5 },
];

function team(done: string[]): Agent {
  const fast = tool({
    name: "fast",
    input: empty,
    execute: () => {
      done.push("fast");
      return "fast is done";
    },
  });
  const slow = tool({
    name: "slow",
    input: empty,
    async *execute() {
      for (let step = 0; step < 3; step++) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        yield step;
      }
      done.push("slow");
      return "slow is done";
    },
  });
  const deaf = tool({ name: "deaf", timeout: 8, input: empty, execute: () => new Promise(() => undefined) });
  return new Agent({ name: "A", tools: [fast, slow, deaf] });
}

async function eventsOf(
  events: AsyncIterable<RunEvent>,
  at = Infinity,
  then = () => {},
): Promise<RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) {
    all.push(event);
    if (all.length === at) then();
  }
  return all;
}

test("abort at any event: cancelled, finished results kept, state valid for the next request, one terminal event", async () => {
  const whole = await eventsOf(stream(team([]), "go", { model: new ScriptedModel(script()) }));
  expect(whole.at(-1)).toMatchObject({ type: "run-end", status: "completed" });
  for (let at = 1; at < whole.length; at++) {
    const controller = new AbortController();
    const done: string[] = [];
    const running = stream(team(done), "go", {
      model: new ScriptedModel(script()),
      signal: controller.signal,
    });
    const events = await eventsOf(running, at, () => controller.abort());
    const outcome: RunResult = await running.result;
    expect(events.filter(({ type }) => type === "run-end")).toHaveLength(1);
    expect(events.at(-1)?.type).toBe("run-end");
    if (outcome.status === "completed") continue;
    expect(outcome).toMatchObject({ status: "cancelled", finishReason: "cancelled", pending: [] });
    expect(flawsOf(outcome.state.messages)).toEqual([]);
    const kept = outcome.messages.flatMap((m) =>
      m.role === "tool" && m.result.outcome === "success" ? [m.result.toolName] : [],
    );
    const ended = events.flatMap((event) =>
      event.type === "tool-end" && !event.result.isError ? [event.result.toolName] : [],
    );
    expect(kept.toSorted()).toEqual(ended.toSorted());
    const next = new ScriptedModel(["fine"]);
    const resumed = await run(team([]), JSON.parse(JSON.stringify(outcome.state)), { model: next });
    expect(resumed.text).toBe("fine");
  }
});

test("a model that ignores its signal does not hold a cancelled run", async () => {
  const deaf = new FunctionModel(() => new Promise(() => undefined));
  const running = stream(new Agent({ name: "A", model: deaf }), "go");
  setTimeout(() => running.cancel("enough"), 5);
  expect(await running.result).toMatchObject({ status: "cancelled", finishReason: "cancelled", text: "" });
});

test("a run that is aborted before it begins makes no model call", async () => {
  const model = new ScriptedModel([]);
  const outcome = await run(new Agent({ name: "A", model }), "go", { signal: AbortSignal.abort() });
  expect(outcome.status).toBe("cancelled");
  expect(model.requests).toHaveLength(0);
});

test("a listener that cancels at model-start ends the run, and leaves no rejection behind", async () => {
  const controller = new AbortController();
  const agent = new Agent({ name: "A", model: new ScriptedModel(["Hi"]) });
  const { status } = await run(agent, "go", {
    signal: controller.signal,
    onEvent: ({ type }) => {
      if (type === "model-start") controller.abort();
    },
  });
  expect(status).toBe("cancelled");
});

test("cancels a run that takes longer than its timeout, with the reason", async () => {
  const deaf = new FunctionModel(() => new Promise(() => undefined));
  const outcome = await run(new Agent({ name: "A", model: deaf }), "go", { timeout: 10 });
  expect(outcome.status).toBe("cancelled");
  expect(outcome.warnings).toEqual([expect.stringContaining("10 ms")]);
});

test("a consumer that leaves neither stops the run nor leaks: the result settles", async () => {
  const running = stream(team([]), "go", { model: new ScriptedModel(script()) });
  for await (const event of running) if (event.type === "tool-start") break;
  expect(await running.result).toMatchObject({
    status: "completed",
    text: "All done, thank you for waiting.",
  });
});

test("a failed stream without a reader causes no unhandled rejection", async () => {
  const running = stream(new Agent({ name: "A", model: new ScriptedModel([]) }), "go");
  await new Promise((resolve) => setTimeout(resolve, 5));
  await expect(running.result).rejects.toMatchObject({ code: "script-exhausted" });
});

test("a reader of a run that fails gets its events, then the error", async () => {
  const running = stream(
    new Agent({ name: "A", model: new ScriptedModel([{ text: "hal", errorAfter: 1 }]) }),
    "go",
  );
  const seen: string[] = [];
  const reading = (async () => {
    for await (const event of running) seen.push(event.type);
  })();
  await expect(reading).rejects.toMatchObject({ code: "network" });
  expect(seen).toEqual(["turn-start", "model-start", "text-delta", "run-end"]);
});

test("several readers see the same events, and a reader can go on where it left", async () => {
  const running = stream(team([]), "go", { model: new ScriptedModel(script()) });
  const [one, two] = await Promise.all([eventsOf(running), eventsOf(running)]);
  expect(two).toEqual(one);
  expect(one.map(({ index }) => index)).toEqual(one.map((_, index) => index));
  expect(await eventsOf(running.events({ after: 4 }))).toEqual(one.slice(5));
  let text = "";
  for await (const piece of running.text()) text += piece;
  expect(text).toBe("Let me see, one moment.And once more.All done, thank you for waiting.");
});
