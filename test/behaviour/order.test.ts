import { expect, test } from "vitest";
import { Agent, run, tool, toolset, type Message } from "skein";
import { ScriptedModel } from "skein/testing";
import { resultsOf, stored, textsOf, type Turns } from "./test-clerk.ts";

const input = { type: "object", properties: {} } as const;

/** An agent that refunds after it has looked up the order; that may fail. */
function shop(turns: Turns, lookUp: () => unknown = () => "an order") {
  const done: string[] = [];
  const tools = [
    tool({
      name: "lookUpOrder",
      input,
      execute: () => {
        done.push("lookUpOrder");
        return lookUp();
      },
    }),
    tool({
      name: "refund",
      description: "Give the money back.",
      input,
      requires: ["lookUpOrder"],
      execute: () => `${done.push("refund")} done`,
    }),
  ];
  const model = new ScriptedModel(turns);
  return { agent: new Agent({ name: "Shop", model, tools }), model, done, tools };
}

const lookUp = { toolName: "lookUpOrder" };
const refund = { toolName: "refund" };

test("a call whose required tool has not succeeded is answered with what to call first", async () => {
  const { agent, model, done } = shop([
    { toolCalls: [refund] },
    { toolCalls: [lookUp] },
    { toolCalls: [refund] },
    "Done.",
  ]);
  const ended = await run(agent, "go");
  expect(textsOf(ended)[0]).toBe(
    'refund was not called: first call "lookUpOrder" and wait for success, then call refund again.',
  );
  expect(resultsOf(ended).map(({ outcome }) => outcome)).toEqual(["not-executed", "success", "success"]);
  expect(done).toEqual(["lookUpOrder", "refund"]);
  const [first, ...others] = model.requests.map(({ tools }) => tools);
  expect(first?.[1]?.description).toBe("Give the money back.\nRequires: lookUpOrder first.");
  for (const specs of others) expect(specs).toBe(first);
});

test("of a tool without a description, what it requires is the description", async () => {
  const { tools } = shop([]);
  const model = new ScriptedModel(["Done."]);
  const pay = tool({ name: "pay", input, requires: ["lookUpOrder"], execute: () => "paid" });
  await run(new Agent({ name: "Shop", model, tools: [...tools.slice(0, 1), pay] }), "go");
  expect(model.requests[0]?.tools?.[1]?.description).toBe("Requires: lookUpOrder first.");
});

test("a call of the same batch does not count as earlier, and a failure not as success", async () => {
  let fails = true;
  const { agent, done } = shop(
    [
      { toolCalls: [lookUp, refund] },
      { toolCalls: [refund] },
      { toolCalls: [lookUp, refund] },
      { toolCalls: [refund] },
      "Done.",
    ],
    () => {
      if (fails) {
        fails = false;
        throw new Error("busy");
      }
      return "an order";
    },
  );
  const ended = await run(agent, "go");
  const outcomes = resultsOf(ended).map(({ toolName, outcome }) => [toolName, outcome]);
  expect(outcomes).toEqual([
    ["lookUpOrder", "error"],
    ["refund", "not-executed"],
    ["refund", "not-executed"],
    ["lookUpOrder", "success"],
    ["refund", "not-executed"],
    ["refund", "success"],
  ]);
  expect(done).toEqual(["lookUpOrder", "lookUpOrder", "refund"]);
});

test("counts calls that succeeded before a resumption, and those in a passed history", async () => {
  const { agent, done } = shop([
    { toolCalls: [lookUp] },
    { toolCalls: [refund] },
    "Done.",
    { toolCalls: [refund] },
    "Done.",
  ]);
  const first = await run(agent, "go", { maxTurns: 1 });
  const second = await run(agent, stored(first.state));
  const history: Message[] = [...second.state.messages, { role: "user", content: "again" }];
  await run(agent, history);
  expect(done).toEqual(["lookUpOrder", "refund", "refund"]);
});

test("each run starts without any", async () => {
  const { agent, done } = shop([{ toolCalls: [lookUp] }, "Done.", { toolCalls: [refund] }, "Done."]);
  await run(agent, "go");
  await run(agent, "go");
  expect(done).toEqual(["lookUpOrder"]);
});

