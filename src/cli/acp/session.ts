import type { ContentBlock, PromptResponse, StopReason } from "@agentclientprotocol/sdk";
import type { Agent } from "../../agent/agent.ts";
import { findAgent } from "../../agent/handoff.ts";
import type { ApprovalDecision } from "../../message/run-state.ts";
import type { Part } from "../../message/parts.ts";
import type { McpToolset } from "../../connectors/mcp/client/toolset.ts";
import type { RunResult } from "../../run/result-types.ts";
import { stream } from "../../run/run.ts";
import { readConversation, readSession } from "../../run/session/read-session.ts";
import type { Session } from "../../run/session/session.ts";
import type { SqliteSession } from "../../sessions/sqlite-session.ts";
import { unlessAborted } from "../../base/util/unless-aborted.ts";
import { shorten } from "../text.ts";
import { isContinue } from "./commands.ts";
import type { Editor } from "./editor.ts";
import { agentOf, configOptionsOf, type Choice, type Offer, type OfferedAgent } from "./choices.ts";
import { askAboutAll, type ApprovalRequested } from "./permissions.ts";
import { ledBy } from "./led-by.ts";
import { Notices } from "./notices.ts";
import { assertTaken, readPrompt, textOfPrompt } from "./read-prompt.ts";
import { invalidRequest, refusalOf } from "./refusal.ts";
import { replay } from "./replay.ts";
import { RunUpdates } from "./run-updates.ts";
import { withTools } from "./servers.ts";
import type { SessionRow, SessionTable } from "./session-table.ts";
import { reportSlowServers } from "./slow-servers.ts";
import { stopReasonOf } from "./stop-reason.ts";
import { type Card, ToolCards } from "./tool-cards.ts";
import { factsOfTeam } from "./tool-facts.ts";
import { isOfCall } from "./call-updates.ts";
import { unlessDeleted } from "./unless-deleted.ts";

/** What a session has from the process and from its editor. */
export interface SessionOptions {
  readonly row: SessionRow;
  readonly offer: Offer;
  readonly table: SessionTable;
  readonly store: SqliteSession;
  readonly servers: readonly McpToolset[];
  /** The folders of the project, the first of which is the working directory. */
  readonly roots: readonly string[];
  /** The context that a conversation begins with. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly editor: Editor;
  /** What the user should know before the first answer. */
  readonly notice?: string;
  /** What is wrong with it from the beginning. */
  readonly warnings: readonly string[];
  readonly log: (message: string) => void;
}

/** A run until it ends or waits for the user. */
interface Leg {
  readonly result: RunResult;
  readonly requests: readonly { readonly request: ApprovalRequested; readonly card: Card }[];
}

/** The widest title, in columns. */
const widestTitle = 80;

