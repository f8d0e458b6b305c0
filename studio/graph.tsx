import type { VNode } from "preact";
import type { AgentView } from "../src/studio/records.ts";
import { leadOf } from "./leads.ts";
import { href } from "./state.ts";
import { plain } from "./text.tsx";

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
  const places = new Map<string, { x: number; y: number; most: number }>();
  const step = (width - 40) / Math.max(columns, 2);
  const last = Math.max(0, ...levels.values());
  /** Where a name ends, about: lines begin behind it. */
  const behind = (name: string, x: number, most: number): number =>
    x + 24 + Math.min(most, name.length) * 6.6;
  for (let level = 0; level < columns; level++) {
    const here = agents.filter(({ name }) => levels.get(name) === level);
    const x = 14 + level * step;
    // As many characters as there is room for until the next column.
    const most = Math.min(22, Math.floor(((level < last ? step : width - x) - 26) / 7));
    here.forEach(({ name }, index) => {
      places.set(name, {
        x,
        most,
        y: ((index + 0.5) * height) / here.length,
      });
    });
  }
  const lines = agents.flatMap(({ name, handoffs }) =>
    handoffs.flatMap((target) => {
      const [from, to] = [places.get(name), places.get(target)];
      return from && to
        ? [{ key: `${name} ${target}`, from, to, start: behind(name, from.x, from.most) }]
        : [];
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
      role="group"
      aria-label={plain(label)}
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
        const { x, y, most } = places.get(name) ?? { x: 0, y: 0, most: 22 };
        const size = name === active ? 8 : 5;
        const text = plain(name.length > most ? `${name.slice(0, most - 1)}…` : name);
        return (
          <a key={name} href={href("agents", name)} data-lead={leadOf(name)} tabIndex={isSmall ? -1 : 0}>
            <title>{plain(name)}</title>
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
