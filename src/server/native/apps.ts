import type { StoredEvent } from "../../durable/stored-event.ts";
import { publicEvent, type StreamedEvent } from "../../run/public/public-event.ts";
import { checkedShow } from "../../run/public/show.ts";
import type { ToolUi } from "../../tool/types.ts";
import type { Call } from "../call.ts";
import { notFound, plainRefusal, Refusal } from "../refusal.ts";
import type { RouteHandler } from "../router.ts";
import type { AppPage, AppSource } from "../types.ts";
import { prefersHtml } from "./prefers-html.ts";

/**
 * `GET /runs/:id/apps/:event`: the page of the app that the event of a call names, as a page of its own if the client accepts
 * `text/html`, as a frame of a browser does, else as data. Clients name no address: a run's own calls do.
 */
export const readApp: RouteHandler = {
  refuse: plainRefusal,
  answer: async (call) => {
    const { stored } = await call.run(call.params["id"] ?? "");
    const ui = await uiOfEvent(call, stored.id, indexOf(call.params["event"]));
    const source = call.server.options.apps?.find(
      ({ name, serverId }) => name === ui?.server && serverId === ui.serverId,
    );
    if (!ui || !source) throw notFound("The app");
    const page = await readPage(call, source, ui, stored.id);
    const html = withPolicy(page);
    if (prefersHtml(call.request.headers.get("accept") ?? "")) return pageOf(call, page, html);
    const { permissions, prefersBorder } = page;
    const { server, resourceUri } = ui;
    return Response.json({
      server,
      resourceUri,
      html,
      permissions,
      ...(prefersBorder !== undefined && { prefersBorder }),
    });
  },
};

/** The number of an event as its own JSON has it; `NaN` for another way to write one. */
function indexOf(text = ""): number {
  return /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
}

/** @throws Refusal (500, which clients do not repeat by themselves), of which the program learns the reason; the signal's, once the client is gone. */
async function readPage(call: Call, source: AppSource, ui: ToolUi, runId: string): Promise<AppPage> {
  try {
    return await source.readApp(ui.resourceUri, call.departure);
  } catch (error) {
    call.departure.throwIfAborted();
    call.server.report(error, { runId });
    throw new Refusal(500, "app-failed", "The app's server did not answer with its page.");
  }
}

/** What the event of a call names, if it is one that clients see. */
async function uiOfEvent(call: Call, runId: string, index: number): Promise<ToolUi | undefined> {
  if (!Number.isSafeInteger(index) || index < 0) return undefined;
  const [group] = await call.server.all.store.events(runId, index - 1, 1);
  const event = group?.events.find((each) => each.index === index);
  const isShown = event && publicEvent(event, checkedShow(call.show, "serve()")) !== undefined;
  return isShown ? uiOf(event) : undefined;
}

function uiOf(event: StoredEvent | StreamedEvent): ToolUi | undefined {
  if (event.type === "agent-event") return uiOf(event.event);
  return event.type === "tool-start" || event.type === "tool-end" ? event.ui : undefined;
}

/**
 * The page with its policy in it, which holds wherever it is shown, such as in `srcdoc`. What stands before the page's own `<!doctype>` is the
 * document's beginning for a browser, which then passes over the second one.
 */
function withPolicy({ html, contentSecurityPolicy }: AppPage): string {
  const content = contentSecurityPolicy.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<!doctype html><meta http-equiv="Content-Security-Policy" content="${content}">${html}`;
}

/** The page for a frame: never within the origin of the server, even if somebody opens it by itself. */
function pageOf({ server }: Call, { contentSecurityPolicy, permissions }: AppPage, html: string): Response {
  const rules = [
    contentSecurityPolicy,
    "sandbox allow-scripts",
    ["frame-ancestors 'self'", ...(server.options.cors ?? [])].join(" "),
  ];
  const denied = ["camera", "microphone", "geolocation"].filter((name) => !permissions.includes(name));
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": rules.join("; "),
      "permissions-policy": denied.map((name) => `${name}=()`).join(", "),
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
  });
}
