/** The server of the twenty requests as a Worker. */
import { serve, type SkeinServer } from "skein/server";
import { hostAgents, hostOptions } from "./twenty-requests.ts";

const server = serve(hostAgents(), hostOptions);
const worker: { readonly fetch: SkeinServer["fetch"] } = { fetch: server.fetch };

// oxlint-disable-next-line import/no-default-export -- the platform asks for one
export { worker as default };
