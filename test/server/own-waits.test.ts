/** What a tool waits for is a call to the framework, whose token is a secret: no client sees it, whatever it speaks. */
import { Agent, tool } from "skein";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { listening } from "./serving.ts";

const noInput = { type: "object", properties: {} } as const;

/**
 * An agent whose tool waits for a webhook.
 * @param where - Whose tool: its own, or that of an agent which is a run of its own.
 */
function shop(where: "its own" | "a detached agent's"): Agent {
  const sell = tool({
    name: "sell",
    input: noInput,
    execute: async (_, { waitFor }) => {
      await waitFor("TOKEN-SECRET");
      return "sold";
    },
  });
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ toolName: "sell", arguments: {} }] },
  );
  const seller = new Agent({ name: "Shop", model, tools: [sell] });
  if (where === "its own") return seller;
  const call = { toolName: "seller", arguments: { input: "A lamp" } };
  return new Agent({
    name: "Shop",
    model: new FunctionModel(({ messages }) =>
      messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [call] },
    ),
    tools: [seller.with({ name: "Seller" }).asTool({ detached: true })],
  });
}

const user = { id: "m1", role: "user" };
const requests: readonly (readonly [name: string, path: string, body?: object])[] = [
  ["native", "/runs/shop", { id: "r1", session: "n1", input: "A lamp" }],
  ["events", "/runs/r1/events"],
  ["run", "/runs/r1"],
  ["session", "/sessions/n1"],
  ["useChat", "/chat/shop", { id: "c1", messages: [{ ...user, parts: [{ type: "text", text: "A lamp" }] }] }],
  ["useChat, loaded again", "/chat/shop/c1"],
  [
    "AG-UI",
    "/ag-ui/shop",
    {
      threadId: "t1",
      runId: "g1",
      messages: [{ ...user, content: "A lamp" }],
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
    },
  ],
  ["AG-UI, loaded again", "/ag-ui/shop/t1"],
  [
    "A2A",
    "/a2a/shop",
    {
      jsonrpc: "2.0",
      id: 1,
      method: "SendMessage",
      params: { message: { messageId: "m1", role: "ROLE_USER", parts: [{ text: "A lamp" }] } },
    },
  ],
  ["Responses", "/v1/responses", { model: "shop", input: "A lamp" }],
];

const cases = [true, false].flatMap((toolCalls) =>
  (["its own", "a detached agent's"] as const).map((where) => ({ toolCalls, where })),
);

test.each(cases)(
  "neither its token nor its call goes out (toolCalls: $toolCalls, $where)",
  async ({ toolCalls, where }) => {
    const protocols = ["native", "ui-messages", "ag-ui", "a2a", "responses"] as const;
    const { url, server } = await listening({ shop: shop(where) }, { show: { toolCalls }, protocols });
    const texts = new Map<string, string>();
    for (const [name, path, body] of requests) {
      const response = await fetch(url + path, {
        ...(body && { method: "POST", body: JSON.stringify(body) }),
        headers: { "content-type": "application/json", "a2a-version": "1.0" },
      });
      texts.set(name, await response.text());
    }
    for (const [name, text] of texts)
      expect([name, text.match(/TOKEN-SECRET|context\.\w+/g)]).toEqual([name, null]);
    // A client is to do nothing.
    expect(texts.get("A2A")).toContain("TASK_STATE_WORKING");
    expect(texts.get("AG-UI")).toContain('"outcome":{"type":"success"}');
    // What came of the wait is the program's, too.
    for (const { id, parent } of await server.runs.list())
      if (parent === undefined) await server.runs.get(id).resolve("TOKEN-SECRET", "VALUE-SECRET");
    const events = await (await fetch(`${url}/runs/r1/events`)).text();
    expect(events).toContain("Done.");
    expect(events.match(/TOKEN-SECRET|VALUE-SECRET|context\.\w+/g)).toBeNull();
  },
);
