/** The server of the twenty requests as a program of Bun, Deno or Node. It prints where it listens. Called with "listen", by `listen()`. */
import { serve } from "skein/server";
import { hostAgents, hostOptions } from "./twenty-requests.ts";

type Fetch = (request: Request) => Promise<Response>;

/** What the platforms have in the place of a server. */
interface Platforms {
  readonly Bun?: {
    serve(options: { readonly port: number; readonly hostname: string; readonly fetch: Fetch }): {
      readonly port: number;
    };
  };
  readonly Deno?: {
    serve(
      options: {
        readonly port: number;
        readonly hostname: string;
        readonly onListen: (address: { readonly port: number }) => void;
      },
      handler: Fetch,
    ): unknown;
  };
}

const server = serve(hostAgents(), hostOptions);
const { Bun, Deno }: Platforms = Object(globalThis);
const place = { port: 0, hostname: "127.0.0.1" };
const announce = (port: number): void => void process.stdout.write(`http://127.0.0.1:${port}\n`);

if (process.argv.includes("listen")) announce((await server.listen({ port: 0 })).port);
else if (Bun) announce(Bun.serve({ ...place, fetch: server.fetch }).port);
else if (Deno) Deno.serve({ ...place, onListen: ({ port }) => announce(port) }, server.fetch);
else throw new Error('This platform has no server of its own: call it with "listen".');
