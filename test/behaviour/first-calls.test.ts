import { describe, expect, test } from "vitest";
import { Agent, run, SkeinError, tool, type RunState, type ToolChoice } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { decide, stored } from "./test-clerk.ts";

/** An agent that has to call a tool first, and a model that does what it is forced to do, and answers otherwise. */
function forced(toolChoice: ToolChoice, approval = false) {
  const choices: unknown[] = [];
  let paid = 0;
  const pay = tool({ name: "pay", input: {}, approval, execute: () => `${++paid} paid` });
  const model = new FunctionModel(({ toolChoice: choice }) => {
    choices.push(choice);
    return choice === "auto" ? "Done." : { toolCalls: [{ toolName: "pay" }] };
  });
  const agent = new Agent({ name: "A", model, tools: [pay], toolChoice });
  return { agent, choices, paid: () => paid };
}

/** The state that a run reached which fails. */
const stateOfFailure = (failing: Promise<unknown>): Promise<RunState> =>
  failing.then(
    () => expect.fail("nothing was thrown"),
    (error: unknown) => (error instanceof SkeinError && error.state ? error.state : Promise.reject(error)),
  );

describe.each(["required", { tool: "pay" }] as const)("toolChoice %j holds once for a run", (choice) => {
  test("that pauses for an approval", async () => {
    const { agent, choices, paid } = forced(choice, true);
    const paused = await run(agent, "Pay");
    const ended = await run(agent, stored(paused.state), decide(paused));
    expect(ended.status).toBe("completed");
    expect([choices, paid()]).toEqual([[choice, "auto"], 1]);
  });

  test("that pauses for an approval in a session", async () => {
    const { agent, choices, paid } = forced(choice, true);
    const session = memorySession();
    const paused = await run(agent, "Pay", { session });
    const ended = await run(agent, [], { session, ...decide(paused) });
    expect(ended.status).toBe("completed");
    expect([choices, paid()]).toEqual([[choice, "auto"], 1]);
  });

  test("that reaches its limit of model calls", async () => {
    const { agent, choices, paid } = forced(choice);
    const limited = await run(agent, "Pay", { maxTurns: 1 });
    expect(limited.status).toBe("max-turns");
    const ended = await run(agent, stored(limited.state), { maxTurns: 1 });
    expect(ended.status).toBe("completed");
    expect([choices, paid()]).toEqual([[choice, "auto"], 1]);
  });
});

test("a toolChoice holds again in the next run of a session", async () => {
  const { agent, choices, paid } = forced("required");
  const session = memorySession();
  await run(agent, "Pay", { session });
  await run(agent, "Pay again", { session });
  expect([choices, paid()]).toEqual([["required", "auto", "required", "auto"], 2]);
});

test("a toolChoice still holds for a run that is resumed because its first model call failed", async () => {
  const choices: unknown[] = [];
  const model = new FunctionModel(({ toolChoice }) => {
    choices.push(toolChoice);
    if (choices.length === 1) throw new Error("down");
    return toolChoice === "auto" ? "Done." : { toolCalls: [{ toolName: "look" }] };
  });
  const look = tool({ name: "look", input: {}, execute: () => "seen" });
  const agent = new Agent({ name: "A", model, tools: [look], toolChoice: "required" });
  const failed = await stateOfFailure(run(agent, "Look"));
  await run(agent, stored(failed));
  expect(choices).toEqual(["required", "required", "auto"]);
});

test("an agent that takes over after a resumption has its first call forced, and one that comes back has not", async () => {
  const choices: string[] = [];
  const model = new FunctionModel(({ toolChoice, instructions = "", messages }) => {
    choices.push(`${instructions} ${JSON.stringify(toolChoice)}`);
    if (messages.length > 6) return "Done.";
    return { toolCalls: [{ toolName: instructions === "A" ? "transfer_to_b" : "transfer_to_a" }] };
  });
  const a: Agent = new Agent({
    name: "A",
    instructions: "A",
    model,
    toolChoice: "required",
    handoffs: () => [b],
  });
  const b: Agent = new Agent({
    name: "B",
    instructions: "B",
    model,
    toolChoice: "required",
    handoffs: () => [a],
  });
  let result = await run(a, "go", { maxTurns: 1 });
  while (result.status !== "completed") result = await run(a, stored(result.state), { maxTurns: 1 });
  expect(choices).toEqual([`A "required"`, `B "required"`, `A "auto"`, `B "auto"`]);
});

test.each([
  ["texts", true],
  ["calls", false],
])("wrong answers in a row count on in a run that is resumed, as %s", async (_title, isText) => {
  const wrong = { total: "none" };
  const model = new FunctionModel(() =>
    isText ? JSON.stringify(wrong) : { toolCalls: [{ toolName: "final_answer", arguments: wrong }] },
  );
  const output = { type: "object", properties: { total: { type: "number" } }, required: ["total"] } as const;
  const agent = new Agent({ name: "A", model, output });
  let result = await run(agent, "Total?", { maxTurns: 1 });
  const statuses: string[] = [result.status];
  for (let runs = 1; runs < 4; runs++) {
    result = await run(agent, stored(result.state), { maxTurns: 1 });
    statuses.push(result.status);
  }
  // A run that ended for its mistakes has as many chances again.
  expect(statuses).toEqual(["max-turns", "max-turns", "corrections", "max-turns"]);
});
