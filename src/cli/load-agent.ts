import type { Agent } from "../agent/agent.ts";
import { asAgent } from "../agent/handoff.ts";
import { ConfigurationError } from "../errors.ts";
import { isAgent } from "../tool/agent-like.ts";
import { closest } from "../base/util/closest.ts";
import { assertFile, importModule } from "./load-module.ts";

/**
 * Loads a module and finds its agent: the export `name` if given, else `agent`, else `default`, else its only one.
 * TypeScript is run by Node itself, which strips the types.
 * @throws ConfigurationError naming the file and what is wrong with it (`module-file`), or what it exports if that is not
 * an agent (`agent-file`).
 */
export async function loadAgent(file: string, name?: string): Promise<Agent> {
  await assertFile(file);
  return chooseAgent(file, await importModule(file), name);
}

/** The agent among a module's exports; `file` names the module in errors. */
export function chooseAgent(file: string, exports: Readonly<Record<string, unknown>>, name?: string): Agent {
  if (name !== undefined) return namedAgent(file, exports, name);
  const agents = Object.entries(exports).flatMap(([key, value]) =>
    isAgent(value) ? [[key, value] as const] : [],
  );
  const usual = agents.find(([key]) => key === "agent") ?? agents.find(([key]) => key === "default");
  const [first, ...others] = usual ? [usual] : agents;
  if (!first) throw fileError(file, `exports no agent. ${exportList(exports)} ${remedy(exports)}`);
  if (others.length > 0) {
    throw fileError(
      file,
      `exports several agents: ${agents.map(([key]) => key).join(", ")}. Choose one with --agent.`,
    );
  }
  return asAgent(first[1]);
}

function namedAgent(file: string, exports: Readonly<Record<string, unknown>>, name: string): Agent {
  const value = Object.hasOwn(exports, name) ? exports[name] : undefined;
  if (isAgent(value)) return asAgent(value);
  const [suggestion] = closest(name, Object.keys(exports));
  const hint = suggestion === undefined || suggestion === name ? "" : ` Did you mean ${suggestion}?`;
  const problem = Object.hasOwn(exports, name)
    ? `exports ${name}, which is not an agent`
    : `does not export ${name}`;
  throw fileError(file, `${problem}.${hint} ${exportList(exports)}`);
}

/** What to write where no agent is exported. */
function remedy(exports: Readonly<Record<string, unknown>>): string {
  const functions = Object.keys(exports).filter((key) => typeof exports[key] === "function");
  const maker = functions.find((key) => key === "default" || /agent/i.test(key));
  if (maker === undefined) return "Write: export const agent = new Agent({ ... })";
  const name = maker === "default" ? "createAgent" : maker;
  return `If ${maker} makes the agent, call it and export the result: export const agent = ${name}()`;
}

function exportList(exports: Readonly<Record<string, unknown>>): string {
  const described = Object.entries(exports).map(([key, value]) => `${key} (${describe(value)})`);
  return described.length === 0 ? "It exports nothing." : `It exports ${described.join(", ")}.`;
}

function describe(value: unknown): string {
  if (isAgent(value)) return "an agent";
  if (value === null || value === undefined) return String(value);
  return typeof value;
}

function fileError(file: string, problem: string): ConfigurationError {
  return new ConfigurationError(`${file} ${problem}`, { code: "agent-file" });
}
