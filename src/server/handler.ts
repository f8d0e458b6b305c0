import { InvalidInputError, SkeinError } from "../errors.ts";
import { isPlainObject } from "../base/util/json.ts";
import { toStorable } from "../base/util/storable.ts";
import { clientWords } from "../run/public/public-error.ts";
import { Call, type ServerContext } from "./call.ts";
import { type Answer, headerOf, headOf, withHeaders } from "./answer.ts";
import { checkOrigin, preflight, withCors } from "./guard.ts";
import type { IncomingRequest } from "./incoming.ts";
import { McpSessions } from "./mcp-sessions.ts";
import { OpenAnswers } from "./open-answers.ts";
import { RequestRate } from "./rate.ts";
import { closingRefusal, plainRefusal, Refusal, storeRefusal } from "./refusal.ts";
import { type Match, Router } from "./router.ts";
import { routes } from "./routes.ts";
import type { Authorized, FetchContext, ServedProtocol } from "./types.ts";

/** How a handler is set up. */
export interface HandlerSettings {
  readonly allowedHosts: readonly string[];
  readonly protocols: readonly ServedProtocol[];
  /** Called once, with the first request: runs begin to be executed. */
  readonly start: () => void;
}

/** Where a request goes, and the id of its answer. */
interface Address {
  readonly path: string;
  readonly id: string;
  readonly waitUntil: FetchContext["waitUntil"];
}

/** The user of a server that is for this machine alone. */
const localUser: Authorized = { user: "local" };

const standardRequests = 300;

/** Lets requests in, finds their route, and words what goes wrong. */
export class RequestHandler {
  readonly #server: ServerContext;
  readonly #settings: HandlerSettings;
  readonly #router: Router;
  readonly #rate: RequestRate;
  readonly #hosts: string[];
  readonly #mcp: McpSessions | undefined;
  readonly #open = new OpenAnswers();
  #hasStarted = false;
  #isClosing = false;

  constructor(server: ServerContext, settings: HandlerSettings) {
    this.#server = server;
    this.#settings = settings;
    this.#mcp = server.options.mcp && new McpSessions(server.options.mcp, server.mcpCalls);
    this.#hosts = [...settings.allowedHosts];
    this.#router = new Router(routes.filter(({ protocol }) => settings.protocols.includes(protocol)));
    this.#rate = new RequestRate(server.options.perUser?.requestsPerMinute ?? standardRequests);
  }

