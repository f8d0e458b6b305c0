export type { HttpAgent } from "../../transport/wire/types.ts";
export type { UploadOptions } from "../kit/uploads/types.ts";
export { google, type Google } from "./model.ts";
export type {
  GoogleFileSearchOptions,
  GoogleSearchOptions,
  GoogleTool,
  GoogleTools,
} from "./hosted-tools.ts";
export type { GoogleOptions } from "./options.ts";
