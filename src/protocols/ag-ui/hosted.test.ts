import { expect, test } from "vitest";
import { runWithSearches, searches } from "../kit/test-hosted.ts";
import { toAgUiEvents } from "./to-ag-ui-events.ts";
import type { AgUiEvent } from "./types.ts";

async function hostedCalls(show: {
  readonly toolCalls?: boolean;
  readonly toolResults?: boolean;
}): Promise<unknown[]> {
  const events: AgUiEvent[] = [];
  for await (const event of toAgUiEvents(runWithSearches(), { threadId: "t", runId: "r", show }))
    events.push(event);
  return events.flatMap((event) =>
    event.type === "CUSTOM" && event.name === "hosted-call" ? [event.value] : [],
  );
}

test("calls of the provider are events of their own, at their beginning and at their end", async () => {
  const calls = await hostedCalls({});
  expect(calls).toMatchObject(
    searches.flatMap(({ id, name, input, status }) => [
      { id, name, input, status: "running" },
      { id, name, input, status },
    ]),
  );
  expect(JSON.stringify(calls)).not.toContain("no such host");
});

test("what tools return is not sent where it is not to be seen, nor are the calls", async () => {
  expect(JSON.stringify(await hostedCalls({ toolResults: false }))).not.toContain("A secret.");
  expect(await hostedCalls({ toolCalls: false })).toEqual([]);
});
