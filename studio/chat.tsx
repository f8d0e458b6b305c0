import { Component, type VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { RunDetail } from "../src/studio/records.ts";
import { Graph } from "./agents.tsx";
import type { Block, CallItem, Item } from "./chat-items.ts";
import { chat } from "./chat-store.ts";
import { LeadChange, lookOf } from "./conversation.tsx";
import { Decision } from "./decision.tsx";
import { brief, duration } from "./format.ts";
import { Icon, Mark } from "./icons.tsx";
import { Kbd, useKeys } from "./keys.tsx";
import { leadOf } from "./leads.ts";
import { approvals, go, href, info, runs } from "./state.ts";
import { LongText, pretty, Text } from "./text.tsx";
import { useOfRun } from "./use-run.ts";
import { LastInput } from "./wire.tsx";

/** Talks with any of the agents. */
export function ChatPage({
  session,
  agent,
}: {
  session: string | undefined;
  agent: string | undefined;
}): VNode {
  useEffect(() => {
    if (session === "new") {
      chat.begin(agent);
      go("chat");
    } else void chat.open(session ?? chat.session);
  }, [session, agent]);
  const agents = info.value?.agents ?? [];
  const chosen = agents.find(({ name }) => name === chat.agent.value) ?? agents[0];
  const agentField = useRef<HTMLSelectElement>(null);
  const modelField = useRef<HTMLInputElement>(null);
  const contextField = useRef<HTMLTextAreaElement>(null);
  const last = chat.version.value >= 0 ? chat.lastRun : undefined;
  const begin = (): void => {
    chat.begin();
    go("chat");
    document.querySelector<HTMLElement>("#say")?.focus();
  };
  useKeys([
    { on: "alt+KeyN", show: ["⌥N"], label: "new", inText: true, run: begin },
    { on: "alt+KeyA", label: "agent", inText: true, run: () => agentField.current?.focus() },
    { on: "alt+KeyM", label: "model", inText: true, run: () => modelField.current?.focus() },
    { on: "alt+KeyC", label: "context", inText: true, run: () => contextField.current?.focus() },
    ...(last !== undefined && runs.value.has(last)
      ? [
          { on: "t", show: ["t"], label: "timeline", run: () => go("runs", last) },
          { on: "w", show: ["w"], label: "wire", run: () => go("runs", last, "wire") },
        ]
      : []),
  ]);
  return (
    <main class="view">
      <header class="head tight">
        <div class="l1">
          <h1 class="hide-s">Chat</h1>
          <label class="pick">
            <span class="dim3">agent</span>
            <select
              ref={agentField}
              value={chosen?.name}
              onChange={({ currentTarget }) => (chat.agent.value = currentTarget.value)}
            >
              {agents.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
            <Kbd of="⌥A" />
          </label>
          <label class="pick">
            <span class="dim3">model</span>
            <input
              ref={modelField}
              list="models"
              size={26}
              value={chat.model.value}
              placeholder={chosen?.model ?? info.value?.defaultModel ?? "the agent's own"}
              onInput={({ currentTarget }) => (chat.model.value = currentTarget.value)}
            />
            <Kbd of="⌥M" />
          </label>
          <datalist id="models">
            {[...new Set([...agents.flatMap(({ model }) => model ?? []), "offline"])].map((model) => (
              <option key={model} value={model} />
            ))}
          </datalist>
          <span class="grow" />
          {last !== undefined && runs.value.has(last) && (
            <a class="btn q hide-m" href={href("runs", last)}>
              Timeline <Kbd of="t" />
            </a>
          )}
          <button class="btn q" type="button" onClick={begin}>
            New <Kbd of="⌥N" />
          </button>
        </div>
      </header>
      <div class="chat">
        <section class="talk">
          <Flow agent={chosen?.name} />
          <Composer agent={chosen?.name} />
        </section>
        <aside class="panel side" aria-label="Agent" tabIndex={0}>
          <section>
            <h3>Who has the lead</h3>
            <Graph agents={agents.slice(0, 12)} active={chat.content.value.lead ?? chosen?.name} isSmall />
          </section>
          {chosen && (
            <section>
              <h3>Tools of {chosen.name}</h3>
              {chosen.tools.length === 0 && <p class="dim">none</p>}
              <ul class="m names">
                {chosen.tools.slice(0, 60).map((tool) => (
                  <li key={tool.name}>
                    <Text of={tool.name} />{" "}
                    {tool.policies.slice(0, 2).map((policy) => (
                      <span key={policy} class={policy.startsWith("approval") ? "you" : "dim3"}>
                        {policy.startsWith("approval") ? "asks you" : policy}{" "}
                      </span>
                    ))}
                  </li>
                ))}
              </ul>
            </section>
          )}
          <section>
            <h3>
              <label for="context">
                Context of the next conversation <Kbd of="⌥C" />
              </label>
            </h3>
            <textarea
              id="context"
              ref={contextField}
              class="m"
              rows={3}
              placeholder='{"user": "ada"}'
              value={chat.context.value}
              onInput={({ currentTarget }) => (chat.context.value = currentTarget.value)}
            />
          </section>
          {last !== undefined && runs.value.has(last) && <LastRunInput id={last} />}
        </aside>
      </div>
    </main>
  );
}

function LastRunInput({ id }: { id: string }): VNode | null {
  const { value } = useOfRun<RunDetail>(id);
  return value ? <LastInput run={value} /> : null;
}

function Flow({ agent }: { agent: string | undefined }): VNode {
  void chat.version.value;
  const { items } = chat.content.value;
  const works = chat.phase.value === "working";
  if (items.length === 0)
    return (
      <div class="flow">
        <div class="empty">
          <Mark size={34} />
          <h2>Say something to {agent ?? "an agent"}</h2>
          <p class="dim">
            Each message is a run: its timeline and every byte that its models were sent are one key away.
          </p>
        </div>
      </div>
    );
  return (
    <div class="flow" tabIndex={0} role="log" aria-label="Conversation" aria-live="off">
      <div>
        {items.map((item, index) => (
          <ItemView
            key={item.key}
            item={item}
            rev={item.rev}
            isLast={works && index === items.length - 1}
            waits={approvals.value.length}
          />
        ))}
      </div>
    </div>
  );
}

interface ItemProps {
  readonly item: Item;
  readonly rev: number;
  readonly isLast: boolean;
  /** How many calls wait: a card shows its form once the studio has it. */
  readonly waits: number;
}

/** Draws again only what has changed: a conversation may be long, and its end changes with each piece. */
class ItemView extends Component<ItemProps> {
  override shouldComponentUpdate(next: ItemProps): boolean {
    const { item, rev, isLast, waits } = this.props;
    return item !== next.item || rev !== next.rev || isLast !== next.isLast || waits !== next.waits;
  }

  override render({ item, isLast }: ItemProps): VNode {
    switch (item.kind) {
      case "user":
        return (
          <article class="msg" data-lead="you">
            <i class="dot" />
            <div class="who">
              You {item.when !== undefined && <span>{item.when === "steer" ? "steered" : "queued"}</span>}
            </div>
            <p>
              <Text of={item.text} />
            </p>
          </article>
        );
      case "lead":
        return <LeadChange from={item.from} to={item.agent} />;
      case "note":
        return (
          <div class={item.isBad ? "note b" : "note plain"}>
            <p>
              <Text of={item.text} />{" "}
              {item.isBad && (
                <a class="ln" href={href("runs", `studio/${item.runId}`)}>
                  Timeline
                </a>
              )}
            </p>
          </div>
        );
      case "turn":
        return (
          <article class="msg" data-lead={leadOf(item.agent)}>
            <div class="who">
              <Text of={item.agent} /> <span>turn {item.turn}</span>
            </div>
            {item.blocks.map((block, index) => (
              <BlockView
                key={index}
                block={block}
                rev={item.rev}
                hasCaret={isLast && index === item.blocks.length - 1}
              />
            ))}
            {isLast && item.blocks.length === 0 && <span class="caret" />}
          </article>
        );
    }
  }
}

/** @param rev - Changes with the block: blocks are changed in place, and drawn again only where a prop has changed. */
function BlockView({ block, rev, hasCaret }: { block: Block; rev: number; hasCaret: boolean }): VNode | null {
  if (block.type === "call") return <Card call={block.call} rev={rev} />;
  if (block.type === "reasoning")
    return (
      <details class="thought" open={hasCaret}>
        <summary class="dim">Reasoning</summary>
        <p class="dim">
          <Text of={block.text} />
        </p>
      </details>
    );
  return (
    <p class="said">
      <Text of={block.text} />
      {hasCaret && <span class="caret" />}
    </p>
  );
}

function Card({ call }: { call: CallItem; rev: number }): VNode {
  const [isOpen, setOpen] = useState(false);
  const approval =
    call.approvalId === undefined
      ? undefined
      : approvals.value.find(({ approvalId }) => approvalId === call.approvalId);
  const waits = call.approvalId !== undefined;
  const [icon, color, text] = call.isWriting
    ? (["dots", "", "being written"] as const)
    : lookOf({ ...(call.outcome && { outcome: call.outcome }), ...(waits && { waits: true as const }) });
  const hasBody = isOpen || call.isWriting;
  const isWrong = color === "bad";
  const status = text !== "" ? text : call.durationMs === undefined ? "" : duration(call.durationMs);
  return (
    <div class={`card${call.isWriting || call.outcome === undefined ? " on" : ""}`}>
      <button class="cardh" type="button" aria-expanded={hasBody} onClick={() => setOpen(!isOpen)}>
        <Icon name={icon} class={color} />
        <span class="m">
          <Text of={hasBody ? call.toolName : `${call.toolName}(${brief(call.arguments).slice(0, 300)})`} />
        </span>
        <span class={`n ${color}`}>{call.isCached ? `${status}, cached` : status}</span>
      </button>
      {hasBody && (
        <pre tabIndex={0} aria-label="Arguments">
          <Text of={call.isWriting ? call.arguments : pretty(call.arguments)} />
          {call.isWriting && <span class="caret" />}
        </pre>
      )}
      {call.inner.length > 0 && (
        <ul class="inner m" aria-label="Within it">
          {(isOpen ? call.inner : call.inner.slice(-3)).map((line, index) => (
            <li key={index}>
              <Text of={line} />
            </li>
          ))}
        </ul>
      )}
      {call.progress !== undefined && call.outcome === undefined && (
        <div class="fx">
          <Text of={call.progress} />
        </div>
      )}
      {call.decided !== undefined && (
        <div class="fx">
          <Icon name="ok" class="you" />
          <span>
            <b class="you">You</b> {call.decided}
          </span>
        </div>
      )}
      {approval && (
        <Decision
          key={approval.approvalId}
          approval={approval}
          onDone={() => chat.content.peek().decide(approval.approvalId, "decided")}
        />
      )}
      {call.result !== undefined && (isOpen || call.result.length < 400) && (
        <LongText of={pretty(call.result)} class={isWrong ? "bad" : "dim"} label="Result" />
      )}
      {call.result !== undefined && !isOpen && isWrong && call.result.length >= 400 && (
        <pre class="bad" tabIndex={0} aria-label="Beginning of the result">
          <Text of={`${call.result.slice(0, 300)}…`} />
        </pre>
      )}
    </div>
  );
}

function Composer({ agent }: { agent: string | undefined }): VNode {
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const phase = chat.phase.value;
  const works = phase === "working";
  const lead = chat.version.value >= 0 ? (chat.content.value.lead ?? agent) : agent;
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const say = async (when?: "steer" | "queue"): Promise<void> => {
    const message = text.trim();
    if (message === "") return;
    setText("");
    if (!(await chat.say(message, when))) setText(message);
  };
  const undo = (): void => {
    const taken = chat.undo();
    if (taken === undefined) return;
    setText(taken);
    field.current?.focus();
  };
  useKeys([
    ...(works
      ? [{ on: "Escape", show: ["esc"], label: "stop", inText: true, run: () => void chat.stop() }]
      : []),
    ...(works ? [] : [{ on: "alt+KeyU", show: ["⌥U"], label: "undo", inText: true, run: undo }]),
    { on: "i", label: "write", run: () => field.current?.focus() },
    { on: "/", label: "write", run: () => field.current?.focus() },
  ]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void say(event.altKey ? "queue" : "steer");
    } else if (event.key === "ArrowUp" && text === "" && !works) {
      event.preventDefault();
      undo();
    }
  };
  const name = lead ?? "the agent";
  return (
    <div class="comp">
      {chat.problem.value !== "" && (
        <div class="note b" role="alert">
          <p>
            <Text of={chat.problem.value} />
          </p>
        </div>
      )}
      <div class="box" data-lead={leadOf(lead)}>
        <textarea
          id="say"
          ref={field}
          rows={2}
          aria-label="Message"
          placeholder={
            works
              ? `Say something while ${name} works: it is read before the next model call`
              : `Say something to ${agent ?? "an agent"}`
          }
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <footer>
          <span class="dim">
            {phase === "waiting" ? "A call waits for your decision" : works ? `${name} works` : ""}
          </span>
          <span class="grow" />
          {works ? (
            <>
              <button class="btn q" type="button" onClick={() => void chat.stop()}>
                Stop <Kbd of="esc" />
              </button>
              <button class="btn q hide-m" type="button" onClick={() => void say("queue")}>
                Queue <Kbd of="⌥↵" />
              </button>
            </>
          ) : (
            chat.content.value.items.length > 0 && (
              <button class="btn q" type="button" onClick={undo}>
                Undo <Kbd of="⌥U" />
              </button>
            )
          )}
          <button class="btn go" type="button" onClick={() => void say()}>
            {works ? "Steer" : "Send"} <Kbd of="↵" />
          </button>
        </footer>
      </div>
    </div>
  );
}
