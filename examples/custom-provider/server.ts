/** A server that speaks the protocol. Behind it sits whatever model the environment names, or the offline one. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { Agent, ModelNotFoundError, stream, tool } from "skein";
import { type Line, type Request, requestForm, toMessage } from "./protocol.ts";

/** A server on this machine. */
export interface LinesServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts it on a free port of 127.0.0.1. It does not keep a process alive. */
export async function startServer(): Promise<LinesServer> {
  const server = createServer(async (incoming, response) => {
    const request = requestForm.safeParse(await json(incoming).catch(() => undefined));
    if (request.success) await answer(request.data, response);
    else response.writeHead(400).end();
  });
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function answer(request: Request, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const tell = (line: Line): void => void response.write(`${JSON.stringify(line)}\n`);
  try {
    await ask(request, tell, gone.signal).catch((error: unknown) => {
      if (!(error instanceof ModelNotFoundError) || process.env["SKEIN_MODEL"]) throw error;
      return ask(request, tell, gone.signal, "offline");
    });
    response.end();
  } catch (error) {
    console.error(`custom-provider: ${error instanceof Error ? error.message : String(error)}`);
    if (response.headersSent) response.destroy();
    else response.writeHead(500).end();
  }
}

/** Asks the model behind once: its text is passed on, its calls are for the client. */
async function ask(
  { system, said, tools }: Request,
  tell: (line: Line) => void,
  signal: AbortSignal,
  model?: string,
): Promise<void> {
  const agent = new Agent({
    name: "Lines",
    ...(system !== "" && { instructions: system }),
    tools: tools.map(({ name, description = "", inputSchema }) =>
      tool({ name, description, input: inputSchema }),
    ),
    ...(model !== undefined && { model }),
  });
  const running = stream(agent, said.map(toMessage), { executeTools: false, maxTurns: 1, signal });
  for await (const event of running) if (event.type === "text-delta") tell({ text: event.text });
  const { pending } = await running.result;
  for (const { toolCallId, toolName, arguments: given } of pending)
    tell({ call: { toolCallId, toolName, arguments: given } });
  tell({ end: "done" });
}
