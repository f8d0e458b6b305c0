import { Agent, type RunStream, stream, tool } from "skein";
import { toEventStream } from "skein/protocols";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";

const empty = { type: "object", properties: {} } as const;

/** The events of a response, each with the id that it was sent with. */
async function eventsOf(response: Response): Promise<Record<string, unknown>[]> {
  const frames = (await response.text()).split("\n\n").filter((frame) => frame !== "");
  return frames.map((frame) => ({
    id: /^id: (\d+)$/m.exec(frame)?.[1],
    ...JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? ""),
  }));
}

function secretive(): RunStream<{ key: string }> {
  const failing = tool({
    name: "failing",
    description: "Fails.",
    input: empty,
    execute: () => {
      throw new Error("planted-in-a-tool");
    },
  });
  const masked = tool({
    name: "masked",
    description: "Hides something.",
    input: empty,
    mask: true,
    execute: () => ({ card: "planted-in-a-value" }),
  });
  const model = new ScriptedModel([
    { reasoning: "Well.", toolCalls: [{ toolName: "failing" }, { toolName: "masked" }] },
    "Done.",
  ]);
  const agent = new Agent<{ key: string }>({
    name: "A",
    instructions: "planted-in-instructions",
    model,
    tools: [failing, masked],
  });
  return stream(agent, "Go", {
    context: { key: "planted-in-the-context" },
    onEvent: () => {
      throw new Error("planted-in-a-warning");
    },
  });
}

test("a run is a response of its events, each with its index as id", async () => {
  const running = stream(new Agent({ name: "A", model: new ScriptedModel(["Hi."]) }), "Hello");
  const response = await running.toResponse();
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const events = await eventsOf(response);
  expect(events.map(({ type }) => type)).toEqual(["turn-start", "text-delta", "turn-end", "run-end"]);
  expect(events.every(({ id, index }) => id === String(index))).toBe(true);
  const { text, turns } = await running.result;
  expect(events.at(-1)).toMatchObject({ status: "completed", result: { text, turns } });
});

test("what only the program may see is left out", async () => {
  const text = await (await secretive().toResponse()).text();
  expect(text).toMatch("The tool failed.");
  expect(text).not.toMatch("planted");
});

test("reasoning, calls and the words of tools are shown as `show` says", async () => {
  const types = async (show: object): Promise<unknown[]> =>
    (await eventsOf(toEventStream(secretive(), { show }))).map(({ type }) => type);
  expect(await types({})).toEqual(expect.arrayContaining(["reasoning-delta", "tool-start", "tool-end"]));
  expect(await types({ reasoning: false })).not.toContain("reasoning-delta");
  const hidden = await eventsOf(toEventStream(secretive(), { show: { toolCalls: false } }));
  expect(hidden.map(({ type }) => type)).not.toContain("tool-end");
  expect(hidden.find(({ type }) => type === "turn-end")).toMatchObject({
    results: [],
    message: { toolCalls: [] },
  });
  const open = await (await secretive().toResponse({ show: { toolErrors: true } })).text();
  expect(open).toMatch("planted-in-a-tool");
});

test("a run that fails ends with a code, and without the words of the failure", async () => {
  const model = new FunctionModel(() => {
    throw new Error("planted-in-a-failure");
  });
  const running = stream(new Agent({ name: "A", model }), "Go");
  const text = await (await running.toResponse()).text();
  expect(text).toMatch('"type":"run-end"');
  expect(text).toMatch('"status":"failed"');
  expect(text).not.toMatch("planted");
});

test("a client that leaves does not stop the run, but is reported", async () => {
  let hasLeft = false;
  const running = stream(new Agent({ name: "A", model: new ScriptedModel(["One two three."]) }), "Go");
  const response = await running.toResponse({ onCancel: () => (hasLeft = true) });
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  expect([hasLeft, (await running.result).status]).toEqual([true, "completed"]);
});

test("a connection on which nothing is sent has comments", async () => {
  const model = new FunctionModel(() => new Promise<string>((resolve) => setTimeout(resolve, 120, "Late.")));
  const running = stream(new Agent({ name: "A", model }), "Go");
  const text = await (await running.toResponse({ keepAlive: 40 })).text();
  expect(text).toMatch(": keep-alive\n\n");
  expect(text).toMatch("Late.");
});
