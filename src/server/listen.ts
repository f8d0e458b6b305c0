import { assertKnownOptions, describeValue, invalidOption } from "../base/options/known-options.ts";
import { builtinModule } from "../base/util/builtin-module.ts";
import { errorMessage } from "../base/util/error-message.ts";
import { ConfigurationError } from "../errors.ts";
import type { Answer } from "./answer.ts";
import type { IncomingRequest } from "./incoming.ts";
import { localHosts } from "./guard.ts";
import { answerNode } from "./node-handler.ts";
import type { Listening, ListenOptions } from "./types.ts";

const optionNames = { port: true, host: true } satisfies Record<keyof ListenOptions, true>;

/** How long what clients are being sent may take once the server closes, in milliseconds. */
const lastWords = 1_000;

/**
 * Listens by `node:http`.
 * @param isGuarded - Whether it is known who sends a request.
 * @throws ConfigurationError (`listen`, `invalid-option`)
 */
export async function listen(
  answer: (request: IncomingRequest) => Promise<Answer>,
  options: ListenOptions,
  isGuarded: boolean,
): Promise<Listening & { close(): Promise<void> }> {
  assertKnownOptions(options, optionNames, "listen()");
  const { port = 3_000, host = "127.0.0.1" } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw invalidOption(`Invalid port ${describeValue(port)}. Expected 0 to 65535.`, { option: "port" });
  const isLocal = localHosts.includes(host) || host === "::1";
  if (!isLocal && !isGuarded)
    throw invalidOption(
      `listen() on ${host} lets the network in. Set authorize of serve(): who may use the agents? For all: authorize: () => ({ user: "anyone" }).`,
      { option: "host" },
    );
  const http = builtinModule("node:http");
  if (!http)
    throw new ConfigurationError(
      "listen() needs Node, Bun or Deno. Elsewhere pass fetch of serve() to the platform.",
      {
        code: "listen",
      },
    );
  const server = http.createServer((request, response) => {
    answerNode(answer, request, response).catch(() => response.destroy());
  });
  const bound = await new Promise<number>((resolve, reject) => {
    const fail = (cause: unknown): void => {
      const why = `The server cannot listen on ${host}:${port}: ${errorMessage(cause)}`;
      reject(new ConfigurationError(why, { code: "listen", data: { host, port }, cause }));
    };
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      const address = server.address();
      if (typeof address === "object" && address) resolve(address.port);
      else fail(new Error("it has no port"));
    });
  });
  const closed = new Promise<void>((resolve) => server.once("close", resolve));
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${name}:${bound}`,
    port: bound,
    closed,
    close: async () => {
      server.close();
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), lastWords);
      await closed;
      clearTimeout(timer);
    },
  };
}
