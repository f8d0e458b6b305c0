export { offline, type OfflineOptions } from "./model.ts";
