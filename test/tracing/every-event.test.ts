import { afterAll, expect, test } from "vitest";
import { type Agent, type RunEvent, type RunStream, stream } from "skein";
import { traceAll } from "skein/tracing";
import { FunctionModel } from "skein/testing";
import { useSdk } from "./current-sdk.ts";
import { agentOf, callOf, textTool } from "./scripted-runs.ts";

const recorder = useSdk();
afterAll(traceAll());

/** Nested calls, an agent within, several deltas for each answer, and a tool that takes no notice of the end. */
function busyAgent(): Agent {
  const inner = textTool("inner", async ({ text }) => text);
  const outer = textTool("outer", (_, { call }) => call("inner", { text: "b" }));
  const stubborn = textTool("stubborn", async (_, { signal, progress }) => {
    progress("half");
    await new Promise((resolve) => setImmediate(resolve));
    return signal.aborted ? new Promise(() => {}) : "done";
  });
  const helper = agentOf("Helper", [{ toolCalls: [callOf("inner")] }, "Helped."], [inner]);
  const turns = [
    { text: "I look around.", chunkSize: 4, toolCalls: [callOf("outer"), callOf("stubborn")] },
    { toolCalls: [{ toolName: "helper", arguments: { input: "?" } }] },
    { text: "All is done.", chunkSize: 3 },
  ];
  return agentOf("Busy", turns, [outer, inner, stubborn, helper.asTool()]);
}

async function countEvents(): Promise<number> {
  let count = 0;
  for await (const _ of stream(busyAgent(), "Hi")) count++;
  return count;
}

const count = await countEvents();
const places = Array.from({ length: count }, (_, index) => index);

/** Reads events up to a place, where something is done. */
async function readTo(place: number, running: RunStream, act: (event: RunEvent) => void): Promise<void> {
  for await (const event of running) {
    if (event.index !== place) continue;
    act(event);
    break;
  }
}

function expectNothingOpen(): void {
  expect(recorder.started.length).toBeGreaterThan(0);
  expect(recorder.open).toBe(0);
  expect(recorder.complaints).toEqual([]);
}

test("cancelled at each event, a run leaves no span open", async () => {
  expect(count).toBeGreaterThan(30);
  for (const place of places) {
    const running = stream(busyAgent(), "Hi");
    await readTo(place, running, () => running.cancel());
    await running.result;
    expectNothingOpen();
  }
});

test("left by its reader at each event, a run ends all spans when it ends", async () => {
  for (const place of places) {
    recorder.clear();
    const running = stream(busyAgent(), "Hi");
    await readTo(place, running, () => undefined);
    expect((await running.result).status).toBe("completed");
    expectNothingOpen();
    expect(recorder.ended).toHaveLength(12);
  }
});

test("what a reader or a listener throws at each event changes no span", async () => {
  for (const place of places) {
    recorder.clear();
    const fail = (event: RunEvent): void => {
      if (event.index === place) throw new Error("out of order");
    };
    const running = stream(busyAgent(), "Hi", { onEvent: fail });
    await readTo(place, running, fail).catch(() => undefined);
    await running.result;
    expectNothingOpen();
    expect(recorder.ended).toHaveLength(12);
  }
});

test("a model that fails, or stops, at each of its events leaves no span open", async () => {
  for (const errorAfter of [0, 1, 2, 3]) {
    for (const turn of [{ errorAfter, error: new Error("broken") }, { errorAfter }, { cut: true } as const]) {
      recorder.clear();
      const model = new FunctionModel(() => ({ text: "abcdef", chunkSize: 2, ...turn }));
      const running = stream(busyAgent().with({ model, settings: { maxRetries: 0 } }), "Hi");
      await expect(running.result).rejects.toThrow(/broken|broke|finish/);
      expectNothingOpen();
      expect(recorder.ended).toHaveLength(2);
    }
  }
});

test("a run that times out in the middle of an answer leaves no span open", async () => {
  const model = new FunctionModel(() => new Promise(() => {}));
  const running = stream(busyAgent().with({ model }), "Hi", { timeout: 20 });
  expect((await running.result).status).toBe("cancelled");
  expect(recorder.tree()).toBe("invoke_agent Busy (cancelled)\n  chat function (CLIENT, ERROR cancelled)");
});
