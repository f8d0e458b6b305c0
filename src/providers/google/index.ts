export { google } from "./model.ts";
export type { GoogleOptions } from "./options.ts";
