/** Replays with what a person has changed, started over the data routes. */
import { Agent, run, tool } from "skein";
import { openai } from "skein/openai";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import type { ReplayView } from "../../src/studio/records.ts";
import { openData, type StudioData } from "./data.ts";
import { Counted, replay, resultsIn, scripted, shapeOf } from "./replay-cases.ts";
import { openProvider } from "./test-provider.ts";

/** Pays what the instructions and the message say, and repeats what it reads. */
function payer(paid: object[] = []): Agent {
  const pay = tool({
    name: "pay",
    input: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
    approval: true,
    execute: (input: { readonly amount: number }) => {
      paid.push(input);
      return `Paid ${input.amount}.`;
    },
  });
  const model = new FunctionModel(({ messages, instructions = "" }) => {
    const [result] = resultsIn(messages);
    if (result !== undefined) return `${instructions}: ${result}`;
    const [first] = messages;
    const amount = Number(/\d+/.exec(JSON.stringify(first))?.[0]);
    return { toolCalls: [{ toolName: "pay", arguments: { amount } }] };
  });
  return new Agent({ name: "Payer", instructions: "Be kind", model, tools: [pay] });
}

/** A run in which a call was approved. */
async function paidRun(page: StudioData, agent: Agent): Promise<void> {
  const paused = await run(agent, "Pay 120.", { runId: "first" });
  const approvals = paused.pending.map(
    ({ approvalId = "" }) => ({ approvalId, decision: "approve" }) as const,
  );
  await run(agent, paused.state, { approvals });
  expect(await page.run("first")).toMatchObject({ status: "completed" });
}

test("what a replay begins with is listed: instructions, messages, and tools with their calls", async () => {
  const agent = payer();
  const page = await openData([agent]);
  await paidRun(page, agent);
  const { steps } = await page.run("first");
  const last = steps.findLast(({ kind }) => kind === "model")?.id ?? 0;
  expect(await page.read<ReplayView>(`/studio/runs/first/replay/${last}`)).toEqual({
    step: last,
    turn: 2,
    agent: "Payer",
    isServed: true,
    model: "function:function",
    instructions: "Be kind",
    messages: [
      { index: 0, role: "user", text: "Pay 120.", isEditable: true },
      { index: 1, role: "assistant", about: "Payer", text: 'pay({"amount":120})', isEditable: false },
      { index: 2, role: "tool", about: "pay", text: "Paid 120.", isEditable: true },
    ],
    tools: [{ name: "pay", calls: 1, policies: ["approval"] }],
  });
});

test("instructions, a message and a result are edited, and no person is asked for what was decided", async () => {
  const paid: object[] = [];
  const agent = payer(paid);
  const page = await openData([agent]);
  await paidRun(page, agent);
  const { steps } = await page.run("first");
  const last = steps.findLast(({ kind }) => kind === "model")?.id;

  expect(shapeOf(await replay(page, "first", { instructions: "Be short" }))).toMatchObject({
    status: "completed",
    answers: [
      ["Payer", ""],
      ["Payer", "Be short: Paid 120."],
    ],
  });
  const edited = await replay(page, "first", { step: last, edits: [{ index: 2, text: "Paid nothing." }] });
  expect(shapeOf(edited)).toMatchObject({ answers: [["Payer", "Be kind: Paid nothing."]] });
  const other = await replay(page, "first", { edits: [{ index: 0, text: "Pay 90." }] });
  expect(other.question).toBe("Pay 90.");
  expect(shapeOf(other)).toMatchObject({
    calls: [
      [
        "Payer",
        "pay",
        '{"amount":90}',
        "not-executed",
        "pay was not executed: this is a replay, and the run before did not call it with these arguments.",
      ],
    ],
  });
  expect(paid).toEqual([{ amount: 120 }]);
});

test("the request of a model without a wire is shown with the instructions that it was called with", async () => {
  const agent = payer();
  const page = await openData([agent]);
  await paidRun(page, agent);
  const { id } = await replay(page, "first", { instructions: "Be short" });
  const request = await page.read<{ body: string }>(`/studio/runs/${encodeURIComponent(id)}/requests/2`);
  expect(JSON.parse(request.body)).toMatchObject({ instructions: "Be short" });
});

