import type { Client, ElicitRequest, ElicitResult } from "@modelcontextprotocol/client";
import { formatPath } from "../../../schema/format-path.ts";
import type { JsonSchema } from "../../../schema/types.ts";
import { errorMessage } from "../../../base/util/error-message.ts";
import { Semaphore } from "../../../base/util/semaphore.ts";
import { cleanText } from "../../../base/util/clean-text.ts";
import { defaultsOf } from "./defaults.ts";
import type { ElicitationHandler, ElicitationRequest } from "./questions.ts";
import type { ServerScope } from "./scope.ts";
import { usableSchema } from "./validator.ts";

/** The most characters of a question that the user is shown. */
const longestMessage = 4_000;

/** Answers the server's questions to the user, one after the other. */
export function serveElicitation(client: Client, ask: ElicitationHandler, scope: ServerScope): void {
  const semaphore = new Semaphore(1);
  client.setRequestHandler("elicitation/create", ({ params }, { mcpReq: { signal } }) =>
    semaphore.run(() => answer(params, ask, scope, signal), signal),
  );
}

async function answer(
  params: ElicitRequest["params"],
  ask: ElicitationHandler,
  { server, warn }: ServerScope,
  signal: AbortSignal,
): Promise<ElicitResult> {
  const request = toRequest(params, server, signal);
  if (!request) {
    warn(
      `The MCP server "${server}" asked the user to open an address that is not a web page; it was declined.`,
    );
    return { action: "decline" };
  }
  try {
    const { action, content = {} } = await ask(request);
    if (action !== "accept") return { action };
    if (request.mode === "url") return { action };
    const filled = { ...defaultsOf(request.schema), ...content };
    const issue = issueOf(filled, request.schema);
    if (issue === undefined && isContent(filled)) return { action, content: filled };
    warn(
      `The answer to a question of the MCP server "${server}" does not fit: ${issue ?? "it must be an object"}.`,
    );
  } catch (error) {
    warn(`Could not ask the user a question of the MCP server "${server}": ${errorMessage(error)}`);
  }
  // What went wrong does not concern the server.
  return { action: "cancel" };
}

function toRequest(
  params: ElicitRequest["params"],
  server: string,
  signal: AbortSignal,
): ElicitationRequest | undefined {
  const question = { server, message: cleanText(params.message, longestMessage), signal };
  if (params.mode !== "url") return { ...question, mode: "form", schema: params.requestedSchema };
  return /^https?:\/\//i.test(params.url) ? { ...question, mode: "url", url: params.url } : undefined;
}

function issueOf(content: Readonly<Record<string, unknown>>, schema: JsonSchema): string | undefined {
  const outcome = usableSchema(schema)?.validate(content);
  if (!outcome || outcome.ok) return undefined;
  const [first] = outcome.issues;
  return first && `${formatPath(first.path)}: ${first.message}`;
}

type Content = NonNullable<ElicitResult["content"]>;

function isContent(content: Readonly<Record<string, unknown>>): content is Content {
  return Object.values(content).every(
    (value) =>
      ["string", "number", "boolean"].includes(typeof value) ||
      (Array.isArray(value) && value.every((item) => typeof item === "string")),
  );
}
