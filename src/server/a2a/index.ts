import { sseFrame, sseResponse } from "../../base/stream/sse-response.ts";
import { isPlainObject } from "../../base/util/json.ts";
import type { Call } from "../call.ts";
import { plainRefusal, Refusal } from "../refusal.ts";
import type { RouteHandler } from "../router.ts";
import { cardOf } from "./card.ts";
import { loadSdk, type Sdk } from "./sdk.ts";
import { UserTasks } from "./user-tasks.ts";

/** `GET /.well-known/agent-card.json`: the card of the first agent; each agent's own is at `/a2a/:agent/.well-known/agent-card.json`. */
export const readCard: RouteHandler = {
  answer: async (call) => {
    const { a2a } = await loadSdk();
    const [first] = call.agents;
    const name = call.params["agent"] ?? first?.[0] ?? "";
    return Response.json(a2a.AgentCard.toJSON(cardOf(call, name, call.agent(name))));
  },
  refuse: plainRefusal,
};

/** What JSON-RPC calls a refusal: an internal error, or one of this server's own. */
const rpcCodes: Readonly<Record<number, number>> = { 409: -32_000, 429: -32_000, 500: -32_603, 503: -32_000 };

/** `POST /a2a/:agent`: JSON-RPC. */
export const answerJsonRpc: RouteHandler = {
  answer: async (call) => {
    const sdk = await loadSdk();
    const tasks = tasksOf(sdk, call);
    const body = await call.json();
    if (!isPlainObject(body))
      throw new Refusal(400, "invalid-request", "The body must be a JSON-RPC request.");
    const context = contextOf(sdk, call);
    const failure = (error: unknown): object => ({
      jsonrpc: "2.0",
      id: body["id"] ?? null,
      error: sdk.server.JsonRpcTransportHandler.mapToJSONRPCError(error),
    });
    try {
      sdk.server.validateVersion(context.requestedVersion, await tasks.getAgentCard(), "JSONRPC");
      const answer = await new sdk.server.JsonRpcTransportHandler(tasks).handle(body, context);
      if (tasks.refusal) throw tasks.refusal;
      if (!(Symbol.asyncIterator in answer)) return Response.json(answer);
      return await streamed(call, answer, (error) => sseFrame(JSON.stringify(failure(error))));
    } catch (error) {
      return error instanceof Refusal ? rpcRefusal(error, body["id"]) : Response.json(failure(error));
    }
  },
  refuse: (refusal) => rpcRefusal(refusal, undefined),
};

/** @param id - That of the request, as far as it was read. */
function rpcRefusal({ status, message, headers }: Refusal, id: unknown): Response {
  const error = { code: rpcCodes[status] ?? -32_600, message };
  return Response.json({ jsonrpc: "2.0", id: id ?? null, error }, { status, headers });
}

/** The binding HTTP+JSON: `POST /a2a/:agent/message:send`, `POST .../message:stream`, `GET .../tasks`, `GET .../tasks/:task` and so on. */
export const answerRest: RouteHandler = {
  answer: async (call) => {
    const sdk = await loadSdk();
    const tasks = tasksOf(sdk, call);
    try {
      sdk.server.validateVersion(
        contextOf(sdk, call).requestedVersion,
        await tasks.getAgentCard(),
        "HTTP+JSON",
      );
      return await restAnswer(sdk, call, tasks);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      const status = sdk.errors.restStatusFor(error);
      return json(call, sdk.errors.toRestErrorBody(error, status), status);
    }
  },
  refuse: ({ status, code, message, headers }) =>
    Response.json(
      { error: { code: status, status: code.toUpperCase().replaceAll("-", "_"), message, details: [] } },
      { status, headers },
    ),
};