test("another model answers, and its calls have the results of the run before", async () => {
  const paid: object[] = [];
  const agent = payer(paid);
  const page = await openData([agent]);
  await paidRun(page, agent);
  const repeated = await replay(page, "first", { model: "offline" });
  expect(repeated.steps).toContainEqual(expect.objectContaining({ kind: "model", provider: "offline" }));
  expect(paid).toHaveLength(1);
});

test("a ticked tool that asks for approval waits for a person, and is executed once", async () => {
  const paid: object[] = [];
  const agent = payer(paid);
  const page = await openData([agent]);
  await paidRun(page, agent);
  const paused = await replay(page, "first", { execute: ["pay"] });
  expect(paused.status).toBe("paused");
  const { approvals } = await page.read<{ approvals: readonly { approvalId: string; runId: string }[] }>(
    "/studio/approvals",
  );
  expect(approvals).toMatchObject([{ runId: paused.id, toolName: "pay" }]);
  const decisions = approvals.map(({ approvalId }) => ({ approvalId, decision: "approve" }));
  const path = `/runs/${encodeURIComponent(paused.id.replace("studio/", ""))}/decide`;
  expect((await page.ask(path, { decisions })).status).toBeLessThan(300);
  await expect.poll(async () => (await page.run(paused.id)).status).toBe("completed");
  expect(paid).toEqual([{ amount: 120 }, { amount: 120 }]);
});

test("a run after the replay, in its conversation, executes its calls", async () => {
  const tools = new Counted();
  const agent = new Agent({
    name: "A",
    model: scripted([["act"]], "Done."),
    tools: [tools.tool("act", () => "acted")],
  });
  const page = await openData([agent]);
  await run(agent, "Go.", { runId: "first" });
  const { session } = await replay(page, "first");
  expect(tools.counts).toEqual({ act: 1 });
  const response = await page.ask("/runs/A", { input: "Again.", session, id: `${session}.2` });
  expect(response.status).toBeLessThan(300);
  await page.ended(`studio/${session}.2`);
  expect(tools.counts).toEqual({ act: 2 });
});

test.each([
  ["a step that is not a model call", "first", { step: 2 }, 404],
  ["a run that is not there", "other", {}, 404],
  ["an edit of an answer", "first", { step: 3, edits: [{ index: 1, text: "No." }] }, 400],
  ["an index that is not there", "first", { edits: [{ index: 7, text: "No." }] }, 400],
  ["an agent that the studio does not have", "elsewhere", {}, 400],
])("%s is refused", async (_what, id, body, status) => {
  const tools = new Counted();
  const make = (name: string): Agent =>
    new Agent({ name, model: scripted([["act"]], "Done."), tools: [tools.tool("act", () => "acted")] });
  const agent = make("A");
  const page = await openData([agent]);
  await run(agent, "Go.", { runId: "first" });
  await run(make("Other"), "Go.", { runId: "elsewhere" });
  expect((await page.ask(`/studio/replay/${id}`, body)).status).toBe(status);
});

test("a run whose messages were forgotten to save memory cannot be repeated, and says why", async () => {
  await using provider = await openProvider(["Done."]);
  const agent = new Agent({
    name: "A",
    model: openai("m", { baseURL: provider.baseURL, apiKey: "sk-test" }),
  });
  const page = await openData([agent], { keepBytes: 40_000 });
  for (const runId of ["first", "second"]) await run(agent, "x".repeat(10_000), { runId });
  const response = await page.ask("/studio/runs/first/replay/1");
  expect({ status: response.status, text: await response.text() }).toEqual({
    status: 410,
    text: expect.stringContaining("not remembered any more"),
  });
});

test("of a call that waits still in the run before, the model reads that it has no result", async () => {
  const paid: object[] = [];
  const agent = payer(paid);
  const page = await openData([agent]);
  await run(agent, "Pay 120.", { runId: "first" });
  const { id } = await page.read<{ id: string }>("/studio/replay/first", {});
  const { approvals } = await page.read<{ approvals: readonly { approvalId: string; runId: string }[] }>(
    "/studio/approvals",
  );
  // A replay that asks for a decision gets one: what it does then is the same.
  for (const { approvalId, runId } of approvals)
    await page.ask(`/runs/${encodeURIComponent(runId.replace("studio/", ""))}/decide`, {
      decisions: [{ approvalId, decision: "approve" }],
    });
  const ended = await page.ended(id);
  expect(ended.steps.at(-1)).toMatchObject({
    text: expect.stringContaining("the same call of the run before has no result"),
  });
  expect(paid).toEqual([]);
});
