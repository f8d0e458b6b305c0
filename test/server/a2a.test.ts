import { AgentCard, type SendMessageRequest, type StreamResponse, type Task, TaskState } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { Agent, tool } from "skein";
import { serve, type SkeinServer } from "skein/server";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { afterEach, describe, expect, test } from "vitest";
import { partOf, requestOf } from "./a2a-request.ts";

let server: SkeinServer | undefined;

afterEach(async () => {
  await server?.close({ drain: 0 });
  server = undefined;
});

const bindings = {
  JSONRPC: new JsonRpcTransportFactory(),
  "HTTP+JSON": new RestTransportFactory(),
} as const;

/** A client of the official SDK for one agent. */
async function connect(agent: Agent, binding: keyof typeof bindings): Promise<Client> {
  server = serve({ desk: agent }, { protocols: ["a2a"] });
  const { url } = await server.listen({ port: 0 });
  const card = AgentCard.fromJSON(await (await fetch(`${url}/.well-known/agent-card.json`)).json());
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [bindings[binding]],
      preferredTransports: [binding],
    }),
  );
  return factory.createFromAgentCard(card);
}

function message(text: string, fields: Partial<SendMessageRequest["message"]> = {}): SendMessageRequest {
  return requestOf([partOf({ $case: "text", value: text })], fields);
}

async function sendTask(client: Client, request: SendMessageRequest): Promise<Task> {
  const answer = await client.sendMessage(request);
  if ("messageId" in answer) throw new Error("The answer is a message, not a task.");
  return answer;
}

function answerOf({ artifacts }: Task): string {
  const parts = artifacts.find(({ artifactId }) => artifactId === "answer")?.parts ?? [];
  return parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join("");
}

/** The answer as the updates of a stream put it together. */
function answerIn(updates: readonly StreamResponse[]): string {
  let text = "";
  for (const { payload } of updates) {
    if (payload?.$case !== "artifactUpdate" || payload.value.artifact?.artifactId !== "answer") continue;
    const [part] = payload.value.artifact.parts;
    const piece = part?.content?.$case === "text" ? part.content.value : "";
    text = payload.value.append ? text + piece : piece;
  }
  return text;
}

function stateIn(updates: readonly StreamResponse[]): TaskState | undefined {
  const last = updates.at(-1)?.payload;
  return last?.$case === "statusUpdate" ? last.value.status?.state : undefined;
}

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

/** Refund an order. */
function refund(order: number) {
  return `Refunded ${order}.`;
}

function refunds(): Agent {
  const call = { toolName: "refund", arguments: { order: 7 } };
  const model = new FunctionModel(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role === "user") return { toolCalls: [call] };
    return last?.role === "tool" ? `It is ${last.result.outcome}.` : "Done.";
  });
  return new Agent({ name: "Desk", model, tools: [tool(refund, { approval: true })] });
}

