import { isPlainObject } from "../../base/util/json.ts";

/** How long an answer may take, in milliseconds: a cluster may be choosing another leader. */
const longestWait = 60_000;

/** What is missing where Restate does not have the services, which answer for it. */
const registration =
  "Serve services() in a process, and register its address: npx @restatedev/restate deployments register http://127.0.0.1:9080 --yes.";

/** How much of a refusal is shown. */
const longestRefusal = 300;

/** Where Restate is, and what it asks for. */
export interface Connection {
  readonly ingress: string;
  readonly admin: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Posts JSON to Restate.
 * @param base - The address of the ingress or of the admin API.
 * @returns the answer, which is an object.
 * @throws Error that says where Restate did not answer, or what it refused; never what the headers are.
 */
export async function post(
  { headers }: Connection,
  base: string,
  path: string,
  body: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const url = `${base.replace(/\/+$/, "")}${path}`;
  const { ok, status, text } = await send(url, headers, JSON.stringify(body), base);
  if (!ok) {
    const remedy = status === 404 ? ` ${registration}` : "";
    throw new Error(
      `Restate refused ${path.slice(0, 100)} (${status}): ${text.slice(0, longestRefusal)}${remedy}`,
    );
  }
  const answer: unknown = parse(text);
  if (isPlainObject(answer)) return answer;
  throw new Error(`Restate did not answer ${path.slice(0, 100)} with JSON. Is ${base} the right address?`);
}

async function send(
  url: string,
  headers: Connection["headers"],
  body: string,
  base: string,
): Promise<{ readonly ok: boolean; readonly status: number; readonly text: string }> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: jsonHeaders(headers),
      body,
      redirect: "error",
      signal: AbortSignal.timeout(longestWait),
    });
    return { ok: response.ok, status: response.status, text: await response.text() };
  } catch (cause) {
    const { cause: inner, name } = Object(cause);
    if (name === "TimeoutError")
      throw new Error(
        `Restate did not answer at ${base} within ${longestWait / 1_000} seconds. Start a process that serves services(): it answers for Restate.`,
        { cause },
      );
    const code = Object(inner).code ?? name;
    throw new Error(
      `Restate did not answer at ${base} (${String(code)}). Start it, or correct its address.`,
      { cause },
    );
  }
}

/** Names of headers do not differ by case. */
function jsonHeaders(headers: Connection["headers"]): Headers {
  const all = new Headers(headers);
  all.set("content-type", "application/json");
  all.set("accept", "application/json");
  return all;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