async function restAnswer(sdk: Sdk, call: Call, tasks: UserTasks): Promise<Response> {
  const { a2a, errors } = sdk;
  const { action = "", task = "" } = call.params;
  const isPost = call.request.method === "POST";
  const [id = "", verb] = task.split(":");
  const query = call.url.searchParams;
  const historyLength = query.has("historyLength") ? Number(query.get("historyLength")) : undefined;
  if (isPost && action === "message:send") {
    const value = await tasks.sendMessage(a2a.SendMessageRequest.fromJSON(await call.json()));
    const response =
      "messageId" in value ? { message: a2a.Message.toJSON(value) } : { task: a2a.Task.toJSON(value) };
    return json(call, response);
  }
  if (isPost && action === "message:stream")
    return restStream(sdk, call, tasks.sendMessageStream(a2a.SendMessageRequest.fromJSON(await call.json())));
  if (verb === "subscribe") return restStream(sdk, call, tasks.resubscribe({ id, tenant: "" }));
  if (isPost && verb === "cancel")
    return json(call, a2a.Task.toJSON(await tasks.cancelTask({ id, tenant: "", metadata: undefined })));
  if (!isPost && action === "tasks") {
    const list = await tasks.listTasks(a2a.ListTasksRequest.fromJSON(queryOf(query)));
    return json(call, a2a.ListTasksResponse.toJSON(list));
  }
  if (!isPost && task !== "" && verb === undefined) {
    const length = historyLength === undefined ? {} : { historyLength };
    return json(call, a2a.Task.toJSON(await tasks.getTask({ id, tenant: "", ...length })));
  }
  if (action === "extendedAgentCard") return tasks.getAuthenticatedExtendedAgentCard();
  throw new errors.UnsupportedOperationError(
    `${call.request.method} ${call.url.pathname} is not an operation.`,
  );
}

async function restStream(
  sdk: Sdk,
  call: Call,
  updates: AsyncGenerator<Parameters<typeof sdk.a2a.StreamResponse.toJSON>[0], void>,
): Promise<Response> {
  return streamed(
    call,
    mapped(updates, (update) => sdk.a2a.StreamResponse.toJSON(update)),
    (error) =>
      sdk.a2a.formatSSEErrorEvent(sdk.errors.toRestErrorBody(error, sdk.errors.restStatusFor(error))),
  );
}

/** An event stream of JSON, whose first value is waited for: what is wrong with the request has a status of its own. */
async function streamed(
  call: Call,
  values: AsyncGenerator<unknown, void>,
  failure: (error: unknown) => string,
): Promise<Response> {
  const first = await values.next();
  return sseResponse(frames(first, values, failure), { ...call.streaming });
}

async function* frames(
  first: IteratorResult<unknown, void>,
  values: AsyncGenerator<unknown, void>,
  failure: (error: unknown) => string,
): AsyncGenerator<string, void> {
  try {
    if (first.done !== true) yield sseFrame(JSON.stringify(first.value));
    for await (const value of values) yield sseFrame(JSON.stringify(value));
  } catch (error) {
    yield failure(error);
  }
}

async function* mapped<T, U>(values: AsyncIterable<T>, change: (value: T) => U): AsyncGenerator<U, void> {
  for await (const value of values) yield change(value);
}

function tasksOf(sdk: Sdk, call: Call): UserTasks {
  const { agent: name = "" } = call.params;
  return new UserTasks(sdk, call, name, call.agent(name));
}

function contextOf(
  { server, a2a }: Sdk,
  { request, authorized }: Call,
): InstanceType<Sdk["server"]["ServerCallContext"]> {
  const requestedVersion = request.headers.get(a2a.A2A_VERSION_HEADER);
  return new server.ServerCallContext({
    user: { isAuthenticated: true, userName: authorized.user },
    ...(requestedVersion !== null && { requestedVersion }),
  });
}

function queryOf(query: URLSearchParams): Readonly<Record<string, unknown>> {
  const { pageSize, historyLength, includeArtifacts, ...rest } = Object.fromEntries(query);
  return {
    ...rest,
    ...(pageSize !== undefined && { pageSize: Number(pageSize) }),
    ...(historyLength !== undefined && { historyLength: Number(historyLength) }),
    ...(includeArtifacts !== undefined && { includeArtifacts: includeArtifacts === "true" }),
  };
}

/** The type that the client accepts; plain JSON unless it names the protocol's own. */
function json(call: Call, value: unknown, status = 200): Response {
  const wanted = call.request.headers.get("accept") ?? "";
  const type = wanted.includes("application/a2a+json") ? "application/a2a+json" : "application/json";
  return new Response(JSON.stringify(value), { status, headers: { "content-type": type } });
}
