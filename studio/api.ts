import { connect, type Client } from "../src/client/index.ts";

/** The header that the server knows the page by. */
const tokenHeader = "x-skein-studio";

/** What the address has behind `#token=` is kept for this tab, and not left in the address. */
function readToken(): string {
  const [, token] = /^#token=([\w-]+)$/.exec(location.hash) ?? [];
  if (token !== undefined) {
    sessionStorage.setItem("token", token);
    history.replaceState(null, "", `${location.pathname}#/chat`);
  }
  return sessionStorage.getItem("token") ?? "";
}

const token = readToken();

/** Under which id the server has what runs of the chat are to have; `undefined` for nothing of their own. */
export const choice: { id: string | undefined } = { id: undefined };

/** Chats with the agents. */
export const client: Client = connect(location.origin, {
  headers: () => ({ [tokenHeader]: token, ...(choice.id !== undefined && { "x-skein-choice": choice.id }) }),
  retryFor: 10_000,
});

/** What the studio refused, in its words. */
export class StudioError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Asks the studio for data. @throws StudioError */
export async function ask<T>(path: string, init: { body?: object; signal?: AbortSignal } = {}): Promise<T> {
  const response = await send(path, init);
  return response.json();
}

/** Sends a request with the token. @throws StudioError */
export async function send(
  path: string,
  { body, signal }: { body?: object; signal?: AbortSignal } = {},
): Promise<Response> {
  const response = await fetch(path, {
    headers: { [tokenHeader]: token, ...(body && { "content-type": "application/json" }) },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  if (response.ok) return response;
  const answer: { error?: { message?: string } } = await response.json().catch(() => ({}));
  throw new StudioError(response.status, answer.error?.message ?? `The studio answered ${response.status}.`);
}

/** The path of a run, or of a part of it. */
export function runPath(id: string, ...parts: readonly (string | number)[]): string {
  return ["/studio/runs", encodeURIComponent(id), ...parts].join("/");
}

/** All of the body of a request. */
export async function wholeBody(runId: string, request: number): Promise<string> {
  return (await ask<{ text: string }>(runPath(runId, "bodies", request))).text;
}

/** All that a step has written or returned. */
export async function wholeText(runId: string, step: number): Promise<string> {
  return (await ask<{ text: string }>(runPath(runId, "texts", step))).text;
}
