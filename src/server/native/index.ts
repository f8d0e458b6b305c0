import { isDeeperThan } from "../../base/util/is-deeper-than.ts";
import { publicError, publicProblem } from "../../run/public/public-error.ts";
import { publicMessages } from "../../run/public/public-event.ts";
import { checkedShow } from "../../run/public/show.ts";
import type { DurableState, RunInfo } from "../../durable/types.ts";
import { InputObject } from "../../protocols/kit/input-object.ts";
import { eventAnswer } from "../../run/public/event-stream.ts";
import type { Answer } from "../answer.ts";
import { withInput } from "../history.ts";
import { type Accompaniment, answer, type Answers, nothingWaits, pass } from "../conversation.ts";
import { digestOf } from "../received.ts";
import type { Followed } from "../turn.ts";
import type { Call } from "../call.ts";
import { readDecisions, readInput, readResult, readResults, readUserMessage } from "../input.ts";
import { notFound, plainRefusal, Refusal } from "../refusal.ts";
import type { RouteHandler } from "../router.ts";
import { isWorking } from "../user-runs.ts";

/** `GET /agents`: the agents that the user may use. */
export const listAgents: RouteHandler = route((call) =>
  Response.json({
    agents: [...call.agents].map(([name, { description }]) => ({
      name,
      ...(description !== undefined && { description }),
    })),
  }),
);

/**
 * `POST /runs/:agent`: starts a run, or has a conversation go on. Answers with the run's events if the client accepts `text/event-stream`,
 * else with the run.
 */
export const startRun: RouteHandler = route(async (call) => {
  const agent = call.agent(call.params["agent"] ?? "");
  const body = new InputObject(await call.json());
  body.assertOnly(["id", "session", "input", "decisions", "results"]);
  const id = call.request.headers.get("idempotency-key") ?? body.optionalText("id");
  const session = body.optionalText("session");
  const turn = {
    agent: agent.name,
    input: readInput(body),
    ...(id !== undefined && { id }),
  };
  const answers = {
    decisions: readDecisions(body),
    results: readResults(body),
  };
  const contents = { input: turn.input, ...answers };
  if (session !== undefined)
    return respond(call, await call.send({ ...turn, ...answers, session, contents }));
  if (answers.decisions.length + answers.results.length > 0)
    throw new Refusal(
      400,
      "invalid-input",
      "Decisions and results need the session of their run, or POST /runs/<id>/decide.",
    );
  if (turn.input.length === 0)
    throw new Refusal(400, "no-message", "input is missing: a text, or messages of the user.");
  return respond(call, await call.start({ ...turn, contents }));
});

/** `GET /runs/:id`: how a run stands. */
export const readRun: RouteHandler = route(async (call) => {
  const { run } = await call.run(call.params["id"] ?? "");
  const state = await run.state();
  return Response.json(infoFor(call, state, state));
});

/** `GET /runs/:id/events`: the events behind `Last-Event-ID`, or `?after=`. 204 if there are no more, so that an EventSource stops asking. */
export const readEvents: RouteHandler = route(async (call) => {
  const { run, stored } = await call.run(call.params["id"] ?? "");
  const after = indexOf(call.request.headers.get("last-event-id") ?? call.url.searchParams.get("after"));
  if (!isWorking(stored)) {
    // None behind that one, or they are not kept any more.
    const rest = await call.server.all.store.events(stored.id, after, 1);
    if (rest.length === 0) return new Response(null, { status: 204 });
  }
  return stream(call, { run, after });
});

/** `POST /runs/:id/decide`: `{ decisions: [{ approvalId, decision, reason?, arguments? }] }`. */
export const decide: RouteHandler = route(async (call) => {
  const { run } = await call.run(call.params["id"] ?? "");
  const body = new InputObject(await call.json());
  body.assertOnly(["decisions"]);
  return answered(call, run, { decisions: readDecisions(body) });
});

/** `POST /runs/:id/resolve`: `{ toolCallId, content, isError? }`, or a list `results` of these. */
export const resolve: RouteHandler = route(async (call) => {
  const { run } = await call.run(call.params["id"] ?? "");
  const body = new InputObject(await call.json());
  const isList = body.get("results") !== undefined;
  body.assertOnly(isList ? ["results"] : ["toolCallId", "content", "isError"]);
  const results = isList ? readResults(body) : [readResult(body)];
  if (results.some(({ content }) => isDeeperThan(content, 50)))
    throw new Refusal(400, "invalid-input", "content has more than 50 levels.");
  return answered(call, run, { results });
});

