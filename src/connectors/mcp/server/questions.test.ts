import type { ClientOptions, ElicitResult } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Agent } from "../../../agent/agent.ts";
import { FunctionModel } from "../../../testing/function-model.ts";
import { tool } from "../../../tool/define.ts";
import { sleep } from "../../../base/util/sleep.ts";
import type { ToolContext } from "../../../tool/tool-context.ts";
import type { Tool, Toolset } from "../../../tool/types.ts";
import { mcpRequest } from "./mcp-request.ts";
import { connectClient, newClient, revisions, served, type Revision } from "./test-clients.ts";
import type { McpServerDefinition } from "./types.ts";

const form = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

/** A tool without arguments. */
function asking(name: string, execute: (context: ToolContext) => unknown): Tool {
  return tool({ name, input: { type: "object" }, execute: (_input, context) => execute(context) });
}

/** What a client's user is asked, and answers. */
interface Person {
  readonly asked: string[];
  readonly answers: ElicitResult[];
}

async function ask(
  definition: McpServerDefinition,
  revision: Revision,
  person: Person | undefined,
  call: { readonly name: string; readonly arguments?: Record<string, unknown> },
): Promise<{ readonly text: string; readonly isError: boolean }> {
  const { url } = await served(definition);
  const capabilities: ClientOptions["capabilities"] = person ? { elicitation: {} } : {};
  const client = newClient(revision, { capabilities });
  if (person) {
    client.setRequestHandler("elicitation/create", ({ params }) => {
      person.asked.push(params.message);
      return person.answers[person.asked.length - 1] ?? { action: "cancel" };
    });
  }
  await connectClient(client, url);
  const { content, isError = false } = await client.callTool(call);
  return { text: content.map((block) => (block.type === "text" ? block.text : "")).join(""), isError };
}

const approved: ElicitResult = { action: "accept", content: { approve: true } };

