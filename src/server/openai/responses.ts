import type { AnyAgent } from "../../agent/agent.ts";
import type { StoredRun } from "../../durable/stored-run.ts";
import { fromResponsesRequest, type ResponsesRequest } from "../../protocols/responses/request.ts";
import {
  type ResponseIdentity,
  type ResponsesResponseOptions,
  toResponsesResponse,
  toUnreadResponse,
} from "../../protocols/responses/to-response.ts";
import type { ResponseEcho } from "../../protocols/responses/types.ts";
import type { ApprovalDecision } from "../../message/run-state.ts";
import type { InputMessage } from "../../run/types.ts";
import { digest } from "../../base/util/digest.ts";
import type { JsonObject } from "../../base/util/json.ts";
import type { Call } from "../call.ts";
import { answerOf, isOwnPause, isRunEnd, lastWords, type RunEnd } from "../one-leg.ts";
import { givenUp } from "../conversation.ts";
import { digestOf } from "../received.ts";
import { Refusal } from "../refusal.ts";
import type { RouteHandler } from "../router.ts";
import { hasEnded, isWorking, type UserRun } from "../user-runs.ts";
import { agentOf } from "./models.ts";
import { callerTools, startPlainRun, unlessLeft } from "./plain-run.ts";
import { refuse } from "./refuse.ts";
import { typedOption } from "./typed-option.ts";

/**
 * A response is a part of a run: from its beginning, or from where answers had it go on, to where it stops. Its id says which: that of the run, and
 * the index of the event before.
 */
interface ResponseName {
  readonly runId: string;
  readonly after: number;
}

/** A response that is kept. */
interface Match {
  readonly run: UserRun;
  readonly stored: StoredRun;
  readonly name: ResponseName;
}

/** How many groups of events are read at once. */
const groupsAtOnce = 64;

/** What a run has in its metadata, since the response repeats it. */
interface Remembered {
  readonly model: string;
  readonly previousResponseId?: string;
  readonly background?: boolean;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly echo?: ResponseEcho;
}

/** `POST /v1/responses`. */
export const createResponse: RouteHandler = {
  answer: async (call) => {
    const request = fromResponsesRequest(await call.json());
    const agent = agentOf(call, request.model);
    const { previousResponseId, conversation, background, store } = request;
    // How an answer is sent does not make it another.
    const { stream, ...contents } = request;
    const isPlain = !store && !background && previousResponseId === undefined && conversation === undefined;
    if (isPlain && request.decisions.length > 0) throw nothingIsKept();
    if (isPlain) return plainResponse(call, agent, request, contents);
    const id = await newId(call);
    const previous = previousResponseId === undefined ? undefined : await find(call, previousResponseId);
    const { decisions, results } = request;
    const again = previous && (await readAgain(call, previous, request));
    if (again) return reread(call, again, { stream });
    const next = previous && (await nextAfter(call, previous, request));
    if (previous && next !== undefined)
      return respond(call, previous.run, next, remembered(request), { stream });
    const { run, after } = await call.send({
      agent: agent.name,
      session: conversation ?? (previous && call.runs.sessionOf(previous.stored)) ?? id,
      id,
      contents,
      ...(previous && conversation === undefined && { refusal: () => branchRefusal(call, previous) }),
      input: withInstructions(request),
      tools: callerTools(request.tools),
      decisions,
      results,
      ...(decisions.length + results.length > 0 && {
        answersId: await digestOf([previousResponseId ?? conversation, decisions, results]),
      }),
      settings: request.settings,
      metadata: { response: plain(remembered(request)) },
      ...(request.responseFormat && { output: request.responseFormat }),
    });
    return respond(call, run, after, remembered(request), { stream });
  },
  refuse,
};