test("an unknown required tool is an error that names the nearest", async () => {
  const { agent } = shop([]);
  const pay = tool({ name: "pay", input, requires: ["lookUpOrders"], execute: () => "paid" });
  const wrong = agent.with({ tools: [pay, ...(agent.tools as [])] });
  await expect(run(wrong, "go")).rejects.toMatchObject({
    code: "invalid-tool",
    message:
      'The tool pay requires "lookUpOrders", which is not a tool of its agent: only those of the same agent count. Did you mean "lookUpOrder"?',
    data: { tool: "pay", requires: "lookUpOrders" },
  });
  const far = tool({ name: "pay", input, requires: ["zzzzzzzz"], execute: () => "paid" });
  await expect(run(agent.with({ tools: [far] }), "go")).rejects.toThrow(/ There are: pay\.$/);
});

test("a required tool that is refused is not named", async () => {
  const model = new ScriptedModel([{ toolCalls: [refund] }, "Done."]);
  const { tools } = shop([]);
  const hidden = tool({ name: "lookUpOrder", input, allow: () => false, execute: () => "an order" });
  const ended = await run(new Agent({ name: "Shop", model, tools: [hidden, ...tools.slice(1)] }), "go");
  expect(textsOf(ended)).toEqual(["refund was not called: it cannot be called yet."]);
  expect(model.requests[0]?.tools).toMatchObject([{ description: "Give the money back." }]);
});

test("a required tool is renamed with its set, and found with the one that requires it", async () => {
  const { tools, done } = shop([]);
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "search_tools", arguments: { query: "money back" } }] },
    { toolCalls: [{ toolName: "shop_lookUpOrder" }] },
    { toolCalls: [{ toolName: "shop_refund" }] },
    "Done.",
  ]);
  const set = toolset(tools).prefixed("shop").deferred({ limit: 1 });
  await run(new Agent({ name: "Shop", model, tools: [set] }), "go");
  expect(model.requests[1]?.tools?.map(({ name }) => name)).toEqual([
    "search_tools",
    "shop_lookUpOrder",
    "shop_refund",
  ]);
  expect(done).toEqual(["lookUpOrder", "refund"]);
});

/** Verifies under an old and a new name, and refunds what is verified. */
function verifying(turns: Turns, policy: { readonly approval?: true } = {}) {
  const verify = tool({ name: "verify", input, ...policy, execute: () => "verified" });
  const check = tool({ name: "check", input, execute: () => "looked at", deprecated: { use: "verify" } });
  const pay = tool({ name: "refund", input, requires: ["verify"], execute: () => "refunded" });
  return new Agent({ name: "Shop", model: new ScriptedModel(turns), tools: [check, verify, pay] });
}
const oldName: Turns = [{ toolCalls: [{ toolName: "check" }] }, "Checked."];
const newTurns: Turns = [{ toolCalls: [refund] }, "Done."];

test("a success through a deprecated name counts for the tool that it went to, also in a later run", async () => {
  const first = await run(verifying(oldName), "go");
  expect(resultsOf(first)).toMatchObject([{ toolName: "check", usedTool: "verify" }]);
  const later = await run(verifying(newTurns), [
    ...stored(first.state).messages,
    { role: "user", content: "Go" },
  ]);
  expect(resultsOf(later).map(({ outcome }) => outcome)).toEqual(["success"]);
});

test("a success that a person has approved counts as well, also with edited arguments", async () => {
  for (const edited of [{}, { arguments: { note: "x" } }]) {
    const agent = verifying([oldName[0]!, newTurns[0]!, "Done."], { approval: true });
    const paused = await run(agent, "go");
    const approvals = paused.pending.map(({ approvalId = "" }) => ({
      approvalId,
      decision: "approve" as const,
      ...edited,
    }));
    const ended = await run(agent, stored(paused.state), { approvals });
    expect(resultsOf(ended).map(({ outcome }) => outcome)).toEqual(["success", "success"]);
  }
});

test("a call that the old tool has answered itself does not count for the new one", async () => {
  const check = tool({ name: "check", input, execute: () => "looked at", deprecated: { use: "verify" } });
  const agent = new Agent({ name: "Shop", model: new ScriptedModel(oldName), tools: [check] });
  const first = await run(agent, "go");
  expect(textsOf(first)).toEqual(["looked at"]);
  const later = await run(verifying(newTurns), [
    ...stored(first.state).messages,
    { role: "user", content: "Go" },
  ]);
  expect(resultsOf(later).map(({ outcome }) => outcome)).toEqual(["not-executed"]);
});
