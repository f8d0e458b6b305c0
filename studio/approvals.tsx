import type { VNode } from "preact";
import { Decision } from "./decision.tsx";
import { clock } from "./format.ts";
import { Mark } from "./icons.tsx";
import { leaveField, useKeys } from "./keys.tsx";
import { leadOf } from "./leads.ts";
import { clampedAt } from "./row-keys.ts";
import { approvals, go, href } from "./state.ts";
import { LongText, pretty, Text } from "./text.tsx";

/** All calls that wait for a decision, and the form for one of them. */
export function Approvals({ id }: { id: string | undefined }): VNode {
  const all = approvals.value;
  const chosen = all.find(({ approvalId }) => approvalId === id) ?? all[0];
  const at = all.findIndex((each) => each === chosen);
  const show = (index: number): void => {
    const next = clampedAt(all, index);
    if (next) go("approvals", next.approvalId);
  };
  const focus = (selector: string): void => document.querySelector<HTMLElement>(selector)?.focus();
  useKeys([
    { on: "j", ...(all.length > 1 && { show: ["j", "k"] }), label: "move", run: () => show(at + 1) },
    { on: "k", label: "up", run: () => show(at - 1) },
    ...(chosen
      ? [
          {
            on: "e",
            show: ["e"],
            label: "edit",
            run: () => focus(".ask .f input, .ask .f select, .ask .f textarea"),
          },
          { on: "d", show: ["d"], label: "reason", run: () => focus(".ask form > .f textarea") },
          { on: "t", show: ["t"], label: "timeline", run: () => go("runs", chosen.runId) },
        ]
      : []),
    { on: "Escape", label: "leave the field", inText: true, run: leaveField },
  ]);
  return (
    <main class="view">
      <header class="head tight">
        <div class="l1">
          <h1>Approvals</h1>
          <span class="dim n">
            {all.length === 0 ? "" : `${all.length} ${all.length === 1 ? "call waits" : "calls wait"}`}
          </span>
        </div>
      </header>
      {chosen ? (
        <div class="tc">
          <div class="wrap">
            <div class="split">
              <div>
                <ul class="queue" aria-label="Calls that wait">
                  {all.map((each) => (
                    <li key={each.approvalId}>
                      <a
                        href={href("approvals", each.approvalId)}
                        {...(each === chosen && { "aria-current": "true" })}
                        data-lead={leadOf(each.agent)}
                      >
                        <b class="m">
                          <Text of={each.toolName} />
                        </b>
                        <span class="who">
                          <Text of={each.agent} />
                        </span>
                        <span class="dim">
                          <Text of={each.question} />
                        </span>
                        <span class="n dim3">{clock(each.since)}</span>
                      </a>
                    </li>
                  ))}
                </ul>
                <section>
                  <h3>As the tool would get them</h3>
                  <LongText of={pretty(chosen.input)} label="Arguments" class="code wrapped" />
                </section>
                <section>
                  <h3>As the model wrote them</h3>
                  <LongText of={chosen.arguments} label="As written" class="code wrapped" />
                </section>
                <p>
                  <a class="ln" href={href("runs", chosen.runId)}>
                    What led to it
                  </a>
                  {chosen.session !== undefined && (
                    <>
                      {", "}
                      <a class="ln" href={href("chat", chosen.session)}>
                        the conversation
                      </a>
                    </>
                  )}
                </p>
              </div>
              <div>
                <Decision key={chosen.approvalId} approval={chosen} onDone={() => go("approvals")} />
              </div>
            </div>
          </div>
        </div>
      ) : (
        <div class="list">
          <div class="empty">
            <Mark size={34} />
            <h2>Nothing waits for you</h2>
            <p class="dim">
              Calls of tools with <code>approval</code> come here, from all conversations.
            </p>
          </div>
        </div>
      )}
    </main>
  );
}