describe.each(revisions)("revision %s", (revision) => {
  test("a tool asks the user, one question after the other", async () => {
    const introduce = asking("introduce", async (context) => {
      const request = mcpRequest(context);
      const first = await request.elicit("first", { message: "First name?", schema: form });
      const last = await request.elicit("last", { message: "Last name?", schema: form });
      return `${String(first.content?.["name"])} ${String(last.content?.["name"])}`;
    });
    const person: Person = {
      asked: [],
      answers: ["Ada", "Lovelace"].map((name) => ({ action: "accept", content: { name } })),
    };
    const answer = await ask({ tools: [introduce] }, revision, person, { name: "introduce" });
    expect(answer).toEqual({ text: "Ada Lovelace", isError: false });
    expect(person.asked).toEqual(["First name?", "Last name?"]);
  });

  test("an approval is not that of another toolset's tool, which has the name by then", async () => {
    const effects: string[] = [];
    const setOf = (owner: string): Toolset => {
      const execute = (): unknown => effects.push(owner);
      const remove = tool({ name: "remove", input: { type: "object" }, approval: true, execute });
      return { name: owner, tools: () => (isMoved && owner === "files" ? [] : [remove]) };
    };
    let isMoved = false;
    const { url } = await served({ tools: [setOf("files"), setOf("mail")] });
    const client = newClient(revision, { capabilities: { elicitation: {} } });
    let requests = 0;
    client.setRequestHandler("elicitation/create", () => {
      isMoved = true;
      return requests++ === 0 ? approved : { action: "decline" };
    });
    await connectClient(client, url);
    await client.callTool({ name: "remove" });
    expect([requests, effects]).toEqual(requests === 1 ? [1, ["files"]] : [2, []]);
  });

  test("a user who declines is not a failure", async () => {
    const introduce = asking("introduce", async (context) => {
      return (await mcpRequest(context).elicit("name", { message: "Name?", schema: form })).action;
    });
    const person: Person = { asked: [], answers: [{ action: "decline" }] };
    const answer = await ask({ tools: [introduce] }, revision, person, { name: "introduce" });
    expect(answer).toEqual({ text: "decline", isError: false });
  });

  test("a tool asks the client's model and for its roots, both at once", async () => {
    const gather = asking("gather", async (context) => {
      const request = mcpRequest(context);
      const [said, roots] = await Promise.all([
        request.sample("capital", { messages: "The capital of France?", maxTokens: 10 }),
        request.roots("roots"),
      ]);
      return `${said.text} by ${said.model} in ${roots.map(({ uri }) => uri).join()}`;
    });
    const { url } = await served({ tools: [gather] });
    const client = newClient(revision, { capabilities: { sampling: {}, roots: {} } });
    client.setRequestHandler("sampling/createMessage", ({ params }) => ({
      role: "assistant",
      model: "tiny",
      content: { type: "text", text: `${params.messages.length} message: Paris` },
    }));
    client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///work" }] }));
    await connectClient(client, url);
    const { content } = await client.callTool({ name: "gather", arguments: {} });
    expect(content).toMatchObject([{ text: "1 message: Paris by tiny in file:///work" }]);
  });

  test("asks the user for approval, with the arguments, before the call", async () => {
    const deleted: unknown[] = [];
    const remove = removal(deleted, true);
    const person: Person = { asked: [], answers: [approved] };
    const call = { name: "remove", arguments: { file: "a.txt" } };
    const answer = await ask({ tools: [remove] }, revision, person, call);
    expect(answer).toEqual({ text: "removed a.txt", isError: false });
    expect(person.asked).toEqual(['Call remove with {"file":"a.txt"}?']);
    expect(deleted).toEqual(["a.txt"]);
  });

  test("shows the user each character of the arguments, also those that hide", async () => {
    const deleted: unknown[] = [];
    const person: Person = { asked: [], answers: [approved] };
    const file = "\u202Etxt.a\u202C\u200B";
    await ask({ tools: [removal(deleted, true)] }, revision, person, { name: "remove", arguments: { file } });
    expect(person.asked).toEqual(['Call remove with {"file":"\\u202etxt.a\\u202c\\u200b"}?']);
    expect(deleted).toEqual([file]);
  });

  test("makes the call with the arguments that the user was shown, also those that are computed", async () => {
    const ids: unknown[] = [];
    let last = 0;
    const input = z.object({ id: z.number().default(() => ++last) });
    const execute = (args: unknown): number => ids.push(args);
    const issue = tool({ name: "issue", description: "Issues.", approval: true, input, execute });
    const agent = new Agent({
      name: "Desk",
      model: new FunctionModel(({ messages }) =>
        messages.length > 1 ? "Done." : { toolCalls: [{ toolName: "issue" }] },
      ),
      tools: [issue],
    });
    const person: Person = { asked: [], answers: [approved, approved] };
    const definition = { tools: [issue], agents: [agent] };
    await ask(definition, revision, person, { name: "issue" });
    await ask(definition, revision, person, { name: "desk", arguments: { input: "Issue one" } });
    expect(ids).toHaveLength(2);
    expect(person.asked).toEqual(ids.map((args) => `Call issue with ${JSON.stringify(args)}?`));
  });

  test.each<[string, ElicitResult]>([
    ["declines", { action: "decline" }],
    ["leaves", { action: "cancel" }],
    ["says no", { action: "accept", content: { approve: false } }],
  ])("a user who %s approves nothing", async (_what, given) => {
    const deleted: unknown[] = [];
    const person: Person = { asked: [], answers: [given] };
    const call = { name: "remove", arguments: { file: "a.txt" } };
    const answer = await ask({ tools: [removal(deleted, true)] }, revision, person, call);
    expect(answer).toEqual({ text: "remove was not called: the user did not approve it.", isError: true });
    expect(deleted).toEqual([]);
  });

  test("shows the user all of the arguments, and refuses a call with more than can be shown", async () => {
    const deleted: unknown[] = [];
    const definition = { tools: [removal(deleted, true)] };
    const person: Person = { asked: [], answers: [approved, approved] };
    const call = (length: number) => ({ name: "remove", arguments: { file: "x".repeat(length) } });
    expect((await ask(definition, revision, person, call(9_000))).isError).toBe(false);
    const answer = await ask(definition, revision, person, call(10_000));
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining("too long to be shown") });
    expect(person.asked).toEqual([`Call remove with {"file":"${"x".repeat(9_000)}"}?`]);
    expect(deleted).toHaveLength(1);
  });

  test("where the client cannot ask, a call that needs approval is refused with the reason", async () => {
    const deleted: unknown[] = [];
    const call = { name: "remove", arguments: { file: "a.txt" } };
    const answer = await ask({ tools: [removal(deleted, true)] }, revision, undefined, call);
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain("this client cannot ask for it");
    expect(deleted).toEqual([]);
  });

  test("accepts approvals of the program, and requests them only where needed", async () => {
    const deleted: unknown[] = [];
    const call = { name: "remove", arguments: { file: "a.txt" } };
    const definition = { tools: [removal(deleted, true)], approvals: "allow" as const };
    expect((await ask(definition, revision, undefined, call)).isError).toBe(false);
    const some = removal(deleted, ({ file }) => file === "b.txt");
    expect((await ask({ tools: [some] }, revision, undefined, call)).isError).toBe(false);
    expect(deleted).toEqual(["a.txt", "a.txt"]);
  });

  test("asks the user for the approvals that an agent's tools need, and resumes the run", async () => {
    const deleted: unknown[] = [];
    let answers = 0;
    const model = new FunctionModel(({ messages }) => {
      answers++;
      const last = messages.at(-1);
      if (last?.role === "tool") return { text: `the tool said ${JSON.stringify(last.result.content)}` };
      return { toolCalls: [{ toolName: "remove", arguments: { file: "c.txt" } }] };
    });
    const janitor = new Agent({ name: "Janitor", model, tools: [removal(deleted, true)] });
    const person: Person = { asked: [], answers: [approved] };
    const call = { name: "janitor", arguments: { input: "Tidy up" } };
    const answer = await ask({ agents: [janitor] }, revision, person, call);
    expect(answer.text).toContain("removed c.txt");
    expect(person.asked).toEqual(['Call remove with {"file":"c.txt"}?']);
    expect(deleted).toEqual(["c.txt"]);
    expect(answers).toBe(2);
  });

  test("asks the user about a call of an agent that a tool has returned", async () => {
    const deleted: unknown[] = [];
    const model = new FunctionModel(({ messages }) => {
      const answers = messages.filter(({ role }) => role === "assistant").length;
      if (answers === 0) return { toolCalls: [{ toolName: "choose" }] };
      const remove = { toolName: "remove", arguments: { file: "d.txt" } };
      return answers === 1 ? { toolCalls: [remove] } : "Tidy.";
    });
    const cleaner = new Agent({ name: "Cleaner", model, tools: [removal(deleted, true)] });
    const choose = tool({
      name: "choose",
      input: { type: "object", properties: {} },
      execute: () => cleaner,
    });
    const janitor = new Agent({ name: "Janitor", model, tools: [choose] });
    const person: Person = { asked: [], answers: [approved] };
    const call = { name: "janitor", arguments: { input: "Tidy up" } };
    expect(await ask({ agents: [janitor] }, revision, person, call)).toEqual({
      text: "Tidy.",
      isError: false,
    });
    expect(deleted).toEqual(["d.txt"]);
  });
});

