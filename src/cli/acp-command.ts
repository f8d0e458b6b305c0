import { Writable } from "node:stream";
import { resolve } from "node:path";
import { asAgent } from "../agent/handoff.ts";
import type { Agent } from "../agent/agent.ts";
import { absolutePath } from "../base/util/absolute-path.ts";
import { errorMessage } from "../base/util/error-message.ts";
import { ownOutput } from "../connectors/mcp/server/own-output.ts";
import { ConfigurationError } from "../errors.ts";
import { inMemory } from "../sessions/sqlite-database.ts";
import { isAgent } from "../tool/agent-like.ts";
import { acpApp } from "./acp/app.ts";
import { boundedLines, mostMessageBytes } from "./acp/bounded-lines.ts";
import { isOffline, type Offer, type OfferedAgent, takesImages } from "./acp/choices.ts";
import { loadAcpSdk } from "./acp/sdk.ts";
import { SessionTable } from "./acp/session-table.ts";
import { AcpSessions } from "./acp/sessions.ts";
import { chooseAgent } from "./load-agent.ts";
import { assertFile, importModule } from "./load-module.ts";
import { modelOrOffline, shareModel } from "./model-or-offline.ts";
import { printable } from "./text.ts";

/** The options of `skein acp`. */
export interface AcpFlags {
  readonly agent?: string;
  readonly model?: string;
  readonly models?: readonly string[];
  readonly context?: Record<string, unknown>;
  readonly sessions?: string;
}

/** The most milliseconds that answers under way have to end once the editor has left. */
const patience = 5_000;

const offlineNotice = "Offline stand-in: keyword rules, not a language model. Set SKEIN_MODEL, or a key.";

/**
 * Serves the agents that a file exports to an editor, over standard input and output, until the editor leaves or a signal ends the
 * process. What the file prints goes to standard error.
 * @param version - Of the command.
 * @throws ConfigurationError for a file without an agent, a model that is not there, sessions that cannot be opened, and without the
 * package of the protocol.
 */
export async function acpCommand(file: string, flags: AcpFlags, version: string): Promise<void> {
  const { wire } = ownOutput();
  await assertFile(file);
  const sdk = await loadAcpSdk();
  await shareModel(flags.model);
  const exports = await importModule(file);
  const { offer, usesOffline } = await offerOf(file, exports, flags);
  const path = flags.sessions === undefined ? inMemory : absolutePath(flags.sessions);
  const sessions = new AcpSessions({
    offer,
    path,
    table: await openTable(path, resolve(file)),
    context: flags.context ?? {},
    log: say,
    ...(usesOffline && { notice: offlineNotice }),
  });
  const app = acpApp(sdk, sessions, {
    title: offer.agents[0].agent.name,
    version,
    takesImages: takesImages(offer),
  });
  const lines = boundedLines(process.stdin, mostMessageBytes, ({ answer, isResponse, reason }) => {
    say(reason);
    if (!isResponse) wire.write(`${answer}\n`);
  });
  const { writable, readable } = sdk.ndJsonStream(Writable.toWeb(wire), streamOf(lines), {
    maxMessageBytes: mostMessageBytes,
  });
  const connection = app.connect({ writable, readable: readable.pipeThrough(oneByOne()) });
  const end = (): void => connection.close();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, end);
  await connection.closed;
  await Promise.race([sessions.closeAll(), new Promise((done) => setTimeout(done, patience))]);
}

async function offerOf(
  file: string,
  exports: Readonly<Record<string, unknown>>,
  { agent: name, model, models = [] }: AcpFlags,
): Promise<{ readonly offer: Offer; readonly usesOffline: boolean }> {
  const { modelFromName } = await import("#model-resolution");
  // One that is not there is reported before anybody is served.
  for (const each of model === undefined ? models : [model, ...models]) await modelFromName(each);
  const [first, ...others] = exportedAgents(file, exports, name);
  const needsModel = model === undefined && [first, ...others].some(({ agent }) => agent.model === undefined);
  const usual = needsModel ? await modelOrOffline() : model;
  const equip = ({ id, agent }: OfferedAgent): OfferedAgent => {
    const isOwn = model === undefined && agent.model !== undefined;
    return { id, agent: isOwn || usual === undefined ? agent : agent.with({ model: usual }) };
  };
  const agents = [equip(first), ...others.map(equip)] as const;
  return { offer: { agents, models, ...(model !== undefined && { model }) }, usesOffline: isOffline(usual) };
}

/** The agents of a file, the usual one first: `agent`, `default`, or the first of them. What is exported twice is offered once. */
function exportedAgents(
  file: string,
  exports: Readonly<Record<string, unknown>>,
  name: string | undefined,
): readonly [OfferedAgent, ...OfferedAgent[]] {
  if (name !== undefined) return [{ id: name, agent: chooseAgent(file, exports, name) }];
  const ids = Object.keys(exports).filter((id) => isAgent(exports[id]));
  const rankOf = (id: string): number => ["agent", "default"].indexOf(id) + 1 || 3;
  const agents = new Map<Agent, string>();
  for (const id of ids.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const value = exports[id];
    if (isAgent(value) && !agents.has(asAgent(value))) agents.set(asAgent(value), id);
  }
  const [first, ...others] = [...agents].map(([agent, id]) => ({ id, agent }));
  // Says what is there instead.
  return first ? [first, ...others] : [{ id: "", agent: chooseAgent(file, exports) }];
}

async function openTable(path: string, file: string): Promise<SessionTable> {
  try {
    return await SessionTable.open(path, file);
  } catch (error) {
    throw new ConfigurationError(`The file of --sessions cannot be opened: ${errorMessage(error)}`, {
      code: "invalid-option",
      cause: error,
    });
  }
}

function streamOf(lines: AsyncIterator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

/**
 * Has each message reach its handler before the next one is read: the SDK looks for handlers step by step, and one that comes in the
 * same piece, such as the cancelling of a prompt, would overtake it.
 */
function oneByOne<T>(): TransformStream<T, T> {
  return new TransformStream<T, T>({
    async transform(message, controller) {
      controller.enqueue(message);
      await new Promise((done) => setImmediate(done));
    },
  });
}

function say(message: string): void {
  process.stderr.write(`skein: ${printable(message)}\n`);
}
