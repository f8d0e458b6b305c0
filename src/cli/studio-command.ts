import { spawn } from "node:child_process";
import { resolve } from "node:path";
import type { AnyAgent } from "../agent/agent.ts";
import { asAgent } from "../agent/handoff.ts";
import { ConfigurationError } from "../errors.ts";
import { openStore } from "./runs/open-store.ts";
import { errorMessage } from "../base/util/error-message.ts";
import { assertDevelopment } from "../studio/check-options.ts";
import { openStudio, type ChangingStudio } from "../studio/studio.ts";
import { isAgent } from "../tool/agent-like.ts";
import { checkInChild } from "./check-in-child.ts";
import { hasResults } from "./eval/result-files.ts";
import { StudioEvals } from "./eval/studio-evals.ts";
import { FreshModules } from "./fresh-modules.ts";
import { chooseAgent } from "./load-agent.ts";
import { assertFile, importModule } from "./load-module.ts";
import { modelOrOffline, shareModel } from "./model-or-offline.ts";
import { printable } from "./text.ts";
import { FolderWatcher } from "./watch-files.ts";

/** The options of `skein studio`. */
export interface StudioFlags {
  readonly port: number;
  /** `false` if no browser is to be opened. */
  readonly open?: boolean;
  /** Files of recordings, and of results of `skein eval`. */
  readonly recordings?: readonly string[];
  readonly model?: string;
  readonly allowProduction?: boolean;
  /** A file of results that others are compared with. */
  readonly baseline?: string;
  /** A store of durable runs. */
  readonly runs?: string;
  /** The port at which spans of OpenTelemetry are received. */
  readonly otlp?: number;
}

/**
 * Opens the studio for the agents and evaluations that a file exports, the runs of a store, recordings, results of evaluations and the spans that
 * programs send, until a signal ends the process. When the file or one that it imports changes, the agents are loaded again; if that fails, those before go on.
 * @throws ConfigurationError for a file that exports no agent, a port that is not available, or where `NODE_ENV` is `"production"`.
 */
export async function studioCommand(file: string | undefined, flags: StudioFlags): Promise<void> {
  const { port, open, model, recordings: opened = [], allowProduction = false } = flags;
  if (file !== undefined) await assertFile(file);
  else if (flags.runs === undefined && flags.otlp === undefined && opened.length === 0)
    throw new ConfigurationError(
      "The studio needs something to show: a file that exports agents, --runs <store>, --otlp <port>, or --open <recording or results>.",
      { code: "invalid-option" },
    );
  // Before the program's own code is executed.
  assertDevelopment(allowProduction, "npx skein studio", "--allow-production");
  const store = flags.runs === undefined ? undefined : openStore(flags.runs, "--runs <file>");
  const areResults = await Promise.all(opened.map(hasResults));
  const evals = new StudioEvals(
    opened.filter((_, index) => areResults[index]),
    flags.baseline,
  );
  // What cannot be read is refused before the page is there.
  await evals.read();
  await shareModel(model);
  using modules = new FreshModules();
  const exportNames = new Map<string, string>();
  const agents = file === undefined ? [] : await loadAgents(file, exportNames, evals);
  if (model !== undefined) process.env["SKEIN_MODEL"] = model;
  const defaultModel = await nameOfDefault(agents, model);
  const ended = new AbortController();
  const studio = await openStudio(
    { agents, port, allowProduction },
    {
      exportNames,
      evals,
      ...(file !== undefined && { file, checkTools: () => checkInChild(file, ended.signal) }),
      ...(defaultModel !== undefined && { defaultModel }),
    },
    {
      recordings: opened.filter((_, index) => !areResults[index]),
      ...(store && { store }),
      ...(flags.otlp !== undefined && { otlp: flags.otlp }),
    },
  );
  const names = [
    ...agents.map(({ name }) => name),
    ...(flags.runs === undefined ? [] : [flags.runs]),
    ...opened,
    ...(studio.otlp === undefined ? [] : ["OpenTelemetry"]),
  ].join(", ");
  const spans = studio.otlp === undefined ? "" : `OTEL_EXPORTER_OTLP_ENDPOINT=${studio.otlp}\n`;
  process.stdout.write(printable(`Studio for ${names} at ${studio.url}\n${spans}Press Ctrl+C to stop.\n`));
  if (open !== false && process.stdout.isTTY) openBrowser(studio.url);
  if (file !== undefined)
    reloadOnChange(file, modules, studio, () => loadAgents(file, exportNames, evals)).catch(
      (error: unknown) => say(`files are not watched: ${errorMessage(error)}`),
    );
  await new Promise<void>((end) => {
    process.on("SIGINT", end).on("SIGTERM", end);
  });
  ended.abort();
  await studio.close();
}

/**
 * Every exported agent. What is exported twice, by its name and as the default, say, is there once.
 * @param exportNames - Receives the name of the export of each agent.
 * @param evals - Receives the evaluations; their agents are there, too.
 */
async function loadAgents(
  file: string,
  exportNames: Map<string, string>,
  evals: StudioEvals,
): Promise<readonly AnyAgent[]> {
  const exports = await importModule(file);
  const agents = [...new Set(Object.values(exports).filter(isAgent))].map(asAgent);
  exportNames.clear();
  for (const [name, value] of Object.entries(exports))
    if (isAgent(value) && name !== "default") exportNames.set(value.name, name);
  if (isAgent(exports["default"]) && !exportNames.has(exports["default"].name))
    exportNames.set(exports["default"].name, "default");
  const names = new Set(agents.map(({ name }) => name));
  for (const agent of evals.load(exports)) {
    if (names.has(agent.name)) continue;
    names.add(agent.name);
    agents.push(agent);
  }
  // Says what is there instead.
  if (agents.length === 0) chooseAgent(file, exports);
  return agents;
}

/** What agents without a model of their own speak with, as far as there are any. */
async function nameOfDefault(
  agents: readonly AnyAgent[],
  chosen: string | undefined,
): Promise<string | undefined> {
  if (agents.every((agent) => agent.model !== undefined)) return chosen;
  const { provider, modelId } = await modelOrOffline();
  if (provider === "offline")
    say("agents speak with an offline stand-in: keyword rules, not a language model (set SKEIN_MODEL)");
  return provider === "offline" ? provider : `${provider}:${modelId}`;
}

/** Loads the agents again whenever a file of theirs changes. Never resolves; rejects if files cannot be watched. */
async function reloadOnChange(
  file: string,
  modules: FreshModules,
  studio: ChangingStudio,
  load: () => Promise<readonly AnyAgent[]>,
): Promise<never> {
  using watcher = new FolderWatcher();
  for (;;) {
    watcher.follow([resolve(file), ...modules.files]);
    await watcher.nextChange();
    const before = [...modules.files];
    modules.renew();
    try {
      await studio.replaceAgents(await load());
      say(`${file} was loaded again`);
    } catch (error) {
      studio.showProblem(errorMessage(error));
      say(`${errorMessage(error)} The agents before go on.`);
      // The mistake may be in one that was not reached this time.
      for (const each of before) modules.files.add(each);
    }
  }
}

/** Opens the page with what the system opens pages with. Where there is none, the address was printed. */
function openBrowser(url: string): void {
  const [command = "", ...args] =
    process.platform === "darwin"
      ? ["open", url]
      : process.platform === "win32"
        ? ["cmd", "/c", "start", "", url]
        : ["xdg-open", url];
  spawn(command, args, { stdio: "ignore", detached: true })
    .on("error", () => {})
    .unref();
}

function say(text: string): void {
  process.stderr.write(`skein: ${printable(text)}\n`);
}