/** `GET /v1/responses/:id`, `?stream=true&starting_after=n`. */
export const readResponse: RouteHandler = {
  answer: async (call) => {
    const match = await find(call, call.params["id"] ?? "");
    const query = call.url.searchParams;
    const startingAfter = numberIn(query, "starting_after");
    return reread(call, match, {
      stream: query.get("stream") === "true",
      ...(startingAfter !== undefined && { startingAfter }),
    });
  },
  refuse,
};

/** `POST /v1/responses/:id/cancel`. */
export const cancelResponse: RouteHandler = {
  answer: async (call) => {
    const { run, stored, name } = await find(call, call.params["id"] ?? "");
    if (!(await run.handle.cancel("The client has cancelled it.")))
      return respond(call, run, name.after, rememberedIn(stored), {});
    return Response.json(toUnreadResponse("cancelled", identityOf(name, stored, rememberedIn(stored))));
  },
  refuse,
};

/** A response as it is now. */
async function reread(
  call: Call,
  { run, stored, name }: Match,
  options: Pick<ResponsesResponseOptions, "stream" | "startingAfter">,
): Promise<Response> {
  const { stream = false } = options;
  const memory = rememberedIn(stored);
  if (!stream && isWorking(stored) && (await isLast(call, run, name)))
    return Response.json(
      toUnreadResponse(
        stored.status === "queued" ? "queued" : "in_progress",
        identityOf(name, stored, memory),
      ),
    );
  const next = await nextId(call, name, stored);
  // It was cancelled while it waited: the end before that is not what became of it.
  const isCancelled = stored.status === "cancelled" && (next === undefined || !isGivenUp(stored));
  if (!stream && isCancelled && (await hasOnlyEnds(call, stored, name)))
    return Response.json(toUnreadResponse("cancelled", identityOf(name, stored, memory)));
  const metadata = { ...memory.metadata, ...(next !== undefined && { next_response_id: next }) };
  return respond(call, run, name.after, next === undefined ? memory : { ...memory, metadata }, options);
}

/** A call that waits is kept with its run, and this client has asked for none to be kept. */
function nothingIsKept(): Refusal {
  return new Refusal(
    409,
    "nothing-waits",
    "With store: false nothing is kept that could wait for an approval. Leave store out, and answer with the previous_response_id of the response that asks.",
  );
}

/** Answers without a trace: the run ends with its client. */
async function plainResponse(
  call: Call,
  agent: AnyAgent,
  request: ResponsesRequest,
  contents: object,
): Promise<Response> {
  const messages = withInstructions(request);
  const { running, onCancel } = await startPlainRun(call, agent, { ...request, messages }, contents);
  const answer = toResponsesResponse(running, {
    ...remembered(request),
    stream: request.stream,
    ...typedOption(agent, request.responseFormat !== undefined),
    ...showOf(call),
    ...call.streaming,
    onCancel,
  });
  return unlessLeft(call, running, answer);
}

/** The response from behind an event of a run on. */
async function respond(
  call: Call,
  run: UserRun,
  after: number,
  memory: Remembered,
  options: Pick<ResponsesResponseOptions, "stream" | "startingAfter">,
): Promise<Response> {
  const { stored } = await call.run(run.id);
  const identity = identityOf({ runId: run.id, after }, stored, memory);
  if (memory.background === true && options.stream !== true && isWorking(stored))
    return Response.json(toUnreadResponse(stored.status === "queued" ? "queued" : "in_progress", identity));
  const { output } = stored.data.request;
  // Numbers and ids are the same each time only if this is.
  const agent = [...call.agents.values()].find(({ name }) => name === stored.agent);
  const { events, onCancel } = answerOf(call, { run, after });
  const hasEvents = isWorking(stored) || (await hasEventsAfter(call, stored, after));
  return toResponsesResponse(hasEvents ? events : lastWords(stored), {
    ...identity,
    ...options,
    ...(agent && typedOption(agent, output !== undefined)),
    ...showOf(call),
    ...call.streaming,
    onCancel,
  });
}

/** Events are kept for some time after the end of a run. */
async function hasEventsAfter(call: Call, { id }: StoredRun, after: number): Promise<boolean> {
  return (await call.server.all.store.events(id, after, 1)).length > 0;
}

