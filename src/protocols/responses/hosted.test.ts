import { expect, test } from "vitest";
import { runWithSearches } from "../kit/test-hosted.ts";
import { fromResponsesRequest } from "./request.ts";
import { toResponse, toResponseEvents } from "./to-response.ts";
import type { ResponseStreamEvent } from "./types.ts";

const identity = { id: "resp_1", createdAt: 0, model: "birder" };

test("searches of the provider are items between the texts, once they have ended", async () => {
  const { output } = await toResponse(runWithSearches(), identity);
  expect(output).toMatchObject([
    { type: "message", content: [{ text: "Let me look. " }] },
    {
      type: "web_search_call",
      status: "completed",
      action: {
        type: "search",
        queries: ["herons"],
        sources: [{ type: "url", url: "https://birds.example/heron" }],
      },
    },
    {
      type: "web_search_call",
      status: "failed",
      action: { type: "open_page", url: "https://birds.example/" },
    },
    { type: "file_search_call", status: "completed", queries: ["herons"], results: null },
    { type: "message", phase: "final_answer", content: [{ text: "They are grey." }] },
  ]);
  expect(new Set(output.map(({ id }) => id)).size).toBe(output.length);
});

test("each has the events of its kind, in their order", async () => {
  const events: ResponseStreamEvent[] = [];
  for await (const event of toResponseEvents(runWithSearches(), identity)) events.push(event);
  const ofSearches = events.filter((event) =>
    "item" in event ? /search/.test(event.item.type) : /search/.test(event.type),
  );
  expect(ofSearches.map(({ type }) => type)).toEqual([
    "response.output_item.added",
    "response.web_search_call.in_progress",
    "response.web_search_call.searching",
    "response.web_search_call.completed",
    "response.output_item.done",
    "response.output_item.added",
    "response.web_search_call.in_progress",
    "response.web_search_call.searching",
    "response.output_item.done",
    "response.output_item.added",
    "response.file_search_call.in_progress",
    "response.file_search_call.searching",
    "response.file_search_call.completed",
    "response.output_item.done",
  ]);
  const numbers = events.map((event) => event.sequence_number);
  expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
  expect(new Set(numbers).size).toBe(numbers.length);
});

test("what tools return is not sent where it is not to be seen, nor are the calls", async () => {
  const withoutResults = await toResponse(runWithSearches(), { ...identity, show: { toolResults: false } });
  expect(withoutResults.output[1]).toMatchObject({ action: { queries: ["herons"], sources: [] } });
  const withoutCalls = await toResponse(runWithSearches(), { ...identity, show: { toolCalls: false } });
  expect(withoutCalls.output.map(({ type }) => type)).toEqual(["message"]);
});

test("a client may send them back", async () => {
  const { output } = await toResponse(runWithSearches(), identity);
  const { input } = fromResponsesRequest({
    model: "birder",
    input: [...output, { role: "user", content: "Thanks." }],
  });
  expect(input).toMatchObject([{ role: "assistant" }, { role: "assistant" }, { role: "user" }]);
});
