/** A server of runs, written by hand or with `serve()`, in a process of its own: it reports the processor time between "begin" and "end". */
import { createServer } from "node:http";
import { setImmediate as nextRound } from "node:timers/promises";
import { Agent, type Model, stream } from "skein";
import { serve } from "skein/server";
import { ScriptedModel } from "skein/testing";

const pieces = 20;
const scripted = (): ScriptedModel => new ScriptedModel([{ text: "word ".repeat(pieces), chunkSize: 5 }]);

/** Each answer is said piece by piece, each in a round of the event loop of its own, as those of a provider are. */
const model: Model = {
  provider: "bench",
  modelId: "spoken",
  async *stream(request) {
    for await (const event of scripted().stream(request)) {
      yield event;
      await nextRound();
    }
  },
};
const agent = new Agent({ name: "bench", model });

process.on("disconnect", () => process.exit());
process.on("message", (message) => {
  if (message === "begin") {
    startedAt = process.cpuUsage();
    process.send?.(0);
  } else {
    const { user, system } = process.cpuUsage(startedAt);
    process.send?.((user + system) / 1000);
  }
});

let startedAt = process.cpuUsage();

/** The least that a program would write. */
function byHand(): void {
  const server = createServer((request, response) => {
    void (async () => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      const { input } = JSON.parse(body);
      response.writeHead(200, { "content-type": "text/event-stream" });
      for await (const event of stream(agent, String(input)))
        response.write(`id: ${event.index}\ndata: ${JSON.stringify(event)}\n\n`);
      response.end();
    })();
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (typeof address === "object") process.send?.(address?.port);
  });
}

async function withServe(): Promise<void> {
  const limits = { runs: 10_000, requestsPerMinute: 10_000_000 };
  const server = serve({ bench: agent }, { perUser: limits, maxRuns: 10_000 });
  process.send?.((await server.listen({ port: 0 })).port);
}

if (process.argv[2] === "by-hand") byHand();
else await withServe();
