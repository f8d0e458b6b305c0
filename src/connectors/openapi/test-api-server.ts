import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { $RefParser } from "@apidevtools/json-schema-ref-parser";
import { executeToolCalls, type ToolResult, type Toolset } from "../../index.ts";

/** A server of the tests. */
export interface TestServer {
  readonly url: string;
  /** The requests so far, as text: method and address, headers, body. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** Headers that every request has, whatever its operation. */
const usual = new Set(
  "host connection user-agent accept accept-language accept-encoding sec-fetch-mode content-length".split(
    " ",
  ),
);

/** Answers every request with `answer`, and records it. */
export async function serve(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<TestServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const record = async (): Promise<void> => {
      const body = await text(request.setEncoding("latin1"));
      requests.push(written(request, body));
      answer(request, response, body);
    };
    void record();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The same, for as long as the test lasts that calls it. */
export async function serveTest(...answer: Parameters<typeof serve>): Promise<TestServer> {
  const server = await serve(...answer);
  onTestFinished(() => server.close());
  return server;
}

/** A request as the table of the tests writes it; boundaries of multipart bodies become `BOUNDARY`. */
function written({ method, url, headers }: IncomingMessage, body: string): string {
  const lines = Object.entries(headers)
    .filter(([name]) => !usual.has(name))
    .map(([name, value]) => `${name}: ${String(value)}`)
    .toSorted();
  const whole = [`${method} ${url}`, ...lines, ...(body === "" ? [] : ["", body])].join("\n");
  const boundary = /boundary=(\S+)/.exec(headers["content-type"] ?? "")?.[1];
  return (boundary === undefined ? whole : whole.replaceAll(boundary, "BOUNDARY")).replaceAll("\r", "");
}

/** A fixture's text. */
export function fixture(name: string): string {
  return readFileSync(new URL(`fixtures/${name}`, import.meta.url), "utf8");
}

/**
 * A server made of a document: it knows the paths and methods that stand there under `prefixes`, and answers with the
 * operation's id, or its method and path, as JSON. The document itself is at `/openapi.yaml`.
 */
export async function serveDocument(yaml: string, prefixes: readonly string[]): Promise<TestServer> {
  const routes = await routesOf(yaml, prefixes);
  return serve((request, response) => {
    const { method = "", url = "" } = request;
    const [path = ""] = url.split("?", 1);
    if (path === "/openapi.yaml") return void response.end(yaml);
    if (path.endsWith("/oauth/token"))
      return void response.end('{"access_token":"fresh-token","expires_in":3600}');
    const route = routes.find((each) => each.method === method && each.pattern.test(path));
    response.writeHead(route ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify({ operation: route?.operation ?? "none" }));
  });
}

interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly operation: string;
}

async function routesOf(yaml: string, prefixes: readonly string[]): Promise<readonly Route[]> {
  const reader = { order: 1, canRead: true, read: (): string => yaml };
  const options = { resolve: { file: false, http: false, text: reader } };
  const { paths } = (await new $RefParser().dereference("document.yaml", options)) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => /^(?:get|put|post|delete|patch|head|options)$/.test(method))
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        pattern: patternOf(path.split("?", 1)[0] ?? "", prefixes),
        operation: operation.operationId ?? `${method} ${path}`,
      })),
  );
}

function patternOf(path: string, prefixes: readonly string[]): RegExp {
  const escaped = path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{[^{}]*\}/g, "[^/]*");
  return new RegExp(`^(?:${prefixes.join("|")})${escaped}$`);
}

/** Calls one tool of a set, as a run would. */
export async function call(set: Toolset, toolName: string, args: unknown): Promise<ToolResult> {
  const toolCall = { toolCallId: "call_1", toolName, arguments: JSON.stringify(args) };
  const [result] = await executeToolCalls([toolCall], [set]);
  if (!result) throw new Error("no result");
  return result;
}

/** The text of a result. */
export function textOf({ content }: ToolResult): string {
  return content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
}
