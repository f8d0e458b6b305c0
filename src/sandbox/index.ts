/**
 * `skein/sandbox`: programs of a machine as tools, in a box that holds them.
 * @module
 */
export * as sandbox from "./functions.ts";
export type { CommandInput, CommandOptions, TypedCommandOptions } from "./command.ts";
export { SandboxError } from "./errors.ts";
export type { ShellOptions } from "./shell.ts";
export type {
  CompleteLimits,
  ContainerOptions,
  ExecEnd,
  ExecOptions,
  ExecResult,
  Sandbox,
  SandboxCallOptions,
  SandboxWriteOptions,
  SandboxFolder,
  SandboxLimits,
  SandboxOptions,
  SandboxTier,
  SandboxVia,
  TierName,
  TierOptions,
} from "./types.ts";
