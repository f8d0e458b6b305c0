import { type SseAnswer, sseResponseOf } from "../base/stream/sse-response.ts";

/** What a request is answered with: a response, or an event stream of which one is made where a fetch handler needs it. */
export type Answer = Response | SseAnswer;

/** Adds headers to an answer; to a copy where it is that of a `fetch` or a redirect, whose headers cannot be changed. */
export function withHeaders(answer: Answer, headers: Readonly<Record<string, string>>): Answer {
  if (!(answer instanceof Response)) return withStreamHeaders(answer, headers);
  try {
    for (const [name, value] of Object.entries(headers))
      if (name === "vary") answer.headers.append(name, value);
      else answer.headers.set(name, value);
    return answer;
  } catch {
    return withHeaders(new Response(answer.body, answer), headers);
  }
}

function withStreamHeaders({ headers, body }: SseAnswer, added: Readonly<Record<string, string>>): SseAnswer {
  const { vary } = headers;
  const both = vary !== undefined && added["vary"] !== undefined && { vary: `${vary}, ${added["vary"]}` };
  return { headers: { ...headers, ...added, ...both }, body };
}

/** A header of an answer, by its name in small letters. */
export function headerOf(answer: Answer, name: string): string | undefined {
  if (answer instanceof Response) return answer.headers.get(name) ?? undefined;
  return answer.headers[name];
}

/** A HEAD request has the headers of GET, and no body. */
export function headOf(answer: Answer): Response {
  if (answer instanceof Response) {
    answer.body?.cancel().catch(() => {});
    return new Response(null, { status: answer.status, headers: answer.headers });
  }
  answer.body.onCancel?.();
  answer.body.frames.cancel();
  return new Response(null, { headers: answer.headers });
}

/** The answer for a fetch handler. */
export function responseOf(answer: Answer): Response {
  return answer instanceof Response ? answer : sseResponseOf(answer);
}
