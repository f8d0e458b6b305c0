import type * as A2a from "./a2a/index.ts";
import type * as AgUi from "./ag-ui/index.ts";
import type * as ChatCompletions from "./openai/chat-completions.ts";
import type * as Models from "./openai/models.ts";
import type * as Responses from "./openai/responses.ts";
import type * as UiMessages from "./ui-messages/index.ts";
import type * as Apps from "./native/apps.ts";
import type * as Native from "./native/index.ts";
import type { Route, RouteHandler } from "./router.ts";

const native = async (): Promise<typeof Native> => import("./native/index.ts");
const apps = async (): Promise<typeof Apps> => import("./native/apps.ts");
const models = async (): Promise<typeof Models> => import("./openai/models.ts");
const chatCompletions = async (): Promise<typeof ChatCompletions> => import("./openai/chat-completions.ts");
const responses = async (): Promise<typeof Responses> => import("./openai/responses.ts");
const uiMessages = async (): Promise<typeof UiMessages> => import("./ui-messages/index.ts");
const agUi = async (): Promise<typeof AgUi> => import("./ag-ui/index.ts");
const a2a = async (): Promise<typeof A2a> => import("./a2a/index.ts");

/** All routes, each with the protocol that it belongs to. */
export const routes: readonly Route[] = [
  { method: "GET", path: "/agents", protocol: "native", load: from(native, "listAgents") },
  { method: "POST", path: "/runs/:agent", protocol: "native", load: from(native, "startRun") },
  { method: "GET", path: "/runs/:id", protocol: "native", load: from(native, "readRun") },
  { method: "GET", path: "/runs/:id/events", protocol: "native", load: from(native, "readEvents") },
  { method: "GET", path: "/runs/:id/apps/:event", protocol: "native", load: from(apps, "readApp") },
  { method: "POST", path: "/runs/:id/decide", protocol: "native", load: from(native, "decide") },
  { method: "POST", path: "/runs/:id/resolve", protocol: "native", load: from(native, "resolve") },
  { method: "POST", path: "/runs/:id/cancel", protocol: "native", load: from(native, "cancel") },
  { method: "POST", path: "/runs/:id/steer", protocol: "native", load: from(native, "steer") },
  { method: "POST", path: "/runs/:id/queue", protocol: "native", load: from(native, "queue") },
  { method: "GET", path: "/sessions/:session", protocol: "native", load: from(native, "readSession") },
  { method: "GET", path: "/v1/models", protocol: "chat-completions", load: from(models, "listModels") },
  { method: "GET", path: "/v1/models/:model", protocol: "chat-completions", load: from(models, "readModel") },
  {
    method: "POST",
    path: "/v1/chat/completions",
    protocol: "chat-completions",
    load: from(chatCompletions, "createChatCompletion"),
  },
  { method: "POST", path: "/v1/responses", protocol: "responses", load: from(responses, "createResponse") },
  { method: "GET", path: "/v1/responses/:id", protocol: "responses", load: from(responses, "readResponse") },
  {
    method: "POST",
    path: "/v1/responses/:id/cancel",
    protocol: "responses",
    load: from(responses, "cancelResponse"),
  },
  { method: "POST", path: "/chat/:agent", protocol: "ui-messages", load: from(uiMessages, "sendMessage") },
  {
    method: "GET",
    path: "/chat/:agent/:chat",
    protocol: "ui-messages",
    load: from(uiMessages, "readMessages"),
  },
  {
    method: "GET",
    path: "/chat/:agent/:chat/stream",
    protocol: "ui-messages",
    load: from(uiMessages, "resumeStream"),
  },
  {
    method: "POST",
    path: "/chat/:agent/:chat/stop",
    protocol: "ui-messages",
    load: from(uiMessages, "stop"),
  },
  { method: "POST", path: "/ag-ui/:agent", protocol: "ag-ui", load: from(agUi, "runAgent") },
  { method: "GET", path: "/ag-ui/:agent/:thread", protocol: "ag-ui", load: from(agUi, "readThread") },
  { method: "GET", path: "/.well-known/agent-card.json", protocol: "a2a", load: from(a2a, "readCard") },
  {
    method: "GET",
    path: "/a2a/:agent/.well-known/agent-card.json",
    protocol: "a2a",
    load: from(a2a, "readCard"),
  },
  { method: "POST", path: "/a2a/:agent", protocol: "a2a", load: from(a2a, "answerJsonRpc") },
  { method: "POST", path: "/a2a/:agent/:action", protocol: "a2a", load: from(a2a, "answerRest") },
  { method: "GET", path: "/a2a/:agent/:action", protocol: "a2a", load: from(a2a, "answerRest") },
  { method: "POST", path: "/a2a/:agent/tasks/:task", protocol: "a2a", load: from(a2a, "answerRest") },
  { method: "GET", path: "/a2a/:agent/tasks/:task", protocol: "a2a", load: from(a2a, "answerRest") },
];

/** Loads a module with the first request of one of its routes. */
function from<Name extends string>(
  load: () => Promise<Readonly<Record<Name, RouteHandler>>>,
  name: Name,
): Route["load"] {
  let loaded: RouteHandler | undefined;
  // Importing again costs as much as reading the request.
  return () => loaded ?? load().then((module) => (loaded = module[name]));
}