/** `POST /runs/:id/cancel`: `{ reason? }`. */
export const cancel: RouteHandler = route(async (call) => {
  const { run } = await call.run(call.params["id"] ?? "");
  const body = new InputObject(await call.optionalJson());
  body.assertOnly(["reason"]);
  const reason = body.optionalText("reason");
  return Response.json({ id: run.id, cancelled: await run.handle.cancel(reason?.slice(0, 1_000)) });
});

/** `POST /runs/:id/steer`: `{ message }`, read before the next model call. */
export const steer: RouteHandler = message("steer");

/** `POST /runs/:id/queue`: `{ message }`, read after the answer. */
export const queue: RouteHandler = message("queue");

/** `GET /sessions/:session`: a conversation, the calls in it that wait, and its run. */
export const readSession: RouteHandler = route(async (call) => {
  const session = call.params["session"] ?? "";
  const [latest] = await call.runs.inSession(session, 1);
  if (!latest) throw notFound(`The session "${session.slice(0, 100)}"`);
  const { run } = await call.run((await call.runs.active(session))?.id ?? latest.id);
  const state = await run.state();
  return Response.json({
    session,
    run: infoFor(call, state),
    after: state.after,
    messages: publicMessages(withInput(state), checkedShow(call.show, "serve()")),
    pending: state.pending,
  });
});

function route(answer: RouteHandler["answer"]): RouteHandler {
  return { answer, refuse: plainRefusal };
}

function message(when: "steer" | "queue"): RouteHandler {
  return route(async (call) => {
    const { run } = await call.run(call.params["id"] ?? "");
    const body = new InputObject(await call.json());
    body.assertOnly(["message"]);
    const message = readUserMessage(body.get("message"), "message");
    await pass(call.runs, run, { ...(await keyOf(call, [when, message])), messages: [{ when, message }] });
    return Response.json({ id: run.id }, { status: 202 });
  });
}

/** Answers calls of a run, and responds with what comes of it. */
async function answered(call: Call, run: Followed["run"], answers: Answers): Promise<Answer> {
  const followed = await answer(call.runs, run, answers, {
    ...(await keyOf(call, answers)),
    // One that is repeated without a key.
    answersId: await digestOf([run.id, answers]),
    isStrict: true,
  });
  if (!followed) throw nothingWaits();
  return respond(call, followed);
}

/** What a request to a run is known by, if its client says so. */
async function keyOf(call: Call, contents: unknown): Promise<Pick<Accompaniment, "id" | "contents">> {
  const key = call.request.headers.get("idempotency-key");
  return key === null ? {} : { id: await digestOf(key), contents: await digestOf(contents) };
}

async function respond(call: Call, followed: Followed): Promise<Answer> {
  const { run, after } = followed;
  if ((call.request.headers.get("accept") ?? "").includes("text/event-stream")) return stream(call, followed);
  const state = await run.state();
  return Response.json({ ...infoFor(call, state), after }, { status: 202, headers: runHeaders(run, after) });
}

/** What sends the answer gives up the events once the client is gone. */
function stream(call: Call, { run, after }: Pick<Followed, "run" | "after">): Answer {
  const { departure } = call.request;
  const events = run.handle.events({ after, ...(departure && { signal: departure }) });
  return eventAnswer(
    events,
    { show: call.show, headers: runHeaders(run, after), ...call.streaming },
    "serve()",
  );
}

function runHeaders({ id }: Followed["run"], after: number): Readonly<Record<string, string>> {
  return { "x-skein-run": id, ...(after >= 0 && { "x-skein-after": String(after) }) };
}

function infoFor(call: Call, info: RunInfo, state?: DurableState): object {
  const { id, agent, status, session, createdAt, updatedAt, at, error, cancelReason } =
    call.runs.infoFor(info);
  return {
    id,
    agent,
    status,
    ...(session !== undefined && { session }),
    createdAt,
    updatedAt,
    ...(at && { at }),
    ...(cancelReason !== undefined && { cancelReason }),
    ...(error && { error: status === "paused" ? publicProblem(error) : publicError(error) }),
    ...(state && { pending: state.pending }),
  };
}

function indexOf(text: string | null): number {
  if (text === null || text === "") return -1;
  const index = Number(text);
  if (!Number.isSafeInteger(index) || index < -1)
    throw new Refusal(400, "invalid-input", "after must be the index of an event.");
  return index;
}
