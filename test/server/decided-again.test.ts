/** Decisions that are sent again, or with others, and what is read of a message whose call another person has decided on. */
import { Agent, tool } from "skein";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { listening, outcome, waiter } from "./serving.ts";

const input = { type: "object", properties: { n: { type: "number" } } } as const;

/** A desk that refunds twice once somebody has approved it. */
async function refunds() {
  const refunded: (number | undefined)[] = [];
  const refund = tool({
    name: "refund",
    input,
    approval: true,
    execute: ({ n }: { readonly n?: number }) => void refunded.push(n),
  });
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "tool"
      ? "Both are done."
      : { toolCalls: [1, 2].map((n) => ({ toolName: "refund", arguments: { n } })) },
  );
  const { url } = await listening({ desk: new Agent({ name: "Desk", model, tools: [refund] }) });
  const post = async (path: string, body: object): Promise<Response> =>
    fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const pendingOf = async (run: string): Promise<readonly string[]> => {
    const { pending } = await (await fetch(`${url}/runs/${run}`)).json();
    return pending.map(({ approvalId }: { readonly approvalId: string }) => approvalId);
  };
  return { refunded, url, post, pendingOf };
}

const decide = (approvalId: string | undefined, decision = "approve") => ({ approvalId, decision });

test("decisions on a run are taken as a whole, or refused as a whole, and may be repeated", async () => {
  const { refunded, post, pendingOf } = await refunds();
  await post("/runs/desk", { id: "r", session: "s", input: "Hi" });
  await expect.poll(() => pendingOf("r")).toHaveLength(2);
  const [first, second] = await pendingOf("r");
  const send = async (...decisions: readonly object[]): Promise<string> =>
    outcome(await post("/runs/r/decide", { decisions }));
  expect(await send(decide(first), decide("f".repeat(64)))).toBe("409 nothing-waits");
  expect(await send(decide(first))).toBe("202");
  expect(await send(decide(first))).toBe("202");
  expect(await send(decide(first, "deny"))).toBe("409 nothing-waits");
  expect(await send(decide(first, "deny"), decide(second))).toBe("409 nothing-waits");
  expect(await pendingOf("r")).toEqual([second]);
  expect(await send(decide(second))).toBe("202");
  await expect.poll(() => refunded).toEqual([1, 2]);
});

test("answers to a response that are repeated without a key are answered as the first ones", async () => {
  const { refunded, post } = await refunds();
  const first = await (await post("/v1/responses", { model: "desk", input: "Hi" })).json();
  const answers = first.output.map(({ id }: { readonly id: string }) => ({
    type: "mcp_approval_response",
    approval_request_id: id,
    approve: true,
  }));
  const body = { model: "desk", previous_response_id: first.id, input: answers };
  const answer = await (await post("/v1/responses", body)).json();
  const again = await (await post("/v1/responses", body)).json();
  expect([again.id, again.output]).toEqual([answer.id, answer.output]);
  expect(JSON.stringify(again.output)).toContain("Both are done.");
  const denied = answers.map((each: object) => ({ ...each, approve: false }));
  expect(await outcome(await post("/v1/responses", { ...body, input: denied }))).toBe("409 nothing-waits");
  expect(refunded).toEqual([1, 2]);
});

test("over useChat, a message that is sent again reads the answer too that came after another person's decision", async () => {
  const { refunded, post, pendingOf, url } = await refunds();
  const message = { id: "m", role: "user", parts: [{ type: "text", text: "Hi" }] };
  const send = async (): Promise<string> =>
    (await post("/chat/desk", { id: "c", messages: [message] })).text();
  expect(await send()).toContain("tool-approval-request");
  const { run } = await (await fetch(`${url}/sessions/c`)).json();
  await post(`/runs/${run.id}/decide`, { decisions: (await pendingOf(run.id)).map((id) => decide(id)) });
  await expect.poll(() => refunded).toEqual([1, 2]);
  const again = await send();
  expect(again).toContain("Both are done.");
  expect(refunded).toEqual([1, 2]);
});

test("over A2A, a refusal has the id of its request", async () => {
  const { agent, letGo } = waiter();
  const { url } = await listening(agent, { protocols: ["a2a"] });
  const send = async (id: number): Promise<unknown> => {
    const message = { messageId: `m${id}`, contextId: "c", role: "ROLE_USER", parts: [{ text: "Go" }] };
    const body = JSON.stringify({ jsonrpc: "2.0", id, method: "SendMessage", params: { message } });
    const headers = { "content-type": "application/json", "a2a-version": "1.0" };
    return (await fetch(`${url}/a2a/Waiter`, { method: "POST", headers, body })).json();
  };
  const first = send(1);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await send(2)).toMatchObject({ id: 2, error: { code: -32_000 } });
  letGo();
  expect(await first).toMatchObject({ id: 1, result: {} });
});