test("in the newer revision a call that fails for want of a capability says which one", async () => {
  const introduce = asking("introduce", (context) =>
    mcpRequest(context).elicit("name", { message: "Name?", schema: form }),
  );
  await expect(
    ask({ tools: [introduce] }, "2026-07-28", undefined, { name: "introduce" }),
  ).rejects.toMatchObject({ code: -32_021, data: { requiredCapabilities: { elicitation: {} } } });
});

test("uses text in the older revision", async () => {
  const introduce = asking("introduce", (context) =>
    mcpRequest(context).elicit("name", { message: "Name?", schema: form }),
  );
  const answer = await ask({ tools: [introduce] }, "2025-11-25", undefined, { name: "introduce" });
  expect(answer).toEqual({ text: "introduce failed: The client cannot ask its user.", isError: true });
});

test("an approval counts only for the call that requested it", async () => {
  const deleted: unknown[] = [];
  const { url } = await served({ tools: [removal(deleted, true)] });
  const client = newClient("2026-07-28", { capabilities: { elicitation: {} } });
  client.setRequestHandler("elicitation/create", () => approved);
  await connectClient(client, url);
  const schema = { "~standard": anything };
  const call = (params: object): Promise<unknown> =>
    client.request({ method: "tools/call", params: { name: "remove", ...params } }, schema, {
      allowInputRequired: true,
    });
  const forged = await call({ arguments: { file: "a" }, inputResponses: { approval: approved } });
  expect(forged).toMatchObject({ inputRequests: { approval: { method: "elicitation/create" } } });
  const { requestState } = forged as { requestState: string };
  const answers = { inputResponses: { approval: approved }, requestState };
  await expect(call({ arguments: { file: "b" }, ...answers })).rejects.toMatchObject({ code: -32_602 });
  expect(deleted).toEqual([]);
  await call({ arguments: { file: "a" }, ...answers });
  expect(deleted).toEqual(["a"]);
});

