import { createServer } from "node:http2";
import * as restate from "@restatedev/restate-sdk";
import { Agent, tool } from "skein";
import { restateRuns } from "skein/durable/restate";
import { FunctionModel } from "skein/testing";
import { freePort, startRestate } from "../test/durable/restate-server.ts";
import { medians } from "./measure.ts";
import type { Row } from "./table.ts";

/** How many steps a sample has. */
const steps = 50;

const text = "x".repeat(2_000);

/** What a step costs that Restate keeps, beside a call that sets the state of an object. */
export async function restateRows(): Promise<readonly Row[]> {
  const server = await startRestate();
  const bare = restate.object({
    name: "bare",
    options: { journalRetention: 0 },
    handlers: {
      set: async (context: restate.ObjectContext, value: string) => context.set("value", value),
    },
  });
  let took = 0;
  const write = tool({
    name: "write",
    input: { type: "object", properties: {} },
    execute: async (_, { step }) => {
      const startedAt = performance.now();
      for (let number = 0; number < steps; number++) await step(`${number}`, () => text);
      took = (performance.now() - startedAt) / steps;
    },
  });
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ toolName: "write", arguments: {} }] },
  );
  const app = restateRuns({
    agents: [new Agent({ name: "Writer", model, tools: [write] })],
    ingress: server.ingress,
  });
  const services = [...(await app.services()), bare];
  const port = await freePort();
  const endpoint = createServer(restate.createEndpointHandler({ services, logger: () => {} }));
  await new Promise<void>((resolve) => void endpoint.listen(port, "127.0.0.1", resolve));
  try {
    await server.register(`http://127.0.0.1:${port}`);
    const figures = await medians({
      bare: () => setStates(server.ingress),
      step: async () => {
        await (await app.start("Writer", "Go.")).result();
        return took;
      },
    });
    return [
      {
        what: "durable: a step on Restate, beside a call that sets a state there",
        unit: "ms",
        floor: figures("bare"),
        skein: figures("step"),
      },
    ];
  } finally {
    await app.close();
    endpoint.close();
    await server.stop();
  }
}

async function setStates(ingress: string): Promise<number> {
  const headers = { "content-type": "application/json" };
  const startedAt = performance.now();
  for (let number = 0; number < steps; number++)
    await fetch(`${ingress}/bare/key/set`, { method: "POST", headers, body: JSON.stringify(text) }).then(
      (response) => response.text(),
    );
  return (performance.now() - startedAt) / steps;
}