async function find(call: Call, id: string): Promise<Match> {
  const name = nameOf(id);
  const match = await call.runs.find(name.runId);
  const names = [...call.agents.values()].map((agent) => agent.name);
  if (!match || !names.includes(match.stored.agent))
    throw new Refusal(404, "not-found", `The response "${id.slice(0, 100)}" was not found.`);
  return { ...match, name };
}

/** Only the last response of a conversation can be gone on with: conversations do not branch. */
async function branchRefusal(call: Call, { run, stored, name }: Match): Promise<Refusal | undefined> {
  const session = call.runs.sessionOf(stored);
  // What came after the part that the client has, it could not know: a call was denied in time, or decided on elsewhere.
  const isAtEnd = hasEnded(stored) || (await isLast(call, run, name));
  const [latest] = session === undefined ? [] : await call.runs.inSession(session, 1);
  if (session !== undefined && latest?.id === run.id && isAtEnd) return undefined;
  return new Refusal(
    400,
    "previous_response_not_last",
    "previous_response_id must be the last response of its conversation: this server's conversations do not branch.",
    {},
    "previous_response_id",
  );
}

/** Whether no later part of the run has begun: what is stored has no end with more behind it. */
async function isLast(call: Call, run: UserRun, { after }: ResponseName): Promise<boolean> {
  const { stored } = await call.run(run.id);
  const end = await endOfPart(call, stored, after);
  return !end || end.index >= stored.progress.next - 1;
}

/** The end of the part of a run that begins behind an event; `undefined` if it has none yet, or events are not kept any more. */
async function endOfPart(call: Call, { id }: StoredRun, after: number): Promise<RunEnd | undefined> {
  for (let from = after; ;) {
    const groups = await call.server.all.store.events(id, from, groupsAtOnce);
    const events = groups.flatMap((group) => group.events);
    const end = events.find((event) => isRunEnd(event) && event.index > after && !isOwnPause(event));
    if (end && isRunEnd(end)) return end;
    const read = groups.at(-1)?.last;
    if (read === undefined || groups.length < groupsAtOnce) return undefined;
    from = read;
  }
}

/**
 * Where the response goes on that a client reads on: what came of a pause, also if staff have decided. It asks with no input, or with the
 * decisions that were carried out; what still waits is reported once more.
 * @returns the index of the event before; `undefined` for a request that is to do something.
 */
async function nextAfter(
  call: Call,
  { stored, name }: Match,
  { input, decisions, results }: ResponsesRequest,
): Promise<number | undefined> {
  if (input.length + results.length > 0) return undefined;
  const end = await endOfPart(call, stored, name.after);
  if (end?.status !== "paused") return undefined;
  if (decisions.length === 0) return end.index;
  const approvalIds = new Set(end.result?.pending.map(({ approvalId }) => approvalId));
  const entries = await call.server.all.store.load(stored.log);
  const decided = new Map(
    entries.flatMap((each) => (each.type === "decision" ? [[each.approvalId, each]] : [])),
  );
  const isRepeated = ({ approvalId, decision }: ApprovalDecision): boolean =>
    approvalIds.has(approvalId) && decided.get(approvalId)?.decision === decision;
  return decisions.every(isRepeated) ? end.index : undefined;
}

/**
 * The response that answers a client which reads on, where its run has not gone on: the one that waits itself, or was cancelled; behind one
 * that a message took back, the one that the message began.
 */
async function readAgain(
  call: Call,
  previous: Match,
  { input, decisions, results }: ResponsesRequest,
): Promise<Match | undefined> {
  const { stored, name } = previous;
  if (input.length + decisions.length + results.length > 0) return undefined;
  const end = await endOfPart(call, stored, name.after);
  if (end?.status !== "paused") return undefined;
  const isWaiting = stored.status === "paused" && end.index >= stored.progress.next - 1;
  if (isWaiting) return previous;
  if (stored.status !== "cancelled" || !(await hasOnlyEnds(call, stored, name))) return undefined;
  const next = isGivenUp(stored) ? await runBehind(call, name.runId, stored) : undefined;
  return next === undefined ? previous : find(call, next);
}

