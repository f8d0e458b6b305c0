/** What the server's example answers without a browser. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { HttpAgent } from "@ag-ui/client";
import { memoryStore } from "skein/durable";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDesk, type OpenDesk } from "../../examples/server/server.ts";
import { standIn } from "../../examples/server/stand-in.ts";

const folder = new URL("../../examples/server/", import.meta.url);
const readme = readFileSync(new URL("README.md", folder), "utf8");

let desk: OpenDesk;
beforeAll(async () => {
  desk = await openDesk({ port: 0, store: memoryStore(), model: standIn(0) });
});
afterAll(() => desk.close());

const ada = { authorization: "Bearer ada", "content-type": "application/json" };

async function ask(path: string, body?: object): Promise<string> {
  const response = await fetch(desk.url + path, {
    headers: { ...ada, accept: "text/event-stream" },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return response.text();
}

test("the openai client gets what the page says", async () => {
  const program = fileURLToPath(new URL("openai.ts", folder));
  const { stdout } = await promisify(execFile)(process.execPath, [program, desk.url]);
  const [, shown = ""] = /```\n(Chat Completions[^`]*)```/.exec(readme) ?? [];
  expect(stdout).toBe(shown);
});

test("the steps of curl.sh start a run, follow it, and decide with other arguments", async () => {
  await ask("/runs/desk", { id: "r1", session: "s1", input: "I want my money back for order 7." });
  const events = await ask("/runs/r1/events");
  expect(events).toMatch(/"type":"run-end".*"status":"paused"/);
  const approvalId = /"approvalId":"([^"]*)"/.exec(await ask("/runs/r1"))?.[1];
  const decision = { approvalId, decision: "approve", arguments: { order: 7, euros: 40 } };
  const rest = await ask("/runs/r1/decide", { decisions: [decision] });
  expect(rest).toMatch(/"text":"Done\. 40 euros of order 7 are paid to ada\."/);
  expect(await ask("/sessions/s1")).toMatch("Done. 40 euros of order 7 are paid to ada.");
});

test("who does not say who it is gets nothing but the pages", async () => {
  const statuses = ["/", "/react", "/plain.js", "/agents", "/sessions/s1"].map(
    async (path) => (await fetch(desk.url + path)).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 200, 200, 401, 401]);
});

test("AG-UI's HttpAgent has the conversation, the handoff's call and the interrupt", async () => {
  const agent = new HttpAgent({
    url: `${desk.url}/ag-ui/desk`,
    headers: { authorization: "Bearer ada" },
    threadId: "t1",
  });
  agent.addMessage({ id: "m1", role: "user", content: "I want my money back for order 7." });
  await agent.runAgent();
  const [interrupt] = agent.pendingInterrupts;
  expect(interrupt).toMatchObject({ reason: "tool_call" });
  await agent.runAgent({
    resume: [
      {
        interruptId: interrupt?.id ?? "",
        status: "resolved",
        payload: { approved: true, editedArgs: { order: 7, euros: 40 } },
      },
    ],
  });
  expect(agent.messages.at(-1)?.content).toBe("Done. 40 euros of order 7 are paid to ada.");
});
