import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Model } from "skein";
import type { DurableStore } from "skein/durable";
import { serve } from "skein/server";
import { shopDesk } from "./desk.ts";
import { buildPages, type Page } from "./pages.ts";

/** How to open the desk. */
export interface DeskOptions {
  /** 0 for a free one. */
  readonly port: number;
  /** Where conversations are kept. */
  readonly store: DurableStore;
  /** The model of all agents; the one that the environment names where it is left out. */
  readonly model?: Model | undefined;
}

/** A desk that is open. */
export interface OpenDesk {
  readonly url: string;
  close(): Promise<void>;
}

/** The shop's desk and its pages, on one port of this machine. */
export async function openDesk({ port, store, model }: DeskOptions): Promise<OpenDesk> {
  const app = serve(
    { desk: shopDesk() },
    {
      store,
      authorize: ({ headers }) => {
        const user = userOf(headers.get("authorization"), headers.get("cookie"));
        return user === undefined ? 401 : { user, context: { customer: user } };
      },
      runOptions: { ...(model && { model }) },
    },
  );
  const pages = await buildPages();
  const server = createServer((request, response) => {
    const [path = "/", query = ""] = (request.url ?? "/").split("?");
    const page = request.method === "GET" ? pages.get(path) : undefined;
    if (page) sendPage(page, new URLSearchParams(query).get("user"), request, response);
    else app.node(request, response);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://localhost:${typeof address === "object" ? address?.port : port}`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      await app.close({ drain: 1_000 });
      server.closeAllConnections();
      await closed;
    },
  };
}

const userName = /^[\w-]{1,40}$/;

/**
 * FOR THE DEMONSTRATION ONLY: it believes everybody. A real one looks up a session by a cookie that is a secret, or verifies a token.
 */
function userOf(authorization: string | null, cookie: string | null): string | undefined {
  const name = /^Bearer (.+)$/.exec(authorization ?? "")?.[1] ?? /\buser=([^;]+)/.exec(cookie ?? "")?.[1];
  return name !== undefined && userName.test(name) ? name : undefined;
}

/** `?user=bob` makes the browser Bob's. Without a user it is Ada's. */
function sendPage(
  { type, body }: Page,
  newUser: string | null,
  { headers }: IncomingMessage,
  response: ServerResponse,
): void {
  const user =
    [newUser, userOf(null, headers.cookie ?? null)].find((name) => name && userName.test(name)) ?? "ada";
  response.writeHead(200, {
    "content-type": type,
    "cache-control": "no-store",
    ...(type.startsWith("text/html") && { "set-cookie": `user=${user}; Path=/; HttpOnly; SameSite=Strict` }),
  });
  response.end(body.replaceAll("{{user}}", user));
}
