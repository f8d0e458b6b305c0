import { Component, type VNode } from "preact";
import { useState } from "preact/hooks";
import type { Block, CallItem, Item } from "./chat-items.ts";
import { chat } from "./chat-store.ts";
import { LeadChange, lookOf } from "./conversation.tsx";
import { Decision } from "./decision.tsx";
import { brief, duration } from "./format.ts";
import { Icon } from "./icons.tsx";
import { leadOf } from "./leads.ts";
import { approvals, href, runs } from "./state.ts";
import { LongText, pretty, Text } from "./text.tsx";

interface ItemProps {
  readonly item: Item;
  readonly rev: number;
  readonly isLast: boolean;
  /** How many calls wait: a card shows its form once the studio has it. */
  readonly waits: number;
}

/** Draws again only what has changed: a conversation may be long, and its end changes with each piece. */
export class ItemView extends Component<ItemProps> {
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
              <Failure of={item} />{" "}
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

/** What went wrong: in the words of the program, once the studio has them. */
function Failure({ of }: { of: Extract<Item, { kind: "note" }> }): VNode {
  return <Text of={(of.isBad ? runs.value.get(`studio/${of.runId}`)?.error : undefined) ?? of.text} />;
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
