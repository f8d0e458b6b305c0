export type { HttpAgent } from "../../transport/wire/types.ts";
export { google } from "./model.ts";
export type { GoogleOptions } from "./options.ts";
