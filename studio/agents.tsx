import { signal } from "@preact/signals";
import type { VNode } from "preact";
import type { AgentView } from "../src/studio/records.ts";
import { checkedAgent, CheckCount, CheckNotes, Count, Findings, useCheck } from "./findings.tsx";
import { Graph } from "./graph.tsx";
import { Mark } from "./icons.tsx";
import { useKeys } from "./keys.tsx";
import { leadOf } from "./leads.ts";
import { clampedAt } from "./row-keys.ts";
import { go, href, info } from "./state.ts";
import { ErrorNote, LongText, plain, pretty, Text } from "./text.tsx";

/** The tools whose schemas are open. */
const open = signal<ReadonlySet<string>>(new Set());

/** The agents: who hands off to whom, what they are told, and their tools. */
export function Agents({ name }: { name: string | undefined }): VNode {
  useCheck();
  const agents = info.value?.agents ?? [];
  const chosen = agents.find((agent) => agent.name === name) ?? agents[0];
  const at = agents.findIndex((agent) => agent === chosen);
  const show = (index: number): void => {
    const next = clampedAt(agents, index);
    if (next) go("agents", next.name);
  };
  useKeys([
    { on: "j", show: ["j", "k"], label: "agent", run: () => show(at + 1) },
    { on: "k", label: "agent before", run: () => show(at - 1) },
    ...(chosen
      ? [{ on: "Enter", show: ["↵"], label: "chat", run: () => go("chat", "new", chosen.name) }]
      : []),
  ]);
  return (
    <main class="view">
      <header class="head tight">
        <div class="l1">
          <h1>Agents</h1>
          <span class="dim n">{agents.length}</span>
          <CheckCount />
          <span class="grow" />
          <span class="dim3 m hide-m">{info.value?.file}</span>
        </div>
      </header>
      {info.value && agents.length === 0 && <NoAgents />}
      <div class="tc" hidden={agents.length === 0}>
        <div class="wrap agents">
          <section>
            <h3>Who hands off to whom</h3>
            <Graph agents={agents} active={chosen?.name} />
          </section>
          <CheckNotes />
          {chosen && <OneAgent agent={chosen} />}
        </div>
      </div>
    </main>
  );
}

function NoAgents(): VNode {
  return (
    <div class="list">
      <div class="empty">
        <Mark size={34} />
        <h2>No agent here</h2>
        <p class="dim">
          The studio was opened for runs alone. With the file of the agents, they are here, too:
        </p>
        <pre tabIndex={0} class="code">
          npx skein studio agents.ts
        </pre>
      </div>
    </div>
  );
}

function OneAgent({ agent }: { agent: AgentView }): VNode {
  const {
    name,
    description,
    model,
    instructions,
    hasDynamicInstructions,
    handoffs,
    tools,
    problem,
    isIncomplete,
  } = agent;
  const checked = checkedAgent(name);
  return (
    <article data-lead={leadOf(name)}>
      <header class="agent">
        <h2>
          <Text of={name} />
        </h2>
        <span class="dim m">
          {checked && `${plain(checked.at)} · `}
          <Text of={model ?? info.value?.defaultModel ?? "the model of the environment"} />
        </span>
        <span class="grow" />
        <a class="btn go" href={href("chat", "new", name)}>
          Chat
        </a>
      </header>
      {description !== undefined && (
        <p class="dim">
          <Text of={description} />
        </p>
      )}
      {checked && <Findings of={checked.findings} />}
      {handoffs.length > 0 && (
        <p>
          Hands off to{" "}
          {handoffs.map((target, index) => (
            <span key={target} data-lead={leadOf(target)}>
              {index > 0 && ", "}
              <a class="ln who" href={href("agents", target)}>
                <Text of={target} />
              </a>
            </span>
          ))}
        </p>
      )}
      <section>
        <h3>Instructions</h3>
        {instructions === undefined ? (
          <p class="dim">
            {hasDynamicInstructions
              ? "A function writes them for each model call: the wire of a run has them as they were."
              : "None."}
          </p>
        ) : (
          <LongText of={instructions} label="Instructions" class="code wrapped" />
        )}
      </section>
      <section>
        <h3>
          {isIncomplete ? "Tools, being read" : tools.length === 0 ? "No tools" : `Tools, ${tools.length}`}
        </h3>
        {problem !== undefined && <ErrorNote of={problem} />}
        <ul class="tools">
          {tools.slice(0, 500).map((tool) => {
            const key = `${name}/${tool.name}`;
            const source = checked?.tools.find((each) => each.name === tool.name);
            return (
              <li key={tool.name}>
                <details
                  open={open.value.has(key)}
                  onToggle={({ currentTarget }) => toggle(key, currentTarget.open)}
                >
                  <summary>
                    <b class="m">
                      <Text of={tool.name} />
                    </b>
                    <span class="dim">
                      {tool.description !== undefined && <Text of={tool.description} />}
                    </span>
                    {tool.policies.map((policy) => (
                      <span key={policy} class={policy.startsWith("approval") ? "chip y" : "chip"}>
                        {plain(policy)}
                      </span>
                    ))}
                    {source && <Count of={source.findings} />}
                    {source?.at !== undefined && <span class="m dim3 at">{plain(source.at)}</span>}
                  </summary>
                  {open.value.has(key) && <LongText of={pretty(tool.schema)} label="Schema" />}
                </details>
                {source && <Findings of={source.findings} />}
              </li>
            );
          })}
        </ul>
        {tools.length > 500 && <p class="dim">The first 500 are listed.</p>}
      </section>
    </article>
  );
}

function toggle(key: string, isOpen: boolean): void {
  const next = new Set(open.value);
  if (isOpen) next.add(key);
  else next.delete(key);
  open.value = next;
}
