import { PassThrough } from "node:stream";
import { describe, expect, test, vi } from "vitest";
import { Agent } from "../../agent/agent.ts";
import { AuthenticationError } from "../../errors.ts";
import type { RunState } from "../../message/run-state.ts";
import { run } from "../../run/run.ts";
import { FunctionModel } from "../../testing/function-model.ts";
import { ScriptedModel } from "../../testing/scripted-model.ts";
import { tool } from "../../tool/define.ts";
import { result } from "../../tool/result.ts";
import { chat } from "./chat.ts";
import { ctrlC, patience, terminalChat, transcript } from "./test-chat.ts";

const ctrlD = "\u0004";

vi.setConfig({ testTimeout: 30_000 });

/** An agent that waits until it is stopped, except when told to be quick, and how often it was asked. */
function slowAgent(): { readonly agent: Agent; asked(times: number): Promise<void> } {
  let requests = 0;
  const model = new FunctionModel(({ messages, signal }) => {
    requests += 1;
    const last = messages.at(-1);
    if (last?.role === "user" && last.content === "quick") return `Quick, after ${messages.length} messages.`;
    return new Promise((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  });
  return {
    agent: new Agent({ name: "Clerk", model }),
    asked: (times) => vi.waitFor(() => expect(requests).toBe(times), patience),
  };
}

test("lines that are piped at once are answered one after the other, each with the whole history", async () => {
  const model = new FunctionModel(({ messages }) => `I know ${messages.length} messages.`);
  expect(await transcript(new Agent({ name: "Clerk", model }), ["one", "two", "", "three"])).toBe(
    "> one\nClerk: I know 1 messages.\n> two\nClerk: I know 3 messages.\n> three\nClerk: I know 5 messages.\n",
  );
});

test("commands between turns do not reach the model", async () => {
  const model = new ScriptedModel(["Hello.", "Hello again."]);
  const text = await transcript(
    new Agent({ name: "Clerk", model }),
    ["Hi", "/context", "/reset", "Hi", "/exit", "Hi"],
    {
      context: { user: "ada" },
    },
  );
  expect(text).toContain("> /context\n{ user: 'ada' }\n");
  expect(text).toContain("> /reset\nClerk begins again.\n> Hi\nClerk: Hello again.\n> /exit\n");
  expect(text.match(/> Hi/g)).toHaveLength(2);
  expect(model.requests.map(({ messages }) => messages.length)).toEqual([1, 1]);
});

test("reports a failed turn in plain words, and continues from before it", async () => {
  const names = { provider: "openai", modelId: "gpt" };
  const error = new AuthenticationError("The key was refused. Set OPENAI_API_KEY.", names);
  const model = new ScriptedModel(["One.", { text: "Half", error, errorAfter: 1 }, "Three."]);
  const text = await transcript(new Agent({ name: "Clerk", model }), ["1", "2", "3"]);
  expect(text).toContain(
    "> 2\nClerk: Half\nError: The key was refused. Set OPENAI_API_KEY.\n> 3\nClerk: Three.\n",
  );
  const users = model.requests[2]?.messages.filter(({ role }) => role === "user");
  expect(users).toEqual(["1", "3"].map((content) => ({ role: "user", content })));
});

test("an agent without a model of its own goes on with the model that spoke last, also in the next turn", async () => {
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "transfer_to_sales" }] },
    "Welcome.",
    "Still here.",
  ]);
  const sales = new Agent({ name: "Sales" });
  const text = await transcript(new Agent({ name: "Desk", model, handoffs: [sales] }), ["buy", "more"]);
  expect(text).toContain("Desk → Sales\nSales: Welcome.\n> more\nSales: Still here.\n");
  model.assertComplete();
});

test("options.model speaks for every agent, and the offline one is announced", async () => {
  const model = new ScriptedModel(["Other model."], { provider: "offline", modelId: "offline" });
  const agent = new Agent({ name: "Clerk", model: new ScriptedModel([]) });
  const text = await transcript(agent, ["Hi"], { model });
  expect(text).toMatch(
    /^Offline stand-in: keyword rules, not a language model\..*\n> Hi\nClerk: Other model\.\n$/,
  );
});

test("a model's name that is not understood is an error at once", async () => {
  const agent = new Agent({ name: "Clerk" });
  await expect(transcript(agent, ["Hi"], { model: "opnai:gpt-5.2" })).rejects.toThrow(
    "Did you mean openai:gpt-5.2?",
  );
});

