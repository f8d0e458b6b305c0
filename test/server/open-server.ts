import { Agent, type Model } from "skein";
import { serve, type SkeinServer } from "skein/server";
import { ScriptedModel } from "skein/testing";
import { afterEachTest } from "../hooks.ts";

const open: SkeinServer[] = [];

afterEachTest(async () => {
  await Promise.all(open.splice(0).map((server) => server.close({ drain: 0 })));
});

/** Serves agents on a free port until the test ends. */
export async function openServer(
  ...args: Parameters<typeof serve>
): Promise<{ readonly server: SkeinServer; readonly url: string }> {
  const server = serve(...args);
  open.push(server);
  return { server, url: (await server.listen({ port: 0 })).url };
}

/** Resolves once a condition holds that a server's answers show. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** An agent called Desk whose first answer stops behind its first five characters, until the test has it go on. */
export function inTwoPieces(
  text: string,
  ...more: readonly string[]
): { readonly agent: Agent; readonly goOn: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const scripted = new ScriptedModel([{ text, chunkSize: 5 }, ...more]);
  const model: Model = {
    provider: "test",
    modelId: "slow",
    async *stream(request) {
      let isFirst = true;
      for await (const event of scripted.stream(request)) {
        yield event;
        if (event.type !== "text-delta" || !isFirst) continue;
        isFirst = false;
        await promise;
      }
    },
  };
  return { agent: new Agent({ name: "Desk", model }), goOn: resolve };
}