/** A call of `remove` that its user has been asked about, as a function that sends the answer. */
async function callWaiting(
  definition: McpServerDefinition,
  args: object = { file: "a" },
): Promise<(url?: string, answer?: ElicitResult) => Promise<unknown>> {
  const { url: first } = await served(definition);
  const client = async (url: string): Promise<(params: object) => Promise<unknown>> => {
    const one = newClient("2026-07-28", { capabilities: { elicitation: {} } });
    await connectClient(one, url);
    return (params) =>
      one.request(
        { method: "tools/call", params: { name: "remove", arguments: args, ...params } },
        { "~standard": anything },
        { allowInputRequired: true },
      );
  };
  const { requestState } = (await (await client(first))({})) as { requestState: string };
  return async (url = first, answer = approved) =>
    (await client(url))({ requestState, inputResponses: { approval: answer } });
}

test("an approval that is sent twice executes its call once", async () => {
  const deleted: unknown[] = [];
  const send = await callWaiting({ tools: [removal(deleted, true, 50)] });
  const [first, second] = await Promise.allSettled([send(), send()]);
  const outcomes = [first, second].map((each) => (each.status === "rejected" ? each.reason : each.value));
  expect(outcomes).toContainEqual(
    expect.objectContaining({ content: [{ type: "text", text: "removed a" }] }),
  );
  expect(outcomes).toContainEqual(expect.objectContaining({ code: -32_602 }));
  await expect(send()).rejects.toMatchObject({ code: -32_602, message: /has been used/ });
  expect(deleted).toEqual(["a"]);
});

test("a refusal cannot be turned into an approval", async () => {
  const deleted: unknown[] = [];
  const send = await callWaiting({ tools: [removal(deleted, true)] });
  expect(await send(undefined, { action: "decline" })).toMatchObject({ isError: true });
  await expect(send()).rejects.toMatchObject({ code: -32_602 });
  expect(deleted).toEqual([]);
});

test("an approval executes one call in all processes that share a secret and what claims states", async () => {
  const deleted: unknown[] = [];
  const claimed = new Set<string>();
  const definition: McpServerDefinition = {
    tools: [removal(deleted, true)],
    stateSecret: "x".repeat(32),
    claimState: (id, milliseconds) => {
      const isFirst = !claimed.has(id) && milliseconds > 500_000;
      claimed.add(id);
      return isFirst;
    },
  };
  const { url } = await served(definition);
  const send = await callWaiting(definition);
  const outcomes = await Promise.allSettled([send(), send(url), send(url)]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expect(send()).rejects.toMatchObject({ code: -32_602 });
  expect(deleted).toEqual(["a"]);
});

test("a store that fails executes nothing", async () => {
  const deleted: unknown[] = [];
  const send = await callWaiting({
    tools: [removal(deleted, true)],
    claimState: () => Promise.reject(new Error("the store is down")),
  });
  await expect(send()).rejects.toThrow(/./);
  expect(deleted).toEqual([]);
});

test("outside a request there is none to ask", () => {
  expect(() => mcpRequest({ toolCallId: "call-1" })).toThrowError(
    expect.objectContaining({ code: "no-mcp-request" }),
  );
});

/** Takes every result as it is. */
const anything = {
  version: 1 as const,
  vendor: "test",
  validate: (value: unknown) => ({ value }),
};

function removal(
  deleted: unknown[],
  approval: boolean | ((args: { readonly file: string }) => boolean),
  duration = 0,
): Tool {
  return tool<{ readonly file: string }>({
    name: "remove",
    description: "Removes a file.",
    input: { type: "object", properties: { file: { type: "string" } }, required: ["file"] },
    approval,
    execute: async ({ file }) => {
      deleted.push(file);
      await sleep(duration);
      return `removed ${file}`;
    },
  });
}
