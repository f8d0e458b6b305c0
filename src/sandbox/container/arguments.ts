import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { invalidOption } from "../../base/options/known-options.ts";
import { usualVariables } from "../kit.ts";
import type { ContainerOptions, TierOptions } from "../types.ts";

/** A command of an engine. */
export interface EngineCall {
  readonly command: string;
  readonly args: readonly string[];
}

/** A container to be. */
export interface ContainerRun extends EngineCall {
  /** Ends the container. */
  readonly kill: EngineCall;
  /** Variables of the engine's command, which passes them on under names that mean nothing to it. */
  readonly variables: Readonly<Record<string, string>>;
}

/** How long after its time a program is ended from within, in seconds: if this process cannot. */
const grace = 5;

/** What the command of an engine ends with, if the engine itself failed. */
export const engineFailure = 125;

/** Begins what the container prints where a program cannot be started. */
export const startFailure = "skein: cannot start ";

/** The command that runs a program in a container of its own, and the one that ends it. */
export function containerRun(
  { container, image, runtime }: ContainerOptions,
  options: TierOptions,
  argv: readonly string[],
): ContainerRun {
  const [command = "", ...first] = typeof container === "string" ? [container] : container;
  const name = `skein-${randomUUID()}`;
  const { folders, cwd, net, memoryMb, processes, fileMb, timeout, env } = options;
  const memory = `${megabytes(memoryMb)}b`;
  const args = [
    ...first,
    ["run", "--rm", "--interactive", "--name", name, "--pull", "never"],
    ["--log-driver", "none"],
    runtime === undefined ? [] : ["--runtime", runtime],
    net ? [] : ["--network", "none"],
    ["--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges", ...userOf(command)],
    ["--memory", memory, "--memory-swap", memory, "--pids-limit", String(Math.ceil(processes))],
    ["--ulimit", `fsize=${megabytes(fileMb)}:${megabytes(fileMb)}`, "--ulimit", "core=0:0"],
    ["--ulimit", "nofile=1024:1024", "--shm-size", memory],
    ["--tmpfs", `/tmp:rw,nosuid,nodev,mode=1777,size=${megabytes(memoryMb)}`],
    folders.flatMap(({ source, target, isWritable }) => [
      "--mount",
      `type=bind,source=${source},target=${target}${isWritable ? "" : ",readonly"}`,
    ]),
    // Engines refuse a folder that the container has not: a program starts at `/` then.
    ["--workdir", "/", "--hostname", "sandbox"],
    Object.entries(usualVariables).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
    Object.keys(env).flatMap((_, index) => ["--env", placeholder(index)]),
    ["--entrypoint", "sh", image],
    ["-c", firstScript, "sh", String(Math.ceil(timeout / 1_000) + grace)],
    ["sh", "-c", startScript(Object.keys(env)), "sh", cwd, ...argv],
  ].flat();
  return {
    command,
    args,
    kill: { command, args: [...first, "kill", name] },
    variables: Object.fromEntries(Object.values(env).map((value, index) => [placeholder(index), value])),
  };
}

/** Printed after a program that ends as the command of an engine does where the engine fails. */
export const ownFailure: string = `skein: the program ended with ${engineFailure}\n`;

/** It is not replaced by the program: nobody within may end the first process of a container. */
const firstScript = `timeout -s KILL "$@"
code=$?
[ "$code" != ${engineFailure} ] || printf '${ownFailure.trimEnd()}\\n' >&2
exit "$code"`;

/** Files that programs write belong to the user of this process. Without root's rights, podman maps users unless it keeps this one. */
function userOf(command: string): readonly string[] {
  const [user, group] = [process.getuid?.(), process.getgid?.()];
  if (user === undefined || group === undefined) return [];
  const isMapped = user !== 0 && basename(command).startsWith("podman");
  return ["--user", `${user}:${group}`, ...(isMapped ? ["--userns", "keep-id"] : [])];
}

/** Starts a program in its folder, gives it its variables under their names, and says where there is no such program. */
function startScript(names: readonly string[]): string {
  return [
    'cd "$1" 2>/dev/null; shift',
    'command -v -- "$1" >/dev/null || { echo "skein: cannot start $1: there is no such program" >&2; exit 127; }',
    ...names.map((name, index) => `export ${name}="$${placeholder(index)}"; unset ${placeholder(index)}`),
    'exec "$@"',
  ].join("\n");
}

function placeholder(index: number): string {
  return `SKEIN_BOX_${index}`;
}

function megabytes(count: number): number {
  return Math.ceil(count * 1_048_576);
}

/** @throws ConfigurationError (`invalid-option`) for what the command of an engine cannot say. */
export function assertSayable({ folders, domains, env }: TierOptions): void {
  if (domains.length > 0)
    throw invalidOption(
      `net names hosts, and a container has its engine's network or none. Set via: "sandbox-runtime", or net: true.`,
      { option: "net" },
    );
  const folder = folders.find(({ source, target }) => /[,"\n]/.test(source + target));
  if (folder)
    throw invalidOption(
      `The sandbox cannot open ${folder.source}: containers take no path with a comma, a quotation mark or a line break.`,
      { option: "read" },
    );
  const name = Object.keys(env).find((each) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(each));
  if (name !== undefined)
    throw invalidOption(
      `env names "${name}", and in a container a name has letters, digits and underscores only.`,
      { option: "env" },
    );
}
