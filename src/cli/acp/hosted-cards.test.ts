import { expect, test } from "vitest";
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { CallUpdates } from "./call-updates.ts";
import { ToolCards } from "./tool-cards.ts";

const search = {
  tool: "webSearch",
  name: "web_search",
  id: "srv_1",
  input: { queries: ["geese"] },
  results: [],
} as const;
const common = { type: "hosted-call", agent: "Main", index: 0, runId: "r" } as const;

test("a call that the provider executes is a card that begins, and ends with what was found", () => {
  const updates: SessionUpdate[] = [];
  const calls = new CallUpdates(new ToolCards((update) => updates.push(update), "/"));
  calls.read({ ...common, call: { ...search, status: "running" } });
  const results = [{ url: "https://a.example/", title: "Geese" }];
  calls.read({ ...common, call: { ...search, status: "completed", results } });
  calls.read({ ...common, call: { ...search, id: "srv_2", status: "failed", error: "max_uses_exceeded" } });
  expect(updates).toMatchObject([
    { sessionUpdate: "tool_call", toolCallId: "srv_1", status: "pending" },
    { toolCallId: "srv_1", status: "in_progress", rawInput: { queries: ["geese"] } },
    { toolCallId: "srv_1", status: "in_progress" },
    { toolCallId: "srv_1", status: "completed" },
    { sessionUpdate: "tool_call", toolCallId: "srv_2" },
    { toolCallId: "srv_2", status: "in_progress" },
    { toolCallId: "srv_2", status: "failed" },
  ]);
  expect(JSON.stringify(updates[3])).toContain("https://a.example/");
  expect(JSON.stringify(updates[6])).toContain("max_uses_exceeded");
});
