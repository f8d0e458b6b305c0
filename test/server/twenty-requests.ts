/** Twenty requests that every host is to answer alike. This file runs in all of them: nothing in it is of one platform. */
import { Agent, tool } from "skein";
import type { ServeOptions } from "skein/server";
import { FunctionModel } from "skein/testing";

/** Sends one request to a server, and has its answer. */
export type Send = (method: string, path: string, init: RequestInit) => Promise<Response>;

/** An answer without what differs each time. */
export interface HostAnswer {
  readonly name: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const page = "https://shop.example";

/** How the server of the requests is set up. */
export const hostOptions: ServeOptions = { cors: [page], maxBodyBytes: 1_000 };

/** An agent that answers at once, one that waits for a decision, and one that works until it is cancelled. */
export function hostAgents(): Agent[] {
  const refund = tool({
    name: "refund",
    approval: true,
    input: { type: "object", properties: { order: { type: "number" } } },
    execute: ({ order }: { readonly order?: number }) => `Refunded ${order}.`,
  });
  const wait = tool({
    name: "wait",
    input: { type: "object" },
    execute: () => new Promise<string>((resolve) => setTimeout(resolve, 60_000, "Waited.")),
  });
  const calling = (toolName: string, input: { readonly order?: number }): FunctionModel =>
    new FunctionModel(({ messages }) =>
      messages.at(-1)?.role === "user" ? { toolCalls: [{ toolName, arguments: input }] } : "Done.",
    );
  return [
    new Agent({
      name: "Hello",
      description: "Says hello.",
      model: new FunctionModel(() => ({ text: "Hello, world. Grüße!", chunkSize: 7 })),
    }),
    new Agent({ name: "Refunds", model: calling("refund", { order: 7 }), tools: [refund] }),
    new Agent({ name: "Waiter", model: calling("wait", {}), tools: [wait] }),
  ];
}

/** One request; what it says may depend on an answer before it. */
interface HostRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const json = { "content-type": "application/json" };
const sse = { ...json, accept: "text/event-stream" };

function hostRequests(approvalId: string): readonly HostRequest[] {
  const decisions = [{ approvalId, decision: "approve" }];
  return [
    { name: "health", method: "GET", path: "/health" },
    { name: "agents", method: "HEAD", path: "/agents" },
    { name: "start", method: "POST", path: "/runs/Hello", headers: sse, body: { input: "Hi", id: "a" } },
    { name: "again", method: "POST", path: "/runs/Hello", headers: sse, body: { input: "Hi", id: "a" } },
    { name: "run", method: "GET", path: "/runs/a" },
    { name: "resume", method: "GET", path: "/runs/a/events", headers: { "last-event-id": "2" } },
    { name: "no more", method: "GET", path: "/runs/a/events?after=99" },
    {
      name: "pause",
      method: "POST",
      path: "/runs/Refunds",
      headers: { ...sse, origin: page },
      body: { input: "Refund it", id: "b", session: "s" },
    },
    { name: "session", method: "GET", path: "/sessions/s" },
    { name: "decide", method: "POST", path: "/runs/b/decide", headers: sse, body: { decisions } },
    { name: "work", method: "POST", path: "/runs/Waiter", headers: json, body: { input: "Go.", id: "c" } },
    { name: "steer", method: "POST", path: "/runs/c/steer", headers: json, body: { message: "Faster." } },
    { name: "cancel", method: "POST", path: "/runs/c/cancel" },
    { name: "unknown run", method: "GET", path: "/runs/%F0%9F%A6%86" },
    { name: "wrong method", method: "PUT", path: "/agents", headers: json, body: {} },
    {
      name: "too large",
      method: "POST",
      path: "/runs/Hello",
      headers: json,
      body: { input: "x".repeat(5_000) },
    },
    {
      name: "form",
      method: "POST",
      path: "/runs/Hello",
      headers: { "content-type": "text/plain" },
      body: {},
    },
    { name: "not JSON", method: "POST", path: "/runs/Hello", headers: json, body: "{" },
    {
      name: "preflight",
      method: "OPTIONS",
      path: "/runs/Hello",
      headers: {
        origin: page,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
      },
    },
    {
      name: "foreign page",
      method: "POST",
      path: "/runs/Hello",
      headers: { ...json, origin: "https://evil.example" },
      body: { input: "Hi" },
    },
  ];
}

/** Sends all of them, one after the other. */
export async function askTwenty(send: Send): Promise<readonly HostAnswer[]> {
  const answers: HostAnswer[] = [];
  let approvalId = "";
  for (let place = 0; place < 20; place++) {
    const { name, method, path, headers = {}, body } = hostRequests(approvalId)[place] ?? never();
    const response = await send(method, path, {
      method,
      headers,
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    approvalId = /"approvalId":"(\w+)"/.exec(text)?.[1] ?? approvalId;
    answers.push({ name, status: response.status, headers: ownHeaders(response), body: withoutTimes(text) });
  }
  return answers;
}

function never(): never {
  throw new Error("There are twenty requests.");
}

/** The headers that the server itself sets. Hosts write the charset of JSON as they like. */
function ownHeaders({ headers }: Response): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...headers].flatMap(([name, value]) => {
      if (name === "content-type") return [[name, value.split(";")[0] ?? ""]];
      return /^(?:allow|retry-after|cache-control|x-skein-.*|x-accel-.*|access-control-.*)$/.test(name)
        ? [[name, value]]
        : [];
    }),
  );
}

/** What is not the same twice: times, ids of requests, and whether a run that was started has begun. */
function withoutTimes(text: string): string {
  return text
    .replaceAll(/"(createdAt|updatedAt)":"[^"]*"/g, '"$1":"T"')
    .replaceAll(/"durationMs":[\d.e+-]+/g, '"durationMs":0')
    .replaceAll(/"status":"(?:queued|running)"/g, '"status":"working"');
}
