import type { AnyAgent } from "../agent/agent.ts";
import type { RunHandle } from "../durable/types.ts";
import type { ApprovalDecision } from "../message/run-state.ts";
import type { StoredRuns } from "./elsewhere/stored-runs.ts";
import { errorMessage } from "../base/util/error-message.ts";
import { printFailure } from "../base/util/callbacks.ts";
import { sseResponse } from "../base/stream/sse-response.ts";
import { SkeinError } from "../errors.ts";
import { readJson } from "../server/body.ts";
import { InputObject } from "../protocols/kit/input-object.ts";
import { type Answer, withHeaders } from "../server/answer.ts";
import { checkOrigin, localHosts } from "../server/guard.ts";
import type { IncomingRequest } from "../server/incoming.ts";
import { notFound, plainRefusal, Refusal } from "../server/refusal.ts";
import type { SkeinServer } from "../server/types.ts";
import { listApprovals } from "./approvals.ts";
import type { ChatChoices } from "./chat-choices.ts";
import { branch } from "./chat-runs.ts";
import { inspectArguments } from "./inspect-arguments.ts";
import type { Library } from "./library.ts";
import type { Evals } from "./evals/evals.ts";
import { isPageFile, pageFile, safeHeaders } from "./page-files.ts";
import type { ToolStep } from "./records.ts";
import type { Replays } from "./replay/replays.ts";
import { describeRequest, summarizeRequests, wholeBody } from "./requests.ts";
import type { RunRecord } from "./run-record.ts";
import { describeRun, wholeText } from "./summarize.ts";
import type { StudioToken } from "./token.ts";

/** The longest body of a request, in bytes. */
const longestBody = 4_194_304;

/** What the routes are about. */
export interface HandlerParts {
  readonly library: Library;
  readonly token: StudioToken;
  readonly choices: ChatChoices;
  /** The server of the chat: another one once the agents have changed. */
  readonly served: () => SkeinServer;
  /** The agents as they are now. */
  readonly agents: () => readonly AnyAgent[];
  readonly loadReplays: () => Promise<Replays>;
  readonly loadEvals: () => Promise<Evals>;
  /** The runs of a store, if one is open. */
  readonly stored: StoredRuns | undefined;
}

/** Answers the page: its files to everybody on this machine, everything else to those who have the token. */
export class StudioHandler {
  readonly #library: Library;
  readonly #token: StudioToken;
  readonly #choices: ChatChoices;
  readonly #served: () => SkeinServer;
  readonly #agents: () => readonly AnyAgent[];
  readonly #loadReplays: () => Promise<Replays>;
  readonly #loadEvals: () => Promise<Evals>;
  readonly #stored: StoredRuns | undefined;

  constructor({ library, token, choices, served, agents, loadReplays, loadEvals, stored }: HandlerParts) {
    this.#stored = stored;
    this.#agents = agents;
    this.#loadReplays = loadReplays;
    this.#loadEvals = loadEvals;
    this.#library = library;
    this.#token = token;
    this.#choices = choices;
    this.#served = served;
  }

  /** Never rejects. */
  async answer(incoming: IncomingRequest): Promise<Answer> {
    const response = await this.#answer(incoming).catch((error: unknown) => refuse(error));
    const cache = response.headers.get("cache-control") ?? "no-store";
    return withHeaders(response, { ...safeHeaders, "cache-control": cache });
  }

