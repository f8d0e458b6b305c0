/** What a server knows of who sends a request, for what answers it in its place: an MCP handler that is mounted in `serve()`. */
export interface RequestCaller {
  /** The context of the caller's runs; `undefined` where the server has none. */
  readonly context: unknown;
  /** Whether the caller may approve calls. */
  readonly decide: boolean;
  /**
   * Counts a call of a tool or an agent, once it may begin.
   * @returns what is called when it has ended.
   * @throws where the caller has too many.
   */
  readonly begin: (signal: AbortSignal) => Promise<() => void>;
}

const callers = new WeakMap<Request, RequestCaller>();

/** Notes who sends a request. */
export function setRequestCaller(request: Request, caller: RequestCaller): void {
  callers.set(request, caller);
}

/** Who sends a request, if a server around the handler knows it. */
export function requestCaller(request: Request | undefined): RequestCaller | undefined {
  return request && callers.get(request);
}