describe.each(["JSONRPC", "HTTP+JSON"] as const)("over %s", (binding) => {
  test("a message is a task, whose artifact is the answer", async () => {
    const client = await connect(new Agent({ name: "Desk", model: new ScriptedModel(["Hello."]) }), binding);
    const task = await sendTask(client, message("Hi"));
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(answerOf(task)).toBe("Hello.");
    expect(task.history).toHaveLength(2);
    const read = await client.getTask({ id: task.id, tenant: "" });
    expect(answerOf(read)).toBe("Hello.");
  });

  test("an answer is streamed, and ends with the state of the task", async () => {
    const client = await connect(
      new Agent({ name: "Desk", model: new ScriptedModel([{ text: "A longer answer.", chunkSize: 3 }]) }),
      binding,
    );
    const updates = await all(client.sendMessageStream(message("Hi")));
    expect(updates[0]?.payload?.$case).toBe("task");
    expect(answerIn(updates)).toBe("A longer answer.");
    expect(stateIn(updates)).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  test("a call that waits for a person needs input, and a decision goes on with the task", async () => {
    const client = await connect(refunds(), binding);
    const task = await sendTask(client, message("Money back!"));
    expect(task.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const data = task.status?.message?.parts[1]?.content;
    const { pending } = data?.$case === "data" ? data.value : { pending: [] };
    expect(pending).toMatchObject([{ toolName: "refund", input: { order: 7 } }]);
    const decisions = [{ approvalId: pending[0].approvalId, decision: "approve" }];
    const answer = message("", {
      taskId: task.id,
      parts: [partOf({ $case: "data", value: { decisions } })],
    });
    const updates = await all(client.sendMessageStream(answer));
    expect([answerIn(updates), stateIn(updates)]).toEqual(["It is success.", TaskState.TASK_STATE_COMPLETED]);
  });

  test("a decision may be a word", async () => {
    const client = await connect(refunds(), binding);
    const { id, contextId } = await sendTask(client, message("Money back!"));
    await expect(client.sendMessage(message("Perhaps.", { taskId: id }))).rejects.toThrow(
      /waits for decisions/,
    );
    await expect(all(client.sendMessageStream(message("Perhaps.", { taskId: id })))).rejects.toThrow(
      /waits for decisions/,
    );
    const task = await sendTask(client, message("deny: too late", { taskId: id, contextId }));
    expect(answerOf(task)).toBe("It is denied.");
  });

  test("a context is a conversation", async () => {
    const model = new FunctionModel(({ messages }) => `${messages.length} messages`);
    const client = await connect(new Agent({ name: "Desk", model }), binding);
    const first = await sendTask(client, message("One"));
    const second = await sendTask(client, message("Two", { contextId: first.contextId }));
    expect([answerOf(first), answerOf(second)]).toEqual(["1 messages", "3 messages"]);
    const { tasks, totalSize } = await client.listTasks({
      tenant: "",
      contextId: first.contextId,
      status: TaskState.TASK_STATE_COMPLETED,
      pageToken: "",
      pageSize: 1,
      statusTimestampAfter: undefined,
    });
    expect([tasks.map(({ id }) => id), totalSize]).toEqual([[second.id], 2]);
  });

  test("a task that works is cancelled, and one that has ended is not", async () => {
    const model = new FunctionModel(() => new Promise<string>(() => {}));
    const client = await connect(new Agent({ name: "Desk", model }), binding);
    const request = message("Work!");
    const task = await sendTask(client, {
      ...request,
      configuration: {
        acceptedOutputModes: [],
        taskPushNotificationConfig: undefined,
        returnImmediately: true,
      },
    });
    const followed = all(client.resubscribeTask({ id: task.id, tenant: "" }));
    const cancelled = await client.cancelTask({ id: task.id, tenant: "", metadata: undefined });
    expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect(stateIn(await followed)).toBe(TaskState.TASK_STATE_CANCELED);
    await expect(client.cancelTask({ id: task.id, tenant: "", metadata: undefined })).rejects.toThrow(
      /ended/,
    );
  });

  test("a failure says neither where nor why", async () => {
    const model = new FunctionModel(() => {
      throw new Error("sk-secret at /home/me");
    });
    const client = await connect(new Agent({ name: "Desk", model }), binding);
    const task = await sendTask(client, message("Hi"));
    expect(task.status?.state).toBe(TaskState.TASK_STATE_FAILED);
    expect(JSON.stringify(task)).not.toMatch(/secret|home/);
  });

  test("an unknown task is not there", async () => {
    const client = await connect(new Agent({ name: "Desk", model: new ScriptedModel([]) }), binding);
    await expect(client.getTask({ id: "nothing", tenant: "" })).rejects.toThrow(/not found/);
    await expect(client.sendMessage(message("Hi", { taskId: "nothing" }))).rejects.toThrow(/not found/);
  });

  test("the same message twice is the same task, also without a context", async () => {
    const model = new FunctionModel(({ messages }) => `${messages.length} messages`);
    const client = await connect(new Agent({ name: "Desk", model }), binding);
    const request = message("Hi");
    const first = await sendTask(client, request);
    const second = await sendTask(client, request);
    expect([second.id, second.contextId]).toEqual([first.id, first.contextId]);
    expect(answerOf(second)).toBe("1 messages");
  });
});

test.each([
  ["/a2a/desk", (params: object) => ({ jsonrpc: "2.0", id: 1, method: "SendMessage", params })],
  ["/a2a/desk", (params: object) => ({ jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params })],
  ["/a2a/desk/message:send", (params: object) => params],
  ["/a2a/desk/message:stream", (params: object) => params],
])("a conversation that is busy says when to try again (%s)", async (path, bodyOf) => {
  const model = new FunctionModel(() => new Promise<string>(() => {}));
  server = serve({ desk: new Agent({ name: "Desk", model }) }, { protocols: ["a2a"] });
  const { url } = await server.listen({ port: 0 });
  const send = (configuration: object, text: string): Promise<Response> => {
    const sent = { messageId: text, contextId: "c", role: "ROLE_USER", parts: [{ text }] };
    return fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "a2a-version": "1.0" },
      body: JSON.stringify(bodyOf({ message: sent, configuration })),
    });
  };
  await send({ returnImmediately: true }, "One");
  const refused = await send({}, "Two");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([409, "2"]);
  expect(await refused.text()).toContain("A run of this conversation works");
});
