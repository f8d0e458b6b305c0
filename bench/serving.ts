import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent as HttpAgent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { Agent, stream } from "skein";
import {
  toAgUiResponse,
  toChatCompletionResponse,
  toEventStream,
  toResponsesResponse,
  toUIMessageResponse,
} from "skein/protocols";
import { instantModel } from "./instant-model.ts";
import { drain, medians, processorTime, type Sample } from "./measure.ts";
import { shoutTool } from "./shout.ts";
import type { Row } from "./table.ts";

/** How many turns a run has that is encoded, and how many readers a server has at once. */
const turns = 50;
const readers = 1_000;

const model = instantModel(turns);
const agent = new Agent({ name: "Bench", instructions: "Shout.", tools: [shoutTool] });
const start = (): ReturnType<typeof stream> => stream(agent, "go", { model, maxTurns: turns + 1 });
const identity = { model: "bench", stream: true };

/** What each protocol costs beside `stream()`, and a server of a thousand readers beside one written by hand. */
export async function servingRows(): Promise<readonly Row[]> {
  const figures = await medians({
    stream: perTurn(() => drain(start())),
    events: perTurn(async () => read(toEventStream(start()))),
    ui: perTurn(async () => read(toUIMessageResponse(start()))),
    agUi: perTurn(async () => read(toAgUiResponse(start(), { threadId: "t", runId: "r" }))),
    chat: perTurn(async () => read(await toChatCompletionResponse(start(), identity))),
    responses: perTurn(async () => read(await toResponsesResponse(start(), identity))),
  });
  const row = (what: string, skein: number): Row => ({
    what: `serving, a turn over stream(): ${what}`,
    unit: "us",
    floor: figures("stream"),
    skein,
    limit: { of: "difference", most: 60 },
  });
  return [
    row("Skein's events", figures("events")),
    row("UI message stream", figures("ui")),
    row("AG-UI", figures("agUi")),
    row("Chat Completions", figures("chat")),
    row("Responses", figures("responses")),
    ...(await readerRows()),
  ];
}

function perTurn(work: () => Promise<unknown>): Sample {
  return async () => ((await processorTime(work, Math.ceil(5_000 / turns))) / turns) * 1000;
}

async function read(response: Response): Promise<void> {
  const reader = response.body?.getReader();
  while ((await reader?.read())?.done === false);
}

/** The processor time of a server whose readers come at once, each for a run of its own: an answer of twenty pieces. */
async function readerRows(): Promise<readonly Row[]> {
  const program = fileURLToPath(new URL("serving-program.ts", import.meta.url));
  const children = { byHand: fork(program, ["by-hand"]), skein: fork(program, ["skein"]) };
  try {
    const ports = {
      byHand: await messageOf(children.byHand),
      skein: await messageOf(children.skein),
    };
    const figures = await medians({
      byHand: () => costOfReaders(children.byHand, ports.byHand),
      skein: () => costOfReaders(children.skein, ports.skein),
    });
    return [
      {
        what: `serving, ${readers} readers at once, of one run each`,
        unit: "ms",
        floor: figures("byHand"),
        skein: figures("skein"),
        quartiles: figures.quartiles("skein", "byHand"),
        limit: { of: "ratio", most: 1.2 },
      },
    ];
  } finally {
    for (const child of Object.values(children)) child.kill();
  }
}

/** Milliseconds a reader. */
async function costOfReaders(server: ChildProcess, port: number): Promise<number> {
  server.send("begin");
  await once(server, "message");
  const agent = new HttpAgent({ keepAlive: true, maxSockets: readers });
  await Promise.all(Array.from({ length: readers }, () => readRun(port, agent)));
  agent.destroy();
  server.send("end");
  return (await messageOf(server)) / readers;
}

async function messageOf(child: ChildProcess): Promise<number> {
  const [message] = await once(child, "message");
  return Number(message);
}

function readRun(port: number, agent: HttpAgent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", accept: "text/event-stream" };
    const sent = request({ port, agent, method: "POST", path: "/runs/bench", headers }, (response) => {
      response.resume();
      response.once("end", resolve);
    });
    sent.once("error", reject);
    sent.end('{"input":"go"}');
  });
}