  /** Has runs executed, once. */
  start(): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    this.#settings.start();
  }

  /** Lets requests in that name a host which the server listens at. */
  addHost(host: string | undefined): void {
    if (host !== undefined && host !== "0.0.0.0" && host !== "::")
      this.#hosts.push(host.includes(":") ? `[${host}]` : host);
  }

  /** Refuses all further requests. */
  close(): void {
    this.#isClosing = true;
  }

  /** Ends the answers that clients still wait for, or read. */
  closeAnswers(): Promise<void> {
    return this.#open.close();
  }

  /** Answers a request. Never rejects. */
  async answer(request: IncomingRequest, waitUntil?: FetchContext["waitUntil"]): Promise<Answer> {
    const id = crypto.randomUUID();
    const path = this.#pathOf(request.url);
    // Those who watch over a server call it by its address.
    const answer = this.#health(request, path) ?? (await this.#guarded(request, { path, id, waitUntil }));
    const headers = {
      "x-request-id": id,
      // What belongs to a user is not for the caches on its way.
      "cache-control": headerOf(answer, "cache-control") ?? "no-store",
    };
    const whole = withHeaders(answer, headers);
    return request.method === "HEAD" ? headOf(whole) : whole;
  }

  async #guarded(request: IncomingRequest, address: Address): Promise<Answer> {
    try {
      checkOrigin(request, this.#hosts, this.#server.options.cors ?? []);
    } catch (error) {
      return plainRefusal(this.#refusalOf(error, request, address.id));
    }
    return withCors(await this.#route(request, address), request);
  }

  async #route(request: IncomingRequest, { path, id, waitUntil }: Address): Promise<Answer> {
    if (request.method === "OPTIONS") return preflight(request);
    let refuse: (refusal: Refusal) => Response = plainRefusal;
    try {
      this.#assertOpen();
      const authorized = await this.#authorize(request);
      if (authorized instanceof Response) return authorized;
      this.#rate.count(authorized.user);
      if (this.#mcp && path === "/mcp") return await this.#mcp.answer(request.toRequest(), authorized);
      const { route, params } = this.#match(request, path);
      this.start();
      const handler = await route.load();
      refuse = handler.refuse;
      // It may have closed meanwhile: a run would not be started, and one that is followed not be executed.
      this.#assertOpen();
      const call = new Call(this.#server, { request, params, authorized, waitUntil });
      return await this.#open.follow(
        () => handler.answer(call),
        () => call.leave(),
        mayRepeat(request),
      );
    } catch (error) {
      return refuse(this.#refusalOf(error, request, id));
    }
  }

  /** @throws Refusal (503) */
  #assertOpen(): void {
    if (this.#isClosing) throw closingRefusal();
  }

  /** `/health`: the process answers. `/ready`: it takes requests. */
  #health({ method }: IncomingRequest, path: string): Response | undefined {
    if (method !== "GET" && method !== "HEAD") return undefined;
    if (path === "/health") return Response.json({ status: "ok" });
    if (path !== "/ready") return undefined;
    return this.#isClosing
      ? Response.json({ status: "closing" }, { status: 503, headers: { "retry-after": "5" } })
      : Response.json({ status: "ready" });
  }

  #pathOf({ pathname }: URL): string {
    const { basePath = "" } = this.#server.options;
    if (basePath === "" || !`${pathname}/`.startsWith(`${basePath}/`)) return pathname;
    const rest = pathname.slice(basePath.length);
    // Where a framework takes the path away, `/chat/desk` of a server at `/chat` is its own.
    return this.#isOwn(pathname) && !this.#isOwn(rest) ? pathname : rest;
  }

  #isOwn(path: string): boolean {
    return ["/health", "/ready", "/mcp"].includes(path) || this.#router.find(path).length > 0;
  }

  #match(request: IncomingRequest, path: string): Match {
    const matches = this.#router.find(path);
    const method = request.method === "HEAD" ? "GET" : request.method;
    const match = matches.find(({ route }) => route.method === method);
    if (match) return match;
    if (matches.length === 0) throw new Refusal(404, "not-found", `${path.slice(0, 200)} was not found.`);
    const methods = matches.map((each) => each.route.method);
    const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
    throw new Refusal(405, "method-not-allowed", `Use ${methods.join(" or ")}.`, { allow });
  }

  /** Who it is. Nobody is guessed: what is not an answer refuses. */
  async #authorize(request: IncomingRequest): Promise<Authorized | Response> {
    const { authorize } = this.#server.options;
    if (!authorize) return localUser;
    const received = request.toRequest();
    const answer: unknown = await authorize(received);
    if (received.bodyUsed)
      throw new TypeError("authorize has read the body of the request. Read that of request.clone().");
    if (answer instanceof Response) return ownCopy(answer);
    if (answer === 401 || answer === undefined || answer === null || answer === false)
      throw new Refusal(401, "unauthorized", "Log in first.", { "www-authenticate": "Bearer" });
    if (answer === 403) throw new Refusal(403, "forbidden", "You may not use this.");
    if (isAuthorized(answer)) return withStorableContext(answer);
    throw new TypeError(
      "authorize must return { user }, with 1 to 80 characters, beside which may be context, model, agents and decide as the type Authorized has them, or a Response, 401 or 403.",
    );
  }

  /** How an error is answered: what the client did wrong in words, all else by a code. */
  #refusalOf(error: unknown, request: IncomingRequest, id: string): Refusal {
    if (error instanceof Refusal) return error;
    if (error instanceof InvalidInputError) {
      const { path } = error.data;
      return new Refusal(
        400,
        "invalid-input",
        clientWords(error.message),
        {},
        typeof path === "string" ? path : undefined,
      );
    }
    if (error instanceof SkeinError && error.code === "run-not-found")
      return new Refusal(404, "not-found", "The run was not found.");
    if (error instanceof SkeinError && error.code === "closed" && this.#isClosing) return closingRefusal();
    if (error instanceof SkeinError && error.code === "run-ended")
      return new Refusal(409, "run-ended", "The run has ended.");
    if (error instanceof SkeinError && error.code === "run-exists")
      return new Refusal(409, "run-exists", "The id is that of a run of another agent or conversation.");
    this.#server.report(error, { request: request.toRequest() });
    if (error instanceof SkeinError && error.code === "store-failed")
      return storeRefusal(id, mayRepeat(request));
    // The code of an error that is not Skein's own may be anything.
    const code = error instanceof SkeinError ? error.code : "internal";
    return new Refusal(500, code, `The request failed. Its id is ${id}.`);
  }
}

/** Whether the same request once more does nothing twice. */
function mayRepeat({ method, headers }: IncomingRequest): boolean {
  return method === "GET" || method === "HEAD" || headers.get("idempotency-key") !== null;
}

function isAuthorized(value: unknown): value is Authorized {
  if (!isPlainObject(value)) return false;
  const { user, agents, model, decide } = value;
  return (
    typeof user === "string" &&
    user.length >= 1 &&
    user.isWellFormed() &&
    encodeURIComponent(user).length <= 80 &&
    (model === undefined || typeof model === "string") &&
    (decide === undefined || typeof decide === "boolean") &&
    (agents === undefined || (Array.isArray(agents) && agents.every((name) => typeof name === "string")))
  );
}

/** What a program answers with may have headers that cannot be added to, such as those of a redirection. */
function ownCopy(response: Response): Response {
  if (response.bodyUsed)
    throw new TypeError(
      "authorize returned a Response that was sent before. Make one for each request: authorize: () => new Response(...).",
    );
  const { body, status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

/** @throws TypeError for a context that is the server's mistake, not the client's. */
function withStorableContext(authorized: Authorized): Authorized {
  if (authorized.context === undefined) return authorized;
  const [omission] = toStorable(authorized.context, "context").omissions;
  if (!omission) return authorized;
  throw new TypeError(
    `authorize returned a context that is not plain JSON: ${omission.path} is ${omission.what}.`,
  );
}