test("applies maxTurns to each message, and reports the limit", async () => {
  const again = tool({ name: "again", input: { type: "object" }, execute: () => "once more" });
  const model = new FunctionModel(() => ({ toolCalls: [{ toolName: "again" }] }));
  const text = await transcript(new Agent({ name: "Clerk", model, tools: [again] }), ["a", "b"], {
    maxTurns: 1,
  });
  expect(text.match(/→ again\(\)\n {2}← once more\n\(stopped at 1 model call,/g)).toHaveLength(2);
});

test("a message whose answer was withheld can be taken back", async () => {
  const model = new ScriptedModel([{ text: "", finishReason: "content-filter" }, "Fine."]);
  const text = await transcript(new Agent({ name: "Clerk", model }), ["a", "/undo", "b"]);
  expect(text).toContain(
    "(the provider withheld the answer: content filter (content-filter); /undo takes your message back)",
  );
  expect(model.requests[1]?.messages).toEqual([{ role: "user", content: "b" }]);
});

test("input without a line ends the chat without a word", async () => {
  expect(await transcript(new Agent({ name: "Clerk", model: new ScriptedModel([]) }), [])).toBe("");
});

test("on a terminal there is a greeting and a prompt, and the end of input leaves", async () => {
  const terminal = terminalChat(new Agent({ name: "Clerk", model: new ScriptedModel(["Hello."]) }));
  await terminal.see("Clerk (scripted). /help lists the commands.");
  await terminal.see("> ");
  terminal.type("Hi\r");
  await terminal.see("Clerk: Hello.\n");
  await terminal.see("> ");
  terminal.type(ctrlD);
  await terminal.see("\n");
  await expect(terminal.done).resolves.toEqual({ failedTurns: 0 });
});

test("Ctrl-C stops the turn that runs, and the chat goes on with a valid history", async () => {
  const { agent, asked } = slowAgent();
  const terminal = terminalChat(agent);
  await terminal.see("> ");
  terminal.type("slow\r");
  await asked(1);
  terminal.type(ctrlC);
  await terminal.see("(cancelled)");
  await terminal.see("> ");
  terminal.type("quick\r");
  await terminal.see("Clerk: Quick, after 2 messages.");
  terminal.type("/exit\r");
  await expect(terminal.done).resolves.toEqual({ failedTurns: 0 });
});

test("a line typed while a turn runs waits for its turn", async () => {
  const { agent, asked } = slowAgent();
  const terminal = terminalChat(agent);
  await terminal.see("> ");
  terminal.type("slow\r");
  await asked(1);
  terminal.type("quick\r");
  terminal.type(ctrlC);
  await terminal.see("(cancelled)\n> quick\nClerk: Quick");
  terminal.type("/exit\r");
  await expect(terminal.done).resolves.toEqual({ failedTurns: 0 });
});

test("what is typed while a turn runs shows behind the next prompt, not within the answer", async () => {
  const { agent, asked } = slowAgent();
  const terminal = terminalChat(agent);
  await terminal.see("> ");
  terminal.type("slow\r");
  await asked(1);
  terminal.type("qui");
  terminal.type(ctrlC);
  await terminal.see("slow\r\n(cancelled)\n> qui");
  terminal.type("ck\r");
  await terminal.see("Clerk: Quick");
  terminal.type("/exit\r");
  await expect(terminal.done).resolves.toEqual({ failedTurns: 0 });
});

test("with nothing running, the first Ctrl-C says how to leave, the second leaves", async () => {
  const { agent } = slowAgent();
  const terminal = terminalChat(agent);
  await terminal.see("> ");
  terminal.type(ctrlC);
  await terminal.see("(Ctrl-C again leaves");
  await terminal.see("> ");
  terminal.type(ctrlC);
  await expect(terminal.done).resolves.toEqual({ failedTurns: 0 });
});

test("a line between two Ctrl-C shows that the person stays", async () => {
  const { agent } = slowAgent();
  const terminal = terminalChat(agent);
  await terminal.see("> ");
  terminal.type(ctrlC);
  await terminal.see("(Ctrl-C again leaves");
  terminal.type("quick\r");
  await terminal.see("Clerk: Quick");
  await terminal.see("> ");
  terminal.type(ctrlC);
  await terminal.see("(Ctrl-C again leaves");
  terminal.type(ctrlC);
  await expect(terminal.done).resolves.toEqual({ failedTurns: 0 });
});

test("a key between two Ctrl-C shows that the person stays", async () => {
  const { agent } = slowAgent();
  const terminal = terminalChat(agent);
  await terminal.see("> ");
  terminal.type(ctrlC);
  await terminal.see("(Ctrl-C again leaves");
  terminal.type(`q\u007F${ctrlC}`);
  await terminal.see("(Ctrl-C again leaves");
  terminal.type(ctrlC);
  await expect(terminal.done).resolves.toEqual({ failedTurns: 0 });
});

test("with something typed, Ctrl-C drops it and no more", async () => {
  const { agent } = slowAgent();
  const terminal = terminalChat(agent);
  await terminal.see("> ");
  terminal.type(`half a li${ctrlC}`);
  await terminal.see("\n> ");
  terminal.type("quick\r");
  expect(await terminal.see("Clerk: Quick, after 1 messages.")).not.toContain("Ctrl-C again");
  terminal.type("quit\r");
  await expect(terminal.done).resolves.toEqual({ failedTurns: 0 });
});

test("Tab completes a command", async () => {
  const { agent } = slowAgent();
  const terminal = terminalChat(agent);
  await terminal.see("> ");
  terminal.type("/con");
  terminal.type("\t");
  await terminal.see("/context");
  terminal.type("\r");
  await terminal.see("undefined");
  terminal.type(ctrlD);
  await expect(terminal.done).resolves.toEqual({ failedTurns: 0 });
});

test("Ctrl-C twice during a turn leaves at once", async () => {
  const { agent, asked } = slowAgent();
  const terminal = terminalChat(agent);
  await terminal.see("> ");
  terminal.type("slow\r");
  await asked(1);
  terminal.type(ctrlC + ctrlC);
  await expect(terminal.done).resolves.toEqual({ failedTurns: 0 });
});

test("what a turn did before it failed is known to the next one", async () => {
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "book" }] },
    { error: new AuthenticationError("the key was revoked", { provider: "scripted", modelId: "scripted" }) },
    "It is booked.",
  ]);
  const book = tool({ name: "book", input: { type: "object", properties: {} }, execute: () => "booked" });
  const text = await transcript(new Agent({ name: "Clerk", model, tools: [book] }), [
    "Book it",
    "Is it booked?",
  ]);
  expect(text).toContain("Error: the key was revoked");
  expect(model.requests[2]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
});

