// What is needed once a server is there, loaded then.
export { listTools } from "./list-tools.ts";
export { resourceTools } from "./resource-tools.ts";
export { listRemote } from "./list-remote.ts";
