import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { everyday } from "../client/fixtures/everyday.ts";
import { serve, type LocalServer } from "../client/test-servers.ts";

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

/** How the authorization server behaves. */
export interface Behaviour {
  /** Given beside the address to come back to, instead of what belongs there. */
  answer?: Record<string, string>;
  /** The body and status of every answer to requests for tokens. */
  tokenError?: readonly [number, string];
}

/** The everyday MCP server, for those whom the authorization server beside it lets in (OAuth 2.1, RFC 9728, 8414, 7591). */
export interface ProtectedServer extends LocalServer {
  readonly behaviour: Behaviour;
  /** The kinds of grants that were requested, and the redirect addresses of registrations. */
  readonly grants: string[];
  readonly registered: string[];
  /** Revokes every token issued until now. */
  forgetTokens(): void;
  /** From now on, the scope that a token must have. */
  demand(scope: string): void;
}

/** Starts one. */
export async function serveProtected(): Promise<ProtectedServer> {
  const grants: string[] = [];
  const registered: string[] = [];
  const behaviour: Behaviour = {};
  const challenges = new Map<string, { readonly challenge: string; readonly scope: string }>();
  const tokens = new Map<string, string>();
  let demanded = "";
  let serial = 0;
  const mcp = toNodeHandler(createMcpHandler(everyday)) as Handle;

  const json = (response: ServerResponse, value: unknown, status = 200): void =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));

  const give = (response: ServerResponse, scope: string): void => {
    const token = `access-${++serial}`;
    tokens.set(token, scope);
    const granted = { access_token: token, token_type: "Bearer", scope, refresh_token: "refresh-secret" };
    json(response, granted);
  };

  const routes: Record<string, Handle> = {
    "/.well-known/oauth-protected-resource/mcp": (_, response) =>
      json(response, { resource: server.url, authorization_servers: [origin()] }),
    "/.well-known/oauth-authorization-server": (_, response) =>
      json(response, {
        issuer: origin(),
        authorization_endpoint: `${origin()}/authorize`,
        token_endpoint: `${origin()}/token`,
        registration_endpoint: `${origin()}/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        authorization_response_iss_parameter_supported: true,
      }),
    "/register": async (request, response) => {
      const metadata: { redirect_uris: string[] } = JSON.parse(await text(request));
      registered.push(...metadata.redirect_uris);
      json(response, { ...metadata, client_id: "registered", client_secret: "client-secret" }, 201);
    },
    "/authorize": (request, response) => {
      const { searchParams: parameters } = new URL(request.url ?? "/", origin());
      const code = `code-${++serial}`;
      challenges.set(code, {
        challenge: parameters.get("code_challenge") ?? "",
        scope: parameters.get("scope") ?? "basic",
      });
      const back = new URL(parameters.get("redirect_uri") ?? "");
      const answer = behaviour.answer ?? { code, iss: origin() };
      for (const [name, value] of Object.entries({ state: parameters.get("state") ?? "", ...answer }))
        back.searchParams.set(name, value);
      response.writeHead(302, { location: back.href }).end();
    },
    "/token": async (request, response) => {
      const parameters = new URLSearchParams(await text(request));
      const grant = parameters.get("grant_type") ?? "";
      grants.push(grant);
      if (behaviour.tokenError) {
        const [status, body] = behaviour.tokenError;
        return void response.writeHead(status, { "content-type": "application/json" }).end(body);
      }
      if (grant === "client_credentials") {
        const isKnown = request.headers.authorization === `Basic ${btoa("robot:robot-secret")}`;
        return isKnown
          ? give(response, parameters.get("scope") ?? "")
          : json(response, { error: "invalid_client" }, 401);
      }
      if (grant === "refresh_token") return give(response, "basic");
      const stored = challenges.get(parameters.get("code") ?? "");
      const verifier = createHash("sha256").update(parameters.get("code_verifier") ?? "");
      if (stored?.challenge !== verifier.digest("base64url"))
        return json(response, { error: "invalid_grant" }, 400);
      challenges.delete(parameters.get("code") ?? "");
      return give(response, stored.scope);
    },
  };

  const server: LocalServer = await serve(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const route = routes[pathname];
    if (route) return route(request, response);
    if (pathname !== "/mcp") return response.writeHead(404).end();
    const scope = tokens.get((request.headers.authorization ?? "").replace("Bearer ", ""));
    const metadata = `resource_metadata="${origin()}/.well-known/oauth-protected-resource/mcp"`;
    if (scope === undefined)
      return response.writeHead(401, { "www-authenticate": `Bearer ${metadata}` }).end();
    if (demanded !== "" && !scope.split(" ").includes(demanded)) {
      const challenge = `Bearer error="insufficient_scope", scope="${demanded}", ${metadata}`;
      return response.writeHead(403, { "www-authenticate": challenge }).end();
    }
    return mcp(request, response);
  });
  const origin = (): string => new URL(server.url).origin;
  return Object.assign(server, {
    grants,
    registered,
    behaviour,
    forgetTokens: () => tokens.clear(),
    demand: (scope: string) => void (demanded = scope),
  });
}
