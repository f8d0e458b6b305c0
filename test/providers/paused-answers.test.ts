/** An answer that Anthropic pauses in the middle of its words, while its own tools work: over the wire, it is one answer. */
import { expect, test } from "vitest";
import { Agent, run, type JsonObject, type RunEvent } from "skein";
import { guard } from "skein/guards";
import { block, framed, messageEnd, messageStart, type WireEvent } from "./answers.ts";
import { serve } from "./local-server.ts";
import { modelOver } from "./protocols.ts";

const searching = {
  type: "server_tool_use",
  id: "srvtoolu_1",
  name: "web_search",
  input: { query: "herons" },
};
const found = {
  type: "web_search_tool_result",
  tool_use_id: "srvtoolu_1",
  content: [
    { type: "web_search_result", url: "https://a.test/", title: "Herons", encrypted_content: "EqgfCioI==" },
  ],
};
const webSearch: JsonObject = { type: "web_search_20260209", name: "web_search" };
const settings = { maxRetries: 0, providerOptions: { tools: [webSearch] } };

const texts = ['{"color":', '"grey",', '"legs":2}'];
const whole = { text: texts.join(""), output: { color: "grey", legs: 2 } };
const output = {
  type: "object",
  properties: { color: { type: "string" }, legs: { type: "number" } },
  required: ["color", "legs"],
} as const;

/** A block of words, as they stream in. */
const words = (place: number, text: string): readonly WireEvent[] =>
  block(place, { type: "text", text: "" }, { type: "text_delta", text });

/** The parts of the answer: all but the last are paused. */
const parts = texts.map((text, index) => [
  messageStart(`${index}`),
  ...words(0, text),
  ...(index < 2 ? [...block(1, searching), ...block(2, found)] : []),
  ...messageEnd(index < 2 ? "pause_turn" : "end_turn"),
]);

const answering = () => serve((index) => ({ pieces: framed("messages", parts[index] ?? []) }));

test.each([1, 2])(
  "it is one output where the run is resumed before part %i, counted from 0",
  async (place) => {
    await using server = await answering();
    const agent = new Agent({ name: "Clerk", model: modelOver("messages", server), settings, output });
    const first = await run(agent, "Herons?", { maxTurns: place });
    expect(first).toMatchObject({ status: "max-turns", text: texts.slice(0, place).join("") });
    const events: RunEvent[] = [];
    const resumed = await run(agent, JSON.parse(JSON.stringify(first.state)), {
      onEvent: (event) => void events.push(event),
    });
    expect(resumed).toMatchObject({ status: "completed", ...whole });
    expect(events.findLast((event) => event.type === "output-delta")?.partial).toEqual(whole.output);
    expect(server.received).toHaveLength(3);
    expect(server.received[2]?.text).not.toContain("shouldContinue");
  },
);

test("it is judged as a whole, and its rest is requested as the API has it", async () => {
  await using server = await answering();
  const judged: string[] = [];
  const middleware = [guard({ output: ({ text }) => void judged.push(text) }, { hold: true })];
  const model = modelOver("messages", server);
  const agent = new Agent({ name: "Clerk", model, settings, output, middleware });
  expect(await run(agent, "Herons?")).toMatchObject({ status: "completed", turns: 1, ...whole });
  expect(judged).toEqual([expect.stringContaining(whole.text)]);
  const blocks = texts.slice(0, 2).flatMap((text) => [{ type: "text", text }, searching, found]);
  expect(server.received[2]?.body["messages"]).toEqual([
    { role: "user", content: [{ type: "text", text: "Herons?" }] },
    { role: "assistant", content: blocks },
  ]);
});
