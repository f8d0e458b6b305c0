/** Programs with durable runs in Restate, within the test's own process. */
import { createServer, type Http2Server } from "node:http2";
import { createEndpointHandler } from "@restatedev/restate-sdk";
import {
  restateRuns,
  type RestateRuns,
  type RestateRunsOptions,
  type RestateService,
} from "skein/durable/restate";
import { freePort, type RestateServer } from "./restate-server.ts";

const open: RestateRuns[] = [];
const servers: Http2Server[] = [];

/** Ends all programs of a test. */
export async function closeApps(): Promise<void> {
  await Promise.all(open.splice(0).map((each) => each.close({ drain: 0 })));
  for (const server of servers.splice(0)) server.close();
}

type AppOptions = Omit<RestateRunsOptions, "ingress" | "admin">;

/** A program that looks at runs, and executes none. What no caller waits for is ignored, unless a test looks at it. */
export function newApp({ ingress, admin }: RestateServer, options: AppOptions): RestateRuns {
  const app = restateRuns({ onError: () => {}, ingress, admin, ...options });
  open.push(app);
  return app;
}

/** A program that Restate has runs executed by, in place of those before it. */
export async function serveApp(server: RestateServer, options: AppOptions): Promise<RestateRuns> {
  const app = newApp(server, options);
  await server.register(await serve(await app.services()));
  return app;
}

/** Serves what Restate calls. Returns its address. */
export async function serve(services: RestateService[]): Promise<string> {
  const port = await freePort();
  const endpoint = createServer(createEndpointHandler({ services, logger: () => {} }));
  servers.push(endpoint);
  await new Promise<void>((resolve) => void endpoint.listen(port, "127.0.0.1", resolve));
  return `http://127.0.0.1:${port}`;
}
