import { signal } from "@preact/signals";
import type { VNode } from "preact";
import type { AgentView } from "../src/studio/records.ts";
import { useKeys } from "./keys.tsx";
import { leadOf } from "./leads.ts";
import { go, href, info } from "./state.ts";
import { LongText, pretty, Text } from "./text.tsx";

/** The tools whose schemas are open. */
const open = signal<ReadonlySet<string>>(new Set());

/** The agents: who hands off to whom, what they are told, and their tools. */
export function Agents({ name }: { name: string | undefined }): VNode {
  const agents = info.value?.agents ?? [];
  const chosen = agents.find((agent) => agent.name === name) ?? agents[0];
  const at = agents.findIndex((agent) => agent === chosen);
  const show = (index: number): void => {
    const next = agents[Math.min(Math.max(0, index), agents.length - 1)];
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
          <span class="grow" />
          <span class="dim3 m hide-m">{info.value?.file}</span>
        </div>
      </header>
      <div class="tc">
        <div class="wrap agents">
          <section>
            <h3>Who hands off to whom</h3>
            <Graph agents={agents} active={chosen?.name} />
          </section>
          {chosen && <OneAgent agent={chosen} />}
        </div>
      </div>
    </main>
  );
}

function OneAgent({ agent }: { agent: AgentView }): VNode {
  const { name, description, model, instructions, hasDynamicInstructions, handoffs, tools, problem } = agent;
  return (
    <article data-lead={leadOf(name)}>
      <header class="agent">
        <h2>
          <Text of={name} />
        </h2>
        <span class="dim m">
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
        <h3>{tools.length === 0 ? "No tools" : `Tools, ${tools.length}`}</h3>
        {problem !== undefined && (
          <div class="note b">
            <p>
              <Text of={problem} />
            </p>
          </div>
        )}
        <ul class="tools">
          {tools.slice(0, 500).map((tool) => {
            const key = `${name}/${tool.name}`;
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
                      <Text of={tool.description ?? ""} />
                    </span>
                    {tool.policies.map((policy) => (
                      <span key={policy} class={policy.startsWith("approval") ? "chip y" : "chip"}>
                        {policy}
                      </span>
                    ))}
                  </summary>
                  {open.value.has(key) && <LongText of={pretty(tool.schema)} label="Schema" />}
                </details>
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

/**
 * Agents as birds: those that the others hand off to stand ahead.
 * @param active - Drawn larger.
 */
export function Graph({
  agents,
  active,
  isSmall = false,
}: {
  agents: readonly AgentView[];
  active: string | undefined;
  isSmall?: boolean;
}): VNode {
  const levels = levelsOf(agents);
  const columns = Math.max(1, ...levels.values()) + 1;
  const rows = Math.max(
    1,
    ...Array.from(
      { length: columns },
      (_, level) => [...levels.values()].filter((each) => each === level).length,
    ),
  );
  const width = isSmall ? 258 : Math.max(260, columns * 210);
  const height = Math.max(isSmall ? 60 : 80, rows * (isSmall ? 38 : 46));
  const places = new Map<string, { x: number; y: number }>();
  /** Where a name ends, about: lines begin behind it. */
  const behind = (name: string, x: number): number => x + 24 + Math.min(22, name.length) * 6.6;
  for (let level = 0; level < columns; level++) {
    const here = agents.filter(({ name }) => levels.get(name) === level);
    here.forEach(({ name }, index) => {
      places.set(name, {
        x: 14 + (level * (width - 40)) / Math.max(columns, 2),
        y: ((index + 0.5) * height) / here.length,
      });
    });
  }
  const lines = agents.flatMap(({ name, handoffs }) =>
    handoffs.flatMap((target) => {
      const [from, to] = [places.get(name), places.get(target)];
      return from && to ? [{ key: `${name} ${target}`, from, to, start: behind(name, from.x) }] : [];
    }),
  );
  const label = agents
    .map(({ name, handoffs }) => (handoffs.length > 0 ? `${name} hands off to ${handoffs.join(", ")}` : name))
    .join("; ");
  return (
    <svg
      class="flight"
      viewBox={`0 0 ${width} ${height}`}
      style={{ "--w": `${width}px` }}
      role="img"
      aria-label={label}
    >
      {lines.map(({ key, from, to, start }) => (
        <path
          key={key}
          class="way"
          d={
            from.x === to.x
              ? `M${from.x} ${from.y} C ${from.x - 14} ${from.y}, ${to.x - 14} ${to.y}, ${to.x} ${to.y}`
              : `M${start < to.x - 10 ? start : from.x} ${from.y} L${to.x - 4} ${to.y}`
          }
        />
      ))}
      {agents.map(({ name }) => {
        const { x, y } = places.get(name) ?? { x: 0, y: 0 };
        const size = name === active ? 8 : 5;
        const text = name.length > 22 ? `${name.slice(0, 21)}…` : name;
        return (
          <a key={name} href={href("agents", name)} data-lead={leadOf(name)} tabIndex={isSmall ? -1 : 0}>
            <path
              class={name === active ? "bird on" : "bird"}
              d={`M${x} ${y - size}l${size * 1.6} ${size}-${size * 1.6} ${size}`}
            />
            <text class={name === active ? "on" : ""} x={x + 18} y={y + 4}>
              {text}
            </text>
          </a>
        );
      })}
    </svg>
  );
}

/** How many handoffs each agent is away from those that nobody hands off to. */
function levelsOf(agents: readonly AgentView[]): ReadonlyMap<string, number> {
  const levels = new Map<string, number>();
  const targets = new Set(agents.flatMap(({ handoffs }) => handoffs));
  const roots = agents.filter(({ name }) => !targets.has(name));
  let current = roots.length > 0 ? roots : agents.slice(0, 1);
  for (let level = 0; current.length > 0; level++) {
    for (const { name } of current) levels.set(name, level);
    const next = new Set(current.flatMap(({ handoffs }) => handoffs));
    current = agents.filter(({ name }) => next.has(name) && !levels.has(name));
  }
  for (const { name } of agents) if (!levels.has(name)) levels.set(name, 0);
  return levels;
}
