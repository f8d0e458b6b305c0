/**
 * Makes sandboxes, and tools that stand on them.
 * @module
 */
export { command } from "./command.ts";
export { open } from "./open.ts";
export { shell } from "./shell.ts";
