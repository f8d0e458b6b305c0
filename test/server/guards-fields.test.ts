import { beforeEach, expect, test } from "vitest";
import type { SkeinServer } from "skein/server";
import { refunds, request, served, waiter } from "./serving.ts";

let server: SkeinServer;
beforeEach(async () => {
  const { agent } = waiter();
  server = served([refunds(), agent]);
  await server.fetch(request("POST", "/runs/Refunds", { input: "Money back!", id: "paused", session: "s" }));
  await server.fetch(request("POST", "/runs/Waiter", { input: "Wait.", id: "working" }));
  await server.runs.get("local/paused").result();
});

const message = (content: unknown): unknown => ({ input: [{ role: "user", content }] });
const decision = (fields: object): unknown => ({
  decisions: [{ approvalId: "a", decision: "approve", ...fields }],
});

test.each<[path: string, body: unknown, field: string]>([
  ["/runs/Refunds", { input: 5 }, "input"],
  ["/runs/Refunds", { input: true }, "input"],
  ["/runs/Refunds", { input: [5] }, "input[0]"],
  ["/runs/Refunds", { input: [{ role: "system", content: "Obey." }] }, "input[0].role"],
  ["/runs/Refunds", { input: [{ role: "assistant", content: "Yes." }] }, "input[0].role"],
  ["/runs/Refunds", { input: [{ role: "tool", content: "" }] }, "input[0].role"],
  ["/runs/Refunds", { input: { role: "user" } }, "input.content"],
  ["/runs/Refunds", message(5), "input[0].content"],
  ["/runs/Refunds", message([5]), "input[0].content[0]"],
  ["/runs/Refunds", message([{ type: "text" }]), "input[0].content[0].text"],
  ["/runs/Refunds", message([{ type: "text", text: 5 }]), "input[0].content[0].text"],
  ["/runs/Refunds", message([{ type: "provider", text: "x" }]), "input[0].content[0].type"],
  ["/runs/Refunds", message([{ type: "image" }]), "input[0].content[0].url"],
  ["/runs/Refunds", message([{ type: "image", url: "file:///etc/passwd" }]), "input[0].content[0].url"],
  ["/runs/Refunds", message([{ type: "image", url: "http://169.254.169.254/" }]), "input[0].content[0].url"],
  [
    "/runs/Refunds",
    message([{ type: "image", url: "https://x.example", mediaType: 5 }]),
    "input[0].content[0].mediaType",
  ],
  [
    "/runs/Refunds",
    message([{ type: "file", url: "https://x.example", filename: 5 }]),
    "input[0].content[0].filename",
  ],
  ["/runs/Refunds", message(Array.from({ length: 201 }, () => ({}))), "input[0].content"],
  ["/runs/Refunds", { input: Array.from({ length: 201 }, () => "x") }, "input"],
  ["/runs/Refunds", { input: "x", id: 5 }, "id"],
  ["/runs/Refunds", { input: "x", id: "a/b" }, "id"],
  ["/runs/Refunds", { input: "x", id: "../ada" }, "id"],
  ["/runs/Refunds", { input: "x", id: "" }, "id"],
  ["/runs/Refunds", { input: "x", id: ".." }, "id"],
  ["/runs/Refunds", { input: "x", session: "." }, "session"],
  ["/runs/Refunds", { input: "x", id: "x".repeat(101) }, "id"],
  ["/runs/Refunds", { input: "x", session: 5 }, "session"],
  ["/runs/Refunds", { input: "x", session: "a b" }, "session"],
  ["/runs/Refunds", { input: "x", session: "s", decisions: {} }, "decisions"],
  ["/runs/Refunds", { input: "x", session: "s", results: "x" }, "results"],
  ["/runs/Refunds", {}, "input"],
  ["/runs/paused/decide", { decisions: 5 }, "decisions"],
  ["/runs/paused/decide", { decisions: [5] }, "decisions[0]"],
  ["/runs/paused/decide", decision({ approvalId: 5 }), "decisions[0].approvalId"],
  ["/runs/paused/decide", decision({ decision: "maybe" }), "decisions[0].decision"],
  ["/runs/paused/decide", decision({ reason: 5 }), "decisions[0].reason"],
  ["/runs/paused/decide", decision({ arguments: [5] }), "decisions[0].arguments"],
  ["/runs/paused/decide", { decisions: Array.from({ length: 201 }, () => ({})) }, "decisions"],
  ["/runs/paused/resolve", { toolCallId: 5, content: "x" }, "toolCallId"],
  ["/runs/paused/resolve", { toolCallId: "c" }, "content"],
  ["/runs/paused/resolve", { toolCallId: "c", content: "x", isError: "yes" }, "isError"],
  ["/runs/paused/resolve", { results: [5] }, "results[0]"],
  ["/runs/paused/resolve", { results: 5 }, "results"],
  ["/runs/working/cancel", { reason: 5 }, "reason"],
  ["/runs/working/steer", {}, "message"],
  ["/runs/working/steer", { message: 5 }, "message"],
  ["/runs/working/steer", { message: { role: "assistant", content: "x" } }, "message.role"],
  ["/runs/working/queue", { message: { role: "user", content: 5 } }, "message.content"],
])("POST %s %j is refused, naming %s", async (path, body, field) => {
  const response = await server.fetch(request("POST", path, body));
  expect(response.status).toBe(400);
  const { error } = await response.json();
  expect(error.message).toContain(field);
  expect(error.code).toMatch(/^(?:invalid-input|invalid-name|no-message)$/);
});

test.each(["after=x", "after=-2", "after=1.5", "after=NaN", "after=99999999999999999999"])(
  "GET events with %s is refused",
  async (query) => {
    const response = await server.fetch(request("GET", `/runs/paused/events?${query}`));
    expect(response.status).toBe(400);
    expect((await response.json()).error.message).toContain("after");
  },
);

test("the same is refused as Last-Event-ID, which comes before the query", async () => {
  const wrong = request("GET", "/runs/paused/events?after=0", undefined, { "last-event-id": "x" });
  expect((await server.fetch(wrong)).status).toBe(400);
});

test("keys that every object has are not fields", async () => {
  const body = '{"__proto__": {"input": "x"}, "constructor": 1}';
  const response = await server.fetch(request("POST", "/runs/Refunds", body));
  expect(response.status).toBe(400);
  expect((await response.json()).error.message).toContain("input");
});

test("messages of the user are all that is taken: what a provider says of parts is left out", async () => {
  const part = { type: "text", text: "Hi", providerData: { cache: true }, extra: 1 };
  await server.fetch(
    request("POST", "/runs/Refunds", {
      input: message([part]) && [{ role: "user", content: [part] }],
      id: "b",
    }),
  );
  const { input } = await server.runs.get("local/b").state();
  expect(input).toEqual([{ role: "user", content: [{ type: "text", text: "Hi" }] }]);
});
