/** A tool that has had a masked result from elsewhere, which is not kept, and waits for something else after that, comes to its end. */
import { Agent, run, tool, type RunResult } from "skein";
import { memoryStore } from "skein/durable";
import { memorySession, readSession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { noInput } from "./detached-desk.ts";
import { testRuns, until } from "./test-runs.ts";

type Wait = "approval" | "another result" | "token" | "sleep" | "approval of an agent";

/** An order that asks for a code, charges, and waits. */
function desk(wait: Wait, beside: readonly string[] = []) {
  const effects: string[] = [];
  const does = (name: string, approval = false) =>
    tool({ name, input: noInput, approval, execute: () => `${name} ${effects.push(name)}` });
  const askCode = tool({ name: "askCode", input: noInput, mask: true });
  const ask = tool({ name: "ask", input: noInput });
  const payer = new Agent({
    name: "Payer",
    model: new FunctionModel(({ messages }) =>
      messages.at(-1)?.role === "user" ? { toolCalls: [{ toolName: "pay", arguments: {} }] } : "Paid.",
    ),
    tools: [does("pay", true)],
  });
  const order = tool({
    name: "order",
    input: noInput,
    execute: async (_, context) => {
      await context.call("askCode", {});
      await context.call("charge", {});
      if (wait === "approval") await context.call("pay", {});
      else if (wait === "another result") await context.call("ask", {});
      else if (wait === "token") await context.waitFor("token");
      else if (wait === "sleep") await context.sleep("a while", 1_100);
      else await context.runAgent(payer, "Pay");
      return `ordered ${effects.push("order")}`;
    },
  });
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user"
      ? {
          toolCalls: ["order", ...beside].map((toolName) => ({
            toolCallId: toolName,
            toolName,
            arguments: {},
          })),
        }
      : "Done.",
  );
  const tools = [order, askCode, ask, does("charge"), does("pay", true)];
  return { agent: new Agent({ name: "Desk", model, tools }), payer, effects };
}

/** Answers to all that waits: approvals, and results. */
function answersTo(pending: readonly RunResult["pending"][number][]) {
  const approvals = pending.flatMap(({ approvalId }) =>
    approvalId === undefined ? [] : { approvalId, decision: "approve" as const },
  );
  const results = pending.flatMap(({ approvalId, toolCallId }) =>
    approvalId === undefined ? { toolCallId, content: "1234" } : [],
  );
  return { approvals, results };
}

const waits = ["approval", "another result", "token", "approval of an agent"] as const;

const places = ["state", "session", "session that another program reads"] as const;

test.each(waits.flatMap((wait) => places.map((place) => [wait, place] as const)))(
  "%s, resumed from a %s",
  async (wait, place) => {
    const { agent, effects } = desk(wait);
    const session = memorySession();
    const options = place === "state" ? {} : { session };
    let result: RunResult = await run(agent, "Go", options);
    for (let resumed = 0; result.status === "paused" && resumed < 5; resumed++) {
      const input = place === "state" ? JSON.parse(JSON.stringify(result.state)) : [];
      const { pending = [] } = (await readSession(session)).state ?? {};
      const decided = result.state.decisions?.map(({ approvalId }) => approvalId);
      const open = pending.filter(({ approvalId = "" }) => decided?.includes(approvalId) !== true);
      const answers = answersTo(place === "session that another program reads" ? open : result.pending);
      result = await run(agent, input, { ...options, ...answers });
    }
    expect(result.status).toBe("completed");
    const last = wait.startsWith("approval") ? ["pay", "order"] : ["order"];
    expect(effects).toEqual(["charge", ...last]);
  },
);

test.each([...waits, "sleep"] as const)("%s, in a durable run", async (wait) => {
  const { agent, payer, effects } = desk(wait);
  const app = testRuns(memoryStore(), { agents: [agent, payer] });
  void app.work();
  const handle = await app.start(agent, "Go");
  let answers = 0;
  await until(async () => {
    const { status, pending } = await handle.state();
    const open = pending.filter(({ toolName }) => toolName !== "context.sleep");
    if (status === "paused" && open.length > 0 && answers < 8) {
      answers++;
      const { approvals, results } = answersTo(open);
      await handle.answer({ decisions: approvals, results });
    }
    return status === "completed";
  });
  const last = wait.startsWith("approval") ? ["pay", "order"] : ["order"];
  expect(effects).toEqual(["charge", ...last]);
  expect(answers).toBeLessThan(6);
});

test.each(["state", "session", "durable"])(
  "an approval is kept while a call beside is answered first (%s)",
  async (place) => {
    const { agent, effects } = desk("approval", ["ask"]);
    const options = place === "session" ? { session: memorySession() } : {};
    const app = testRuns(memoryStore(), { agents: [agent] });
    void app.work();
    const handle = place === "durable" ? await app.start(agent, "Go") : undefined;
    let result = handle ? await handle.result() : await run(agent, "Go", options);
    for (const toolName of ["askCode", "pay", "ask", "askCode"]) {
      const open: readonly RunResult["pending"][number][] = result.pending;
      const { approvals, results } = answersTo(open.filter((call) => call.toolName === toolName));
      expect(approvals.length + results.length).toBe(1);
      if (handle) await handle.answer({ decisions: approvals, results });
      const input = "state" in result && place === "state" ? JSON.parse(JSON.stringify(result.state)) : [];
      result = handle ? await handle.result() : await run(agent, input, { ...options, approvals, results });
    }
    expect([result.status, effects]).toEqual(["completed", ["charge", "pay", "order"]]);
  },
);