/** A conversation of an editor. */
export class AcpSession {
  readonly #options: SessionOptions;
  readonly #cards: ToolCards;
  readonly #team = new Map<string, Agent>();
  readonly #send: Editor["send"];
  readonly #notices: Notices;
  #row: SessionRow;
  /** What has no messages is not kept. */
  #isStored: boolean;
  #turn: AbortController | undefined;
  #settled: Promise<unknown> = Promise.resolve();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#row = options.row;
    this.#isStored = options.row.title !== "";
    this.#send = (update) => options.editor.send(update);
    this.#notices = new Notices(options.editor, options.notice, options.log);
    this.#cards = new ToolCards(this.#send, options.row.cwd);
  }

  /** What is chosen now. */
  get choice(): Choice {
    return this.#row;
  }

  /** Whether it was stored, and is not any more: another process has deleted it. */
  async isDeleted(): Promise<boolean> {
    return this.#isStored && !(await this.#options.table.get(this.#row.id));
  }

  /** Whether a prompt is being answered. */
  get isBusy(): boolean {
    return this.#turn !== undefined;
  }

  /**
   * Answers a message of the user.
   * @throws Refusal if another one is being answered, for content that cannot be sent, and for a run that fails.
   */
  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    if (this.#turn)
      throw invalidRequest(
        "The session answers another prompt. Wait for its end, or cancel it with session/cancel.",
        "session-busy",
      );
    const turn = new AbortController();
    this.#turn = turn;
    const cancel = (): void => turn.abort();
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel);
    const ending = this.#answer(blocks, turn.signal);
    this.#settled = ending.catch(() => undefined);
    try {
      return { stopReason: await ending };
    } catch (error) {
      if (turn.signal.aborted) return { stopReason: "cancelled" };
      throw refusalOf(error);
    } finally {
      signal.removeEventListener("abort", cancel);
      this.#cards.stopAll(turn.signal.aborted ? "The turn was cancelled." : "The turn ended.");
      this.#turn = undefined;
    }
  }

  /** Stops the answer, if one is being given. */
  cancel(): void {
    this.#turn?.abort();
  }

  /** Sends the conversation so far. */
  async replay(): Promise<void> {
    const { offer, row, store } = this.#options;
    const conversation = await readConversation(store);
    // Nothing is started to show what was.
    this.#cards.facts = await factsOfTeam(agentOf(offer, row).agent);
    replay(conversation, this.#cards, this.#send, row.agent);
  }

  /** Goes on where the editor has the conversation itself. */
  async resume(): Promise<void> {
    const { messages } = await readSession(this.#options.store);
    for (const message of messages)
      if (message.role === "assistant") for (const call of message.toolCalls) this.#cards.recall(call);
  }

  /** Takes over what the user has chosen. */
  async choose(choice: Choice): Promise<void> {
    const hasChanged = choice.agent !== this.#row.agent;
    const lead = hasChanged ? agentOf(this.#options.offer, choice).agent.name : this.#row.lead;
    this.#row = { ...this.#row, ...choice, lead };
    if (hasChanged) this.#send({ sessionUpdate: "current_mode_update", currentModeId: choice.agent });
    this.#sendOptions();
    if (this.#isStored) await this.#options.table.update(this.#row);
  }

  /** Stops what is under way, and lets go of servers and the store. */
  async close(): Promise<void> {
    this.cancel();
    await this.#settled;
    await Promise.allSettled(this.#options.servers.map((server) => server.close()));
    this.#options.store.close();
  }

  async #answer(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<StopReason> {
    const content = readPrompt(blocks);
    assertTaken(
      content,
      this.#row.model ?? this.#options.offer.model ?? agentOf(this.#options.offer, this.#row).agent.model,
    );
    const isResumed = isContinue(textOfPrompt(content));
    if (isResumed) await this.#assertUnfinished();
    else await this.#keepTitle(content);
    this.#notices.begin();
    for (const message of this.#options.warnings) this.#notices.warn(message);
    let leg = isResumed ? await this.#run(undefined, signal) : await this.#begin(content, signal);
    let isDismissed = false;
    for (;;) {
      const { result, requests } = leg;
      await this.#keepLead(result);
      if (result.status !== "paused" || requests.length === 0) return stopReasonOf(result);
      // It stays open, and is not asked again at once.
      if (isDismissed) return "cancelled";
      const approvals = await askAboutAll(requests, this.#options.editor, signal);
      if (approvals.length === 0) return "cancelled";
      isDismissed = approvals.length < requests.length;
      leg = await this.#run(undefined, signal, approvals);
    }
  }

  /** Begins a run with the agent that the user has chosen. What is chosen while it works is for the next message. */
  async #begin(content: string | readonly Part[], signal: AbortSignal): Promise<Leg> {
    const { lead } = this.#row;
    try {
      const leg = this.#run(content, signal);
      this.#row = { ...this.#row, lead: null };
      return await leg;
    } catch (error) {
      // The run may not have begun.
      this.#row = { ...this.#row, lead: this.#row.lead ?? lead };
      throw error;
    }
  }

  /** @param content - The user's message; `undefined` to go on with the last run. */
  async #run(
    content: string | readonly Part[] | undefined,
    signal: AbortSignal,
    approvals?: readonly ApprovalDecision[],
  ): Promise<Leg> {
    const { offer } = this.#options;
    const model = this.#row.model ?? offer.model;
    const { agent, session } = content === undefined ? await this.#earlier() : this.#chosen();
    const context = await this.#context();
    // Servers may take their time: the run waits for them, and can be cancelled meanwhile. What fails there is reported by it.
    const listed = factsOfTeam(agent, { ...context.earlier, ...context.own }).then(
      (facts) => void (this.#cards.facts = facts),
      () => undefined,
    );
    const updates = new RunUpdates({
      send: this.#send,
      cards: this.#cards,
      onWarning: (message) => this.#notices.warn(message),
    });
    const run = stream(agent, content === undefined ? [] : [{ role: "user", content }], {
      session: unlessDeleted(session, () => this.isDeleted()),
      signal,
      ...(content !== undefined && { context: context.own }),
      ...(model !== undefined && { model }),
      ...(approvals && { approvals }),
    });
    const stopReport = reportSlowServers(this.#options.servers, (message) => this.#notices.wait(message));
    const requests: { request: ApprovalRequested; card: Card }[] = [];
    try {
      for await (const event of run) {
        // The run has listed its tools by then, and so has this.
        if (isOfCall(event)) await unlessAborted(listed, signal).catch(() => undefined);
        const card = updates.read(event);
        if (event.type === "approval-request" && card) requests.push({ request: event, card });
      }
      return { result: await run.result, requests };
    } finally {
      stopReport();
    }
  }

  /** The agent that is chosen, and the session as it is to begin. */
  #chosen(): { readonly agent: Agent; readonly session: Session } {
    const { offer, store } = this.#options;
    const { lead } = this.#row;
    return {
      agent: this.#equipped(agentOf(offer, this.#row)),
      session: lead === null ? store : ledBy(store, lead),
    };
  }

  /** The agent of the run that goes on, whatever the user has chosen since. */
  async #earlier(): Promise<{ readonly agent: Agent; readonly session: Session }> {
    const { offer, store } = this.#options;
    const { state } = await readSession(store);
    const chosen = agentOf(offer, this.#row);
    const leads = ({ agent }: OfferedAgent): boolean => findAgent(state?.agent ?? "", [agent]) !== undefined;
    const offered = [chosen, ...offer.agents].find(leads) ?? chosen;
    return { agent: this.#equipped(offered), session: store };
  }

  /** With the tools of the editor's servers. */
  #equipped({ id, agent }: OfferedAgent): Agent {
    const equipped = this.#team.get(id) ?? withTools(agent, this.#options.servers);
    this.#team.set(id, equipped);
    return equipped;
  }

  /** What a run begins with, and what the conversation has already: tools may have changed that since, so it comes once. */
  async #context(): Promise<{ readonly own: Record<string, unknown>; readonly earlier: object }> {
    const { context, roots, row, store } = this.#options;
    const { state } = await readSession(store);
    const editor = { sessionId: row.id, cwd: row.cwd, roots: [...roots] };
    return { own: { ...(state ? {} : context), editor }, earlier: Object(state?.context) };
  }

  async #assertUnfinished(): Promise<void> {
    const { state } = await readSession(this.#options.store);
    if (!state || state.status === "completed")
      throw invalidRequest(
        "There is nothing to go on with: the last run has completed.",
        "nothing-to-continue",
      );
  }

  async #keepTitle(content: string | readonly Part[]): Promise<void> {
    const isFirst = !this.#isStored;
    const title = isFirst ? shorten(textOfPrompt(content), widestTitle) || "Untitled" : this.#row.title;
    this.#row = { ...this.#row, title, updated: Date.now() };
    if (this.#isStored) await this.#options.table.update(this.#row);
    else await this.#options.table.add(this.#row);
    this.#isStored = true;
    const updatedAt = new Date(this.#row.updated).toISOString();
    this.#send({ sessionUpdate: "session_info_update", updatedAt, ...(isFirst && { title }) });
  }

  /** An agent that another one has handed over to is the one that is chosen now, if it is offered and the user has not chosen since. */
  async #keepLead({ agent: { name } }: RunResult): Promise<void> {
    const { offer, table } = this.#options;
    const chosen = agentOf(offer, this.#row);
    const next = [chosen, ...offer.agents].find(({ agent }) => agent.name === name) ?? chosen;
    if (this.#row.lead === null && next.id !== this.#row.agent) {
      this.#row = { ...this.#row, agent: next.id };
      this.#send({ sessionUpdate: "current_mode_update", currentModeId: next.id });
      this.#sendOptions();
    }
    await table.update(this.#row);
  }

  #sendOptions(): void {
    const configOptions = configOptionsOf(this.#options.offer, this.#row);
    if (configOptions.length > 0) this.#send({ sessionUpdate: "config_option_update", configOptions });
  }
}
