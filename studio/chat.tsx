import { useEffect, useRef } from "preact/hooks";
import type { VNode } from "preact";
import type { RunDetail } from "../src/studio/records.ts";
import { Graph } from "./graph.tsx";
import { ItemView } from "./item-view.tsx";
import { chat } from "./chat-store.ts";
import { Composer } from "./composer.tsx";
import { Mark } from "./icons.tsx";
import { alt, Kbd, useKeys } from "./keys.tsx";
import { approvals, go, href, info, runs } from "./state.ts";
import { plain, Text } from "./text.tsx";
import { useOfRun } from "./use-run.ts";
import { LastInput } from "./last-input.tsx";

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
  const contextPart = useRef<HTMLDetailsElement>(null);
  const editContext = (): void => {
    if (!contextPart.current) return;
    contextPart.current.open = true;
    contextPart.current.querySelector("textarea")?.focus();
  };
  const last = chat.version.value >= 0 ? chat.lastRun : undefined;
  const begin = (): void => {
    chat.begin();
    go("chat");
    document.querySelector<HTMLElement>("#say")?.focus();
  };
  useKeys([
    { on: "alt+KeyN", show: [alt("N")], label: "new", inText: true, run: begin },
    { on: "alt+KeyA", label: "agent", inText: true, run: () => agentField.current?.focus() },
    { on: "alt+KeyM", label: "model", inText: true, run: () => modelField.current?.focus() },
    { on: "alt+KeyC", label: "context", inText: true, run: editContext },
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
          <h1 class="sr-s">Chat</h1>
          <label class="pick">
            <span class="dim3">agent</span>
            <select
              aria-label="Agent"
              ref={agentField}
              value={chosen?.name}
              onChange={({ currentTarget }) => (chat.agent.value = currentTarget.value)}
            >
              {agents.map(({ name }) => (
                <option key={name} value={name}>
                  {plain(name)}
                </option>
              ))}
            </select>
            <Kbd of={alt("A")} />
          </label>
          <label class="pick">
            <span class="dim3">model</span>
            <input
              aria-label="Model"
              ref={modelField}
              list="models"
              size={26}
              value={chat.model.value}
              placeholder={chosen?.model ?? info.value?.defaultModel ?? "the agent's own"}
              onInput={({ currentTarget }) => (chat.model.value = currentTarget.value)}
            />
            <Kbd of={alt("M")} />
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
            New <Kbd of={alt("N")} />
          </button>
        </div>
      </header>
      <div class="chat">
        <section class="talk">
          <Flow agent={chosen?.name} />
          <Composer agent={chosen?.name} />
        </section>
        <aside class="panel side" aria-label="About the agent" tabIndex={0}>
          <section>
            <h3>Who has the lead</h3>
            <Graph agents={agents.slice(0, 12)} active={chat.content.value.lead ?? chosen?.name} isSmall />
          </section>
          {chosen && (
            <section>
              <h3>Tools of {plain(chosen.name)}</h3>
              {chosen.tools.length === 0 && <p class="dim">{chosen.isIncomplete ? "being read" : "none"}</p>}
              <ul class="m names">
                {chosen.tools.slice(0, 60).map((tool) => (
                  <li key={tool.name}>
                    <Text of={tool.name} />{" "}
                    {tool.policies.slice(0, 2).map((policy) => (
                      <span key={policy} class={policy.startsWith("approval") ? "you" : "dim3"}>
                        {policy.startsWith("approval") ? "asks you" : plain(policy)}{" "}
                      </span>
                    ))}
                  </li>
                ))}
              </ul>
            </section>
          )}
          <details class="ctx" open={!matchMedia("(max-width: 1040px)").matches} ref={contextPart}>
            <summary>
              <h3>
                Context of the next conversation <Kbd of={alt("C")} />
              </h3>
            </summary>
            <textarea
              aria-label="Context of the next conversation"
              class="m"
              rows={3}
              placeholder='{"user": "ada"}'
              value={chat.context.value}
              onInput={({ currentTarget }) => (chat.context.value = currentTarget.value)}
            />
          </details>
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
          <h2>Say something to {plain(agent ?? "an agent")}</h2>
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