/** The id of the response that follows: a run may have gone on after an answer that did not come from this client. */
async function nextId(
  call: Call,
  { runId, after }: ResponseName,
  stored: StoredRun,
): Promise<string | undefined> {
  const end = await endOfPart(call, stored, after);
  if (end?.status !== "paused" || end.index >= stored.progress.next - 1) return undefined;
  if (isGivenUp(stored) && (await hasOnlyEnds(call, stored, { runId, after })))
    return runBehind(call, runId, stored);
  return idOf({ runId, after: end.index });
}

/** Whether a message took back what the run waited for. */
function isGivenUp({ status, data }: StoredRun): boolean {
  return status === "cancelled" && data.cancel?.reason === givenUp;
}

/** The run that followed in the conversation. */
async function runBehind(call: Call, runId: string, stored: StoredRun): Promise<string | undefined> {
  const session = call.runs.sessionOf(stored);
  if (session === undefined) return undefined;
  const ids = (await call.runs.inSession(session)).map(({ id }) => id);
  return ids[ids.indexOf(runId) - 1];
}

/** Whether a part of a run has nothing behind its end but another end. */
async function hasOnlyEnds(call: Call, { id }: StoredRun, { after }: ResponseName): Promise<boolean> {
  let hasEnd = false;
  for (let from = after; ;) {
    const groups = await call.server.all.store.events(id, from, groupsAtOnce);
    for (const { type, index } of groups.flatMap(({ events }) => events)) {
      if (index <= after) continue;
      if (hasEnd && type !== "run-end") return false;
      hasEnd ||= type === "run-end";
    }
    const read = groups.at(-1)?.last;
    if (read === undefined || groups.length < groupsAtOnce) return hasEnd;
    from = read;
  }
}

/** Instructions hold for one response. */
function withInstructions({ instructions, input }: ResponsesRequest): readonly InputMessage[] {
  return instructions === undefined ? input : [{ role: "system", content: instructions }, ...input];
}

function remembered(request: ResponsesRequest): Remembered {
  const { model, previousResponseId, background, metadata, echo } = request;
  return {
    model,
    background,
    metadata,
    echo,
    ...(previousResponseId !== undefined && { previousResponseId }),
  };
}

function rememberedIn({ data, agent }: StoredRun): Remembered {
  const { response }: { readonly response?: Partial<Remembered> } = Object(data.request.metadata);
  return { model: agent, ...response };
}

function identityOf(name: ResponseName, { createdAt }: StoredRun, memory: Remembered): ResponseIdentity {
  return { ...memory, id: idOf(name), createdAt };
}

function idOf({ runId, after }: ResponseName): string {
  return after < 0 ? runId : `${runId}.${after}`;
}

function nameOf(id: string): ResponseName {
  const [, runId = id, after] = /^(resp_[\w~]+)\.(\d{1,15})$/.exec(id) ?? [];
  return { runId, after: after === undefined ? -1 : Number(after) };
}

/** The same request sent twice is one response, if the client says that it is the same. */
async function newId(call: Call): Promise<string> {
  const key = call.request.headers.get("idempotency-key");
  const name = key === null ? crypto.randomUUID().replaceAll("-", "") : (await digest(key)).slice(0, 32);
  return `resp_${name}`;
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  throw new Refusal(400, "invalid-input", `${name} must be an integer.`, {}, name);
}

function showOf(call: Call): Pick<ResponsesResponseOptions, "show"> {
  const { show } = call.server.options;
  return show ? { show } : {};
}

function plain(value: Remembered): JsonObject {
  const copy: JsonObject = JSON.parse(JSON.stringify(value));
  return copy;
}