  async #answer(incoming: IncomingRequest): Promise<Response> {
    checkOrigin(incoming, localHosts);
    const { method } = incoming;
    const { pathname } = incoming.url;
    if (isPageFile(pathname)) {
      if (method === "GET" || method === "HEAD") return pageFile(pathname);
      throw new Refusal(405, "method-not-allowed", "Use GET.", { allow: "GET, HEAD" });
    }
    const request = incoming.toRequest();
    this.#token.check(request);
    if (!pathname.startsWith("/studio/")) return this.#served().fetch(request);
    const [, , ...path] = pathname.split("/");
    const segments = path.map(decoded);
    return method === "POST" ? this.#post(incoming, segments) : this.#get(request, segments);
  }

  async #get(
    request: Request,
    [kind = "", id = "", part = "", number = "", ...rest]: readonly string[],
  ): Promise<Response> {
    if (request.method !== "GET" || rest.length > 0) throw notFound("The page");
    if (kind === "events" && id === "") return sseResponse(this.#library.updates.frames(request.signal));
    if (kind === "approvals" && id === "")
      return Response.json({
        approvals: await listApprovals(this.#library, (record) => this.#handleOf(record)),
      });
    if (kind === "check" && id === "") return Response.json(this.#clean(await this.#library.check()));
    if (kind === "evals") {
      const evals = await this.#loadEvals();
      return Response.json(
        this.#clean(id === "" ? await evals.list() : await evals.describeCase(Number(id), part)),
      );
    }
    if (kind !== "runs") throw notFound("The page");
    const record = this.#record(id);
    const conversation = this.#library.conversationOf(record);
    if (part === "") return Response.json(describeRun(record, conversation, this.#library.redact()));
    if (part === "requests" && number === "")
      return Response.json({ requests: summarizeRequests(record, conversation) });
    if (part === "requests") {
      const detail = await describeRequest(record, Number(number), conversation, this.#library.secrets);
      if (detail) return Response.json(detail);
    }
    if (part === "bodies") {
      const text = wholeBody(record, Number(number), this.#library.secrets);
      if (text !== undefined) return Response.json({ text });
    }
    if (part === "replay") {
      const { describeReplay } = await import("./replay/describe-replay.ts");
      return Response.json(
        describeReplay(record, Number(number), this.#library.info.agents, this.#library.redact()),
      );
    }
    if (part === "texts") {
      const text = wholeText(record.steps[Number(number) - 1], this.#library.redact());
      if (text !== undefined) return Response.json({ text });
    }
    if (part === "case") {
      const step = toolStep(record, number);
      const { vitestCase } = await import("./vitest-case.ts");
      const text = vitestCase(record, step, this.#library.info.agents, this.#library.exports);
      return Response.json({ text: this.#library.redact().text(text) });
    }
    if (part === "calls") {
      const step = toolStep(record, number);
      const tool = record.tools.get(step.agent)?.find(({ name }) => name === step.toolName);
      return Response.json(this.#clean(await inspectArguments(step.arguments, tool)));
    }
    throw notFound("The part of the run");
  }

  async #post(
    incoming: IncomingRequest,
    [kind = "", id = "", ...rest]: readonly string[],
  ): Promise<Response> {
    const body = new InputObject(await readJson(incoming, longestBody));
    if (kind === "branch" && id === "")
      return Response.json({ id: await branch(this.#served(), this.#choices, body) });
    if (kind === "choices" && id === "") return Response.json({ id: this.#choices.add(body) });
    if (kind === "replay" && id !== "" && rest.length === 0) {
      const record = this.#record(id);
      const { startReplay } = await import("./replay/start-replay.ts");
      return Response.json({
        id: await startReplay(record, await this.#loadReplays(), this.#served(), body),
      });
    }
    if (kind === "evals" && id !== "" && rest.length === 1) {
      await (await this.#loadEvals()).runAgain(Number(id), rest[0] ?? "");
      return Response.json({});
    }
    if (kind === "decide" && id !== "" && rest.length === 0) {
      const record = this.#record(id);
      if (record.source !== "store") throw notFound("The run of the store");
      await this.#handleOf(record).decide(body.objects("decisions", 1_000).map(readDecision));
      return Response.json({});
    }
    if (kind === "again" && id !== "" && rest.length === 1) {
      const record = this.#record(id);
      const { callAgain } = await import("./call-again.ts");
      const result = await callAgain(record, toolStep(record, rest[0]), this.#agents(), body);
      return Response.json(this.#clean(result));
    }
    if (kind === "check" && id !== "" && rest.length === 0) {
      const [agent = "", toolName = "", text = ""] = ["agent", "toolName", "arguments"].map((name) =>
        body.optionalText(name),
      );
      const tool = this.#record(id)
        .tools.get(agent)
        ?.find(({ name }) => name === toolName);
      return Response.json(await inspectArguments(text, tool));
    }
    throw notFound("The page");
  }

  /** A run that can be decided on. @throws Refusal (404) */
  #handleOf({ id, source }: RunRecord): RunHandle {
    if (source === "store" && this.#stored) return this.#stored.get(id);
    return this.#served().runs.get(id);
  }

  /** Without what looks like a secret. */
  #clean(value: unknown): unknown {
    return this.#library.redact().json(value);
  }

  #record(id: string): RunRecord {
    const record = this.#library.ring.get(id);
    if (!record) throw notFound(`The run "${id.slice(0, 100)}"`);
    return record;
  }
}

/** @throws InvalidInputError */
function readDecision(body: InputObject): ApprovalDecision {
  const reason = body.optionalText("reason");
  const args = body.optionalObject("arguments");
  return {
    approvalId: body.id("approvalId"),
    decision: body.choice("decision", ["approve", "deny"]),
    ...(reason !== undefined && { reason }),
    ...(args && { arguments: args.toJson() }),
  };
}

/** @throws Refusal (404) */
function toolStep({ steps }: RunRecord, number: string | undefined): ToolStep {
  const step = steps[Number(number) - 1];
  if (step?.kind === "tool") return step;
  throw notFound("The call of the run");
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal(400, "invalid-request", "The address is not valid.");
  }
}

/** What went wrong, in words: they are for the person who runs the program. */
function refuse(error: unknown): Response {
  if (error instanceof Refusal) return plainRefusal(error);
  if (error instanceof SkeinError) return plainRefusal(new Refusal(400, error.code, error.message));
  printFailure("a request of studio()", error);
  return plainRefusal(new Refusal(500, "internal", `The request failed: ${errorMessage(error)}`));
}