test("turns that failed are counted, and do not end the transcript", async () => {
  const error = new AuthenticationError("no", { provider: "openai", modelId: "gpt" });
  const model = new ScriptedModel([{ error }, "Two.", { error }]);
  const input = new PassThrough();
  input.end("1\n2\n3\n");
  const outcome = await chat(new Agent({ name: "Clerk", model }), { input, output: new PassThrough() });
  expect(outcome).toEqual({ failedTurns: 2 });
});

test("a tool that cannot be used, of any agent of the conversation, is an error before the first input", async () => {
  const broken = { name: "broken", tools: () => Promise.reject(new Error("no such server")) };
  const sales = new Agent({ name: "Sales", tools: [broken] });
  const model = new ScriptedModel([]);
  const desk = new Agent({ name: "Desk", model, handoffs: [sales] });
  await expect(transcript(desk, ["Hi"])).rejects.toThrow("no such server");
});

describe("a state", () => {
  const pay = tool({
    name: "pay",
    input: { type: "object", properties: {} },
    execute: () => result({ value: "paid", context: { paid: true } }),
  });
  const teller = new Agent({ name: "Till", tools: [pay] });
  const model = new FunctionModel(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role === "tool") return "Done.";
    if (last?.role !== "user" || last.content !== "pay") return `I know ${messages.length} messages.`;
    return { toolCalls: [{ toolName: "pay" }] };
  });
  const desk = new Agent({ name: "Desk", model, handoffs: [teller] });

  async function paidState(): Promise<RunState> {
    const { state } = await run(teller, "pay", { model, context: { user: "ada" } });
    return state;
  }

  test("is taken up: agent, messages and context", async () => {
    const text = await transcript(desk, ["Hi", "/context", "/reset", "/agent"], { state: await paidState() });
    expect(text).toContain("> Hi\nTill: I know 5 messages.\n");
    expect(text).toContain("{ user: 'ada', paid: true }");
    expect(text).toContain("Desk begins again.");
  });

  test("may get another context", async () => {
    const options = { state: await paidState(), context: { user: "bob" } };
    expect(await transcript(desk, ["/context"], options)).toContain("{ user: 'bob' }");
  });

  test("whose agent is not in the team is refused", async () => {
    const state = { ...(await paidState()), agent: "Cook" };
    await expect(transcript(desk, ["Hi"], { state })).rejects.toThrow(
      "The agent Cook, who had the lead, cannot be reached from Desk: there are Desk, Till.",
    );
  });
});
